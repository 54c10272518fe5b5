"""A graph whose absent pairs are those among some of its nodes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from linkwl.graph.graph import Graph
from linkwl.typing import IntArray, Pairs


@dataclass(frozen=True, eq=False, repr=False)
class _GraphAmong(Graph):
    """The same graph, except that only pairs of some nodes can be absent; made by :func:`among_nodes`."""

    nodes: IntArray | None = None
    """These nodes, ascending; None for all."""

    @property
    def num_absent(self) -> int:
        """Number of pairs of these nodes that are not edges."""
        return self._inner.num_non_edges

    def absent(self, ranks: IntArray) -> Pairs:
        """The pairs of these nodes that are not edges, at the given ascending ranks of their ascending order."""
        pairs = self._inner.non_edges(ranks)
        return pairs if self.nodes is None else self.nodes[pairs].astype(np.int32)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the graph and of these nodes."""
        digest = hashlib.sha256(super().digest.encode())
        digest.update(b"" if self.nodes is None else self.nodes.astype(np.int64).data)
        return digest.hexdigest()

    @cached_property
    def _inner(self) -> Graph:
        """The graph of these nodes alone, numbered in their order."""
        if self.nodes is None:
            return self
        place = np.full(self.num_nodes, -1, dtype=np.int64)
        place[self.nodes] = np.arange(len(self.nodes))
        edges = place[self.edges]
        part = None if self.part is None else self.part[self.nodes]
        inner = edges[(edges >= 0).all(axis=1)]
        return Graph.from_pairs(inner, len(self.nodes), is_directed=self.is_directed, name=self.name, part=part)


def among_nodes(graph: Graph, nodes: IntArray) -> Graph:
    """The graph, with only the pairs of these nodes as absent ones: negatives are then drawn among them."""
    values = {field.name: getattr(graph, field.name) for field in fields(Graph)}
    return _GraphAmong(**values, nodes=np.unique(nodes))
