"""The arrays of a graph, and what can be read from them: counts, degrees, edges, non-edges."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from linkwl.graph import csr, edge_columns
from linkwl.graph.attributes import Attributes
from linkwl.graph.digest import update_with_columns, update_with_features
from linkwl.graph.edge_columns import Times
from linkwl.graph.features import Features, seal_features
from linkwl.graph.intake import Intake
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.queries import check_nodes, checked_pairs
from linkwl.records import GraphRecord
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs


@dataclass(frozen=True, eq=False, repr=False)
class CompressedRows:
    """Neighbours in compressed rows, with names, features and columns of nodes and edges; see :class:`linkwl.Graph`."""

    rowptr: IntArray
    """Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``; int64, shape ``(num_nodes + 1,)``."""
    col: IntArray
    """Neighbours, ascending within each row; int32."""
    ids: NodeIds
    is_directed: bool = False
    features: Features | None = None
    name: str = "graph"
    intake: Intake | None = None
    """How the graph was read from its source, if it was."""
    weight: FloatArray | None = None
    """The weight of each entry of ``col``, the same at both entries of an undirected edge; float32 or float64."""
    time: Times | None = None
    """The time of each entry of ``col``, the same at both entries of an undirected edge; int64 or float64."""
    part: IntArray | None = None
    """The side of each node of a bipartite graph, 0 or 1; int8. Only pairs across the sides can be edges."""
    attributes: Attributes | None = None
    """What is known about nodes and pairs besides the matrix of features, such as coordinates."""

    def __post_init__(self) -> None:
        for array in (self.rowptr, self.col, self.weight, self.time, self.part):
            if array is not None:
                array.setflags(write=False)
        if len(self.ids) != self.num_nodes:
            raise ValueError(f"`ids` must have one name per node ({self.num_nodes}), got {len(self.ids)}.")
        seal_features(self.features, self.num_nodes)
        if self.attributes is not None:
            self.attributes.check(self.num_nodes)
        edge_columns.check(self.rowptr, self.col, self.weight, self.time, self.part)

    @property
    def num_nodes(self) -> int:
        """Number of nodes, including isolated ones."""
        return len(self.rowptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of distinct edges; an undirected edge counts once."""
        return len(self.col) if self.is_directed else len(self.col) // 2

    @property
    def num_pairs(self) -> int:
        """Number of node pairs that could be edges: unordered, or ordered in a directed graph; never (v, v).

        In a bipartite graph only pairs across the sides are counted.
        """
        ordered = self.num_nodes * (self.num_nodes - 1)
        if self.part is not None:
            right = int(self.part.sum())
            ordered = 2 * right * (self.num_nodes - right)
        return ordered if self.is_directed else ordered // 2

    @property
    def density(self) -> float:
        """The share of node pairs that are edges."""
        return self.num_edges / max(self.num_pairs, 1)

    @property
    def num_non_edges(self) -> int:
        """Number of node pairs that are not edges."""
        return self.num_pairs - self.num_edges

    @property
    def num_features(self) -> int:
        """Width of the feature rows; 0 without features."""
        return 0 if self.features is None else int(self.features.shape[1])

    @cached_property
    def degree(self) -> IntArray:
        """Neighbours per node (out-neighbours in a directed graph); int64."""
        degree = np.diff(self.rowptr)
        degree.setflags(write=False)
        return degree

    @cached_property
    def relative_weight(self) -> FloatArray | None:
        """The weight of each entry of ``col`` in units of the mean weight; None without weights; float64.

        What is computed from these does not depend on the unit of the weights, and equal weights are weights of 1.
        """
        if self.weight is None:
            return None
        weight = self.weight.astype(np.float64)
        return weight / weight.mean() if len(weight) else weight

    @cached_property
    def strength(self) -> FloatArray:
        """The sum of the relative weights in each node's row; its degree without weights; float64."""
        if self.relative_weight is None:
            return self.degree.astype(np.float64)
        row = np.repeat(np.arange(self.num_nodes), self.degree)
        return np.bincount(row, self.relative_weight, self.num_nodes).astype(np.float64)

    @cached_property
    def edges(self) -> Pairs:
        """The distinct edges in ascending order, undirected ones with p < q; int32, shape ``(num_edges, 2)``."""
        if self.is_directed:
            rows = np.repeat(np.arange(self.num_nodes, dtype=np.int32), self.degree)
            edges = np.stack([rows, self.col], axis=1)
        else:
            edges = csr.upper_pairs(self.rowptr, self.col)
        edges.setflags(write=False)
        return edges

    @property
    def edge_weight(self) -> FloatArray | None:
        """The weight of each of :attr:`edges`, if there are weights."""
        return None if self.weight is None else self._at_edges(self.weight)

    @property
    def edge_time(self) -> Times | None:
        """The time of each of :attr:`edges`, if there are times."""
        return None if self.time is None else self._at_edges(self.time)

    def _at_edges(self, values: Any) -> Any:
        return values if self.is_directed else values[csr.is_upper(self.rowptr, self.col)]

    def neighbours(self, node: int) -> IntArray:
        """The neighbours of ``node``, ascending (out-neighbours in a directed graph)."""
        return self.col[self.rowptr[node] : self.rowptr[node + 1]]

    def has_edges(self, pairs: Pairs) -> BoolArray:
        """Whether each pair is an edge; in an undirected graph, in either order."""
        return csr.contains(self.rowptr, self.col, self.check_pairs(pairs))

    def check_pairs(self, pairs: Pairs) -> Pairs:
        """Checks that the pairs are nodes of this graph; returns them as int32, shape ``(num_pairs, 2)``.

        Raises:
            ValueError: If they have another shape, are not integers, or name nodes that do not exist.
        """
        return check_nodes(checked_pairs(pairs), self.num_nodes)

    def non_edges(self, ranks: IntArray) -> Pairs:
        """The pairs that are not edges, at the given ascending ranks of their ascending order.

        Undirected pairs have p < q; pairs (v, v) and pairs within a side of a bipartite graph are excluded. Every
        non-edge has one rank below :attr:`num_non_edges`, so uniform ranks give uniform non-edges, however dense the
        graph. Linear in edges and ranks.
        """
        ranks = np.asarray(ranks, dtype=np.int64)
        if len(ranks) and not (ranks[0] >= 0 and ranks[-1] < self.num_non_edges and (ranks[1:] >= ranks[:-1]).all()):
            raise ValueError(f"`ranks` must ascend within 0 .. {self.num_non_edges - 1}.")
        if self.part is not None:
            return csr.non_edges_across(self.rowptr, self.col, ranks, self.is_directed, self.part)
        return csr.non_edges(self.rowptr, self.col, ranks, self.is_directed)

    def to_scipy(self, *, weighted: bool = False) -> sp.csr_array:
        """The 0/1 adjacency matrix, float64; or with :attr:`relative_weight` as entries, if there are weights."""
        shape = (self.num_nodes, self.num_nodes)
        values = np.ones(len(self.col))
        if weighted and self.relative_weight is not None:
            values[:] = self.relative_weight
        return sp.csr_array((values, self.col.astype(np.int64), self.rowptr), shape=shape)

    @property
    def record(self) -> GraphRecord:
        """The graph's entry in a record."""
        return GraphRecord(self.name, self.num_nodes, self.num_edges, self.digest)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of nodes, names, edges, features and columns; the graph's name and intake do not count."""
        digest = hashlib.sha256(f"linkwl graph 1 {self.num_nodes} {self.is_directed} ".encode())
        self.ids.update_digest(digest)
        digest.update(self.rowptr.data)
        digest.update(self.col.data)
        update_with_features(digest, self.features)
        update_with_columns(digest, weight=self.weight, time=self.time, part=self.part)
        if self.attributes is not None:
            self.attributes.update_digest(digest)
        return digest.hexdigest()
