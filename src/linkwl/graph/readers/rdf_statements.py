"""RDF statements collected from a file, and the knowledge graph that they make."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.build import build_knowledge_graph
from linkwl.graph.entity_types import EntityTypes
from linkwl.graph.features import Features
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import map_relations
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.dialect import is_number

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_SIGNED = ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger")
_OTHERS = ("negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte")
_NUMERIC = {_XSD + kind for kind in (*_SIGNED, *_OTHERS, "decimal", "double", "float")}
_LARGEST = float(np.finfo(np.float32).max)
_SPARSE_BELOW = 0.25


@dataclass
class Statements:
    """Facts, types and numbers of the entities that a file of RDF names.

    Entities are full IRIs, or ``_:label`` for blank nodes.
    """

    heads: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    tails: list[str] = field(default_factory=list)
    typed: list[tuple[str, str]] = field(default_factory=list)
    numbers: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """For each predicate, the values of each subject."""
    unused_literals: int = 0

    def add(self, head: str, relation: str, tail: str) -> None:
        """Adds a statement between two entities, or the type of an entity."""
        if relation == TYPE:
            self.typed.append((head, tail))
        else:
            self.heads.append(head)
            self.relations.append(relation)
            self.tails.append(tail)

    def add_literal(self, subject: str, predicate: str, text: str, datatype: str | None) -> None:
        """Adds a statement about a value: a number is kept as an attribute, any other value is counted."""
        value = _number(text) if datatype in _NUMERIC else None
        if value is None:
            self.unused_literals += 1
        else:
            self.numbers.setdefault(predicate, {}).setdefault(subject, []).append(value)

    def to_graph(self, path: Path, *, name: str, form: str) -> KnowledgeGraph:
        """The knowledge graph of the statements; names are shortened where that is unambiguous.

        Raises:
            InputError: If there is no statement between two entities.
        """
        if not self.heads:
            problem = "no statement between two entities was found; types and literals alone are no graph."
            raise InputError(problem, path=path)
        notes: list[str] = []
        heads, relations, tails = (pa.array(column, pa.string()) for column in (self.heads, self.relations, self.tails))
        others = {entity for entity, _ in self.typed}.union(*self.numbers.values())
        names = {*heads.unique().to_pylist(), *tails.unique().to_pylist(), *others}
        entities = _shortened("entities", names, notes)
        short_relations = _shortened("relations", relations.unique().to_pylist(), notes)
        graph = build_knowledge_graph(
            _renamed(heads, entities),
            _renamed(relations, short_relations),
            _renamed(tails, entities),
            nodes=pa.array([entities[entity] for entity in others], pa.string()),
            name=name,
            form=form,
            path=path,
        )
        types, features = self._types(entities, graph.ids, notes), self._features(entities, graph.ids, notes)
        if blank := sum(entity.startswith("_:") for entity in entities):
            notes.append(f"blank nodes kept as entities: {blank:,}")
        if self.unused_literals:
            notes.append(f"literals not used, because they are not finite numbers: {self.unused_literals:,}")
        assert graph.intake is not None
        return replace(graph, features=features, types=types, intake=replace(graph.intake, notes=tuple(notes)))

    def _types(self, entities: dict[str, str], ids: NodeIds, notes: list[str]) -> EntityTypes | None:
        if not self.typed:
            return None
        short = _shortened("types", {kind for _, kind in self.typed}, notes)
        (types,), names = map_relations([pa.array([short[kind] for _, kind in self.typed], pa.string())])
        rows = ids.indices(entities[entity] for entity, _ in self.typed)
        notes.append("types from rdf:type")
        return EntityTypes.from_pairs(rows, types, len(ids), NodeIds(names.to_arrow(), kind="type"))

    def _features(self, entities: dict[str, str], ids: NodeIds, notes: list[str]) -> Features | None:
        """One column for each predicate with numbers, in the order of their names; several values are averaged."""
        if not self.numbers:
            return None
        short = _shortened("attributes", self.numbers, notes)
        predicates = sorted(self.numbers, key=short.__getitem__)
        columns = [self.numbers[predicate] for predicate in predicates]
        rows = [ids.indices(entities[entity] for entity in column) for column in columns]
        values = [math.fsum(value / len(given) for value in given) for column in columns for given in column.values()]
        place = np.repeat(np.arange(len(columns)), [len(column) for column in columns])
        shape = (len(ids), len(columns))
        matrix = sp.csr_array((np.array(values, dtype=np.float32), (np.concatenate(rows), place)), shape=shape)
        is_sparse = matrix.nnz < _SPARSE_BELOW * shape[0] * shape[1]
        names = ", ".join(short[predicate] for predicate in predicates)
        notes.append(f"attributes from numbers, 0 where absent: {names}")
        if any(len(given) > 1 for column in columns for given in column.values()):
            notes.append("several numbers of one attribute averaged")
        return matrix if is_sparse else matrix.toarray()


def _number(text: str) -> float | None:
    """A finite number that fits in 32 bits, or None."""
    value = float(text) if is_number(text) else math.nan
    return value if abs(value) <= _LARGEST else None


def _shortened(kind: str, names: Collection[str], notes: list[str]) -> dict[str, str]:
    """For each IRI the part after its last ``#`` or ``/``, or all of it if two parts are equal; adds a note."""
    short = {name: name if name.startswith("_:") else re.split(r"[/#]", name)[-1] for name in names}
    clash = _clash(short)
    notes.append(f"names of {kind} " + (f"are full IRIs, because {clash}" if clash else "are the ends of their IRIs"))
    return {name: name for name in names} if clash else short


def _renamed(column: pa.Array, names: dict[str, str]) -> pa.Array:
    encoded = column.dictionary_encode()
    words = pa.array([names[word] for word in encoded.dictionary.to_pylist()], pa.string())
    return words.take(encoded.indices)


def _clash(short: dict[str, str]) -> str | None:
    """Why short names are no names: one is empty, two are equal, or all are numbers."""
    owner: dict[str, str] = {}
    for name in sorted(short):
        part = short[name]
        if not part.strip():
            return f"{name} ends in # or /"
        if part in owner:
            return f"{owner[part]} and {name} end alike"
        owner[part] = name
    return "their ends are numbers" if all(map(is_number, owner)) else None
