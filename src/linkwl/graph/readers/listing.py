"""Lists of nodes and of edges, both with attributes: the content of GML, GraphML, GEXF, Pajek and JSON files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_graph, build_knowledge_graph
from linkwl.graph.direction import build_directed
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.pair_columns import NOTHING_DECLARED, Declared
from linkwl.graph.readers.node_attributes import NodeAttributes
from linkwl.graph.reading import VALUES, Reading
from linkwl.graph.sided_ids import numbers_if_all
from linkwl.graph.sides import with_sides
from linkwl.graph.unused import ignored_note
from linkwl.graph.value_columns import bad_value, to_numbers


class Listing:
    """Collects the nodes and edges of a file with their attributes.

    Attributes of nodes become a node table. Of those of edges the requested ones are kept, and the names of all others
    noted.

    Args:
        form: The kind of file, in words.
        path: The file, for error messages.
        reading: Which attributes of edges are weights, times and types.
        is_closed: Whether an edge may join only nodes that are listed.
    """

    def __init__(self, form: str, path: Path, reading: Reading, *, is_closed: bool = True) -> None:
        allowed = VALUES | {"type", "relation", "encoding", "node_attributes", "coordinates"}
        reading.allow(allowed, f"a {form} file", path)
        self._form, self._path, self._reading, self._is_closed = form, path, reading, is_closed
        relation = reading.triples.relation
        self._wanted: dict[str, str] = {kind: str(name) for kind, name in reading.values.names().items()}
        if relation is not None and relation is not False:
            self._wanted["type"] = "type" if relation is True else str(relation)
        self._ids: dict[str, str | None] = {}
        self._ends: tuple[list[str], list[str]] = ([], [])
        self._kept: dict[str, list[Any]] = {kind: [] for kind in self._wanted}
        self._node_attributes = NodeAttributes(reading.node_attributes, reading.coordinates, path)
        self._edge_attributes: dict[str, None] = {}
        self._num_both_ways = 0

    def __len__(self) -> int:
        return len(self._ids)

    def add_node(self, name: str, label: str | None = None, attributes: Mapping[str, Any] | None = None) -> None:
        """Adds a node with its label and its attributes.

        Raises:
            InputError: If it was added before.
        """
        if name in self._ids:
            raise InputError(f"node {name!r} is listed twice; remove one of the two.", path=self._path)
        self._ids[name] = label
        self._node_attributes.add(name, attributes or {})

    def add_attributes(self, name: str, attributes: Mapping[str, Any]) -> None:
        """Adds attributes of a node."""
        self._node_attributes.add(name, attributes)

    def touch_node(self, name: str) -> None:
        """Adds a node unless it is there already."""
        self._ids.setdefault(name, None)

    def note_node_attributes(self, names: Iterable[str]) -> None:
        """Notes that nodes have these attributes."""
        self._node_attributes.note(names)

    def add_edge(self, source: str, target: str, attributes: Mapping[str, Any], *, is_both_ways: bool = False) -> None:
        """Adds an edge with its attributes; in a file of directed edges, an undirected one goes both ways."""
        for end in (source, target) if self._is_closed else ():
            if end not in self._ids:
                raise InputError(f"an edge names the node {end!r}, which is not listed; list it.", path=self._path)
        self._edge_attributes |= dict.fromkeys(attributes)
        self._num_both_ways += is_both_ways
        for ends in ((source, target), (target, source)) if is_both_ways else ((source, target),):
            for column, end in zip(self._ends, ends, strict=True):
                column.append(end)
            for kind, attribute in self._wanted.items():
                self._kept[kind].append(attributes.get(attribute))

    def to_graph(
        self, *, name: str, declared: Declared = NOTHING_DECLARED, notes: Iterable[str] = ()
    ) -> Graph | KnowledgeGraph:
        """The graph of what was added."""
        reading, path = self._reading, self._path
        said = [*notes, *self._names_note(), *self._attribute_notes()]
        source, target, nodes = self._columns()
        kept = {kind: self._column(kind) for kind in self._wanted}
        if "type" in kept:
            reading.allow({"type", "relation", "encoding", "format", "directed"}, "triples", path)
            relation = pa.chunked_array([kept["type"]])
            said += self._node_attributes.ignored()
            return build_knowledge_graph(
                source, relation, target, nodes=nodes, name=name, form=self._form, notes=tuple(said), path=path
            )
        if self._num_both_ways:
            said.append(f"{self._num_both_ways:,} undirected edges among directed ones kept in both directions")

        def build(is_directed: bool) -> Graph:
            return build_graph(
                source,
                target,
                nodes=nodes,
                is_directed=is_directed,
                name=name,
                form=self._form,
                notes=tuple(said),
                path=path,
                **kept,
                merge=reading.merge,
            )

        has_sides = reading.bipartite is True or (declared.bipartite and reading.bipartite is not False)
        if has_sides or reading.bipartite == "auto":
            graph = build(False)
            graph = with_sides(graph, True if has_sides else "auto", graph.ids.find(source), path)
        else:
            graph = build_directed(build, reading.directed, declared=declared.directed, reason=declared.reason)
        return self._node_attributes.add_to(graph, nodes, list(self._ids))

    def _columns(self) -> list[pa.Array]:
        """The ends and the nodes, named by their labels if there are any; integers if all are."""
        labels = self._ids if self._has_good_labels else dict.fromkeys(self._ids)
        lists = [[labels.get(name) or name for name in names] for names in (*self._ends, self._ids)]
        texts = [pa.array(names, pa.string()) for names in lists]
        numbers = [numbers_if_all(column) for column in texts]
        is_mixed = any(pa.types.is_string(column.type) and len(column) for column in numbers)
        return texts if is_mixed else [column.cast(pa.int64()) for column in numbers]

    @property
    def _has_good_labels(self) -> bool:
        labels = [label for label in self._ids.values() if label]
        return len(labels) == len(set(labels)) == len(self._ids)

    def _names_note(self) -> list[str]:
        labels = [label for label in self._ids.values() if label]
        if not labels or all(label == name for name, label in self._ids.items()):
            return []
        if self._has_good_labels:
            return ["nodes named by their labels"]
        reason = "some nodes have none" if len(labels) < len(self._ids) else "some are the same"
        return [f"nodes named by their ids, not by their labels, because {reason}"]

    def _attribute_notes(self) -> list[str]:
        used = [f"{kind} from attribute `{attribute}`" for kind, attribute in self._wanted.items()]
        unused = [name for name in self._edge_attributes if name not in self._wanted.values()]
        return [
            *used,
            *ignored_note([f"`{name}`" for name in unused], unused, given=self._wanted, what="edge attribute"),
        ]

    def _column(self, kind: str) -> Any:
        """The requested attribute of every edge: numbers, or texts for types."""
        attribute, values = self._wanted[kind], self._kept[kind]
        if attribute not in self._edge_attributes and values:
            known = ", ".join(f"`{name}`" for name in self._edge_attributes) or "none"
            raise InputError(f"no edge has an attribute `{attribute}`; there are: {known}.", path=self._path)
        row = next((row for row, value in enumerate(values) if value is None or value == ""), None)
        if row is not None:
            ends = " and ".join(repr(column[row]) for column in self._ends)
            problem = f"the edge between {ends} has no attribute `{attribute}`; add it, or leave out --{kind}."
            raise InputError(problem, path=self._path)
        texts = pa.chunked_array([pa.array([str(value) for value in values], pa.string())])
        if kind == "type":
            return texts.combine_chunks()
        try:
            return to_numbers(kind, texts) if values else np.empty(0)
        except ValueError as error:
            problem = bad_value(kind, f"`{attribute}`").replace("column", "attribute")
            raise InputError(f"{problem}; fix it.", path=self._path) from error
