"""The basic figures of a graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from linkwl.graph import Features, Graph, Intake, NodeIds
from linkwl.graph.attributes import Attributes


@dataclass(frozen=True)
class Inspection:
    """Size, shape and origin of a graph."""

    name: str
    nodes: int
    edges: int
    is_directed: bool
    ids: str
    sides: tuple[int, int] | None
    """Number of nodes on the left and on the right of a bipartite graph."""
    features: str
    attributes: str
    mean_degree: float
    """Of the outgoing edges, if the graph is directed."""
    max_degree: int
    max_in_degree: int | None
    """None if the graph is undirected."""
    isolated_nodes: int
    components: int
    largest_component: int
    intake: Intake | None
    digest: str

    def facts(self) -> dict[str, str]:
        """Names and values as text, including what was merged and dropped."""
        degree = f"mean {self.mean_degree:.2f}, largest {self.max_degree:,}"
        if self.max_in_degree is not None:
            most = f"at most {self.max_degree:,} out, {self.max_in_degree:,} in"
            degree = f"{self.mean_degree:.2f} out and in on average, {most}"
        rows = {
            "graph": self.name,
            "nodes": f"{self.nodes:,} ({self.ids})",
            "edges": f"{self.edges:,} {'directed' if self.is_directed else 'undirected'}",
            "features": self.features,
            **({"attributes": self.attributes} if self.attributes else {}),
            "degree": degree,
            "isolated nodes": f"{self.isolated_nodes:,}",
            "components": f"{self.components:,}, the largest with {self.largest_component:,} nodes",
        }
        if self.sides is not None:
            rows["nodes"] += "; {:,} on the left, {:,} on the right".format(*self.sides)
        if self.intake is not None:
            intake = self.intake
            rows["read"] = "; ".join([f"{intake.rows:,} rows of {intake.form}", *intake.notes])
            rows["dropped"] = f"{intake.self_loops:,} self-loops (their nodes stay)"
            rows["merged"] = (
                f"{intake.duplicates:,} repeated rows, {intake.reversed_duplicates:,} edges listed both ways"
            )
        return rows | {"digest": self.digest}

    def to_json(self) -> dict[str, Any]:
        """The figures as plain values for JSON."""
        return asdict(self)


def inspect_graph(graph: Graph) -> Inspection:
    """Computes the figures of a graph, in time linear in its edges."""
    num_components, component = connected_components(graph.to_scipy(), directed=graph.is_directed, connection="weak")
    in_degree = np.bincount(graph.col, minlength=graph.num_nodes) if graph.is_directed else graph.degree
    return Inspection(
        name=graph.name,
        nodes=graph.num_nodes,
        edges=graph.num_edges,
        is_directed=graph.is_directed,
        ids=describe_ids(graph.ids),
        sides=None if graph.part is None else (int((graph.part == 0).sum()), int(graph.part.sum())),
        features=describe_features(graph.features),
        attributes=describe_attributes(graph.attributes),
        mean_degree=len(graph.col) / max(graph.num_nodes, 1),
        max_degree=int(graph.degree.max(initial=0)),
        max_in_degree=int(in_degree.max(initial=0)) if graph.is_directed else None,
        isolated_nodes=int(np.count_nonzero(graph.degree + in_degree == 0)),
        components=int(num_components),
        largest_component=int(np.bincount(component).max(initial=0)),
        intake=graph.intake,
        digest=graph.digest,
    )


def describe_ids(ids: NodeIds) -> str:
    """The names of nodes in words: numbers or texts, and the first and last."""
    if ids.is_range:
        return f"numbered 0 to {len(ids) - 1}"
    kind = "numbers" if ids.are_numbers else "names"
    return f"{kind} from {ids[0]} to {ids[len(ids) - 1]}"


def describe_attributes(attributes: Attributes | None) -> str:
    """What attributes say about pairs, in words; empty without any."""
    if attributes is None:
        return ""
    parts = [f"numbers {_listed(column.name for column in attributes.compared)}"] if attributes.compared else []
    if attributes.categories:
        parts.append(f"categories {_listed(f'{c.name} ({len(c.levels):,})' for c in attributes.categories)}")
    if attributes.positions is not None:
        count = int(np.count_nonzero(attributes.positions.is_known))
        parts.append(
            f"places {'on a map' if attributes.positions.metric == 'map' else 'in a plane'} of {count:,} nodes"
        )
    if attributes.pairs is not None:
        parts.append(f"{_listed(attributes.pairs.names)} of {len(attributes.pairs.pairs):,} pairs")
    return "; ".join(parts)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def describe_features(features: Features | None) -> str:
    """Width and kind of node features in words."""
    if features is None:
        return "none"
    if isinstance(features, np.ndarray):
        return f"{features.shape[1]:,} per node"
    return f"{features.shape[1]:,} per node, sparse, {features.nnz:,} values"
