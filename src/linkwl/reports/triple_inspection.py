"""The basic figures of a knowledge graph."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from linkwl.graph import Intake, KnowledgeGraph, NodeIds
from linkwl.reports.inspection import describe_features, describe_ids
from linkwl.typing import IntArray

_SHOWN = 5


@dataclass(frozen=True)
class TripleInspection:
    """Size, shape and origin of a knowledge graph."""

    name: str
    entities: int
    relations: int
    triples: int
    ids: str
    features: str
    types: int
    """Number of types; 0 if none are known."""
    typed_entities: int
    largest_relations: dict[str, int]
    """Number of triples of the relations with the most."""
    functional: dict[str, list[str]]
    """The relations with one tail for each head, ``one_tail``, and those with one head for each tail, ``one_head``."""
    functional_text: str
    """The same in words; empty without any."""
    largest_types: dict[str, int]
    loops: int
    """Triples whose head is their tail."""
    mean_degree: float
    max_degree: int
    isolated_entities: int
    components: int
    largest_component: int
    intake: Intake | None
    digest: str

    def facts(self) -> dict[str, str]:
        """Names and values as text, including what was merged and ignored."""
        rows = {
            "graph": f"{self.name}, a knowledge graph",
            "entities": f"{self.entities:,} ({self.ids})",
            "relations": f"{self.relations:,}: {_counted(self.largest_relations, self.relations)}",
            **({"one value": self.functional_text} if self.functional_text else {}),
            "triples": f"{self.triples:,}, {self.loops:,} of them from an entity to itself",
            "types": "none",
            "attributes": self.features,
            "degree": f"mean {self.mean_degree:.2f}, largest {self.max_degree:,} (triples of an entity)",
            "isolated entities": f"{self.isolated_entities:,}",
            "components": f"{self.components:,}, the largest with {self.largest_component:,} entities",
        }
        if self.types:
            rows["types"] = (
                f"{self.types:,} of {self.typed_entities:,} entities: {_counted(self.largest_types, self.types)}"
            )
        if self.intake is not None:
            rows["read"] = "; ".join([f"{self.intake.rows:,} rows of {self.intake.form}", *self.intake.notes])
            rows["merged"] = f"{self.intake.duplicates:,} repeated rows"
        return rows | {"digest": self.digest}

    def to_json(self) -> dict[str, Any]:
        """The figures as plain values for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "functional_text"}


def inspect_knowledge_graph(graph: KnowledgeGraph) -> TripleInspection:
    """Computes the figures of a knowledge graph, in time of sorting its triples."""
    degree = np.diff(graph.incidence.ptr)
    num_components, component = connected_components(graph.links.to_scipy(), directed=False)
    types = graph.types
    return TripleInspection(
        name=graph.name,
        entities=graph.num_nodes,
        relations=graph.num_relations,
        triples=graph.num_facts,
        ids=describe_ids(graph.ids),
        features=describe_features(graph.features),
        types=0 if types is None else len(types.names),
        typed_entities=0 if types is None else types.num_typed,
        largest_relations=_largest(np.bincount(graph.triples[:, 1], minlength=graph.num_relations), graph.relations),
        functional=graph.functional.to_json(),
        functional_text=graph.functional.to_text(),
        largest_types={} if types is None else _largest(types.counts, types.names),
        loops=int(np.count_nonzero(graph.triples[:, 0] == graph.triples[:, 2])),
        mean_degree=float(degree.mean()) if len(degree) else 0.0,
        max_degree=int(degree.max(initial=0)),
        isolated_entities=int(np.count_nonzero(degree == 0)),
        components=int(num_components),
        largest_component=int(np.bincount(component).max(initial=0)),
        intake=graph.intake,
        digest=graph.digest,
    )


def _largest(counts: IntArray, names: NodeIds) -> dict[str, int]:
    """The largest counts by name; among equal ones the first names."""
    return {str(names[int(k)]): int(counts[k]) for k in np.argsort(-counts, kind="stable")[:_SHOWN]}


def _counted(counts: dict[str, int], total: int) -> str:
    shown = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return f"{shown}, ..." if len(counts) < total else shown
