"""The graph that every other part reads."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from linkwl.graph import csr
from linkwl.graph.features import Features, checked_features
from linkwl.graph.intake import Intake
from linkwl.graph.node_ids import NodeIds
from linkwl.records import GraphRecord
from linkwl.threads import run_all
from linkwl.typing import BoolArray, IntArray, Pairs


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An immutable simple graph: neighbours in compressed rows, names and features beside them.

    Build one with :meth:`from_pairs`, or from a file or another library's object with :func:`linkwl.load_graph`. An
    undirected edge stands in both of its rows and counts once; a directed one stands in the row of its source. Rows are
    sorted, without loops and without copies.

    Example:
        >>> graph = Graph.from_pairs([(0, 1), (1, 2), (2, 1), (2, 2)], num_nodes=4)
        >>> graph
        Graph('graph', 4 nodes, 2 edges)
        >>> graph.edges.tolist(), graph.degree.tolist()
        ([[0, 1], [1, 2]], [1, 2, 1, 0])
    """

    rowptr: IntArray
    """Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``; int64, shape ``(num_nodes + 1,)``."""
    col: IntArray
    """Neighbours, ascending within each row; int32."""
    ids: NodeIds
    is_directed: bool = False
    features: Features | None = None
    name: str = "graph"
    intake: Intake | None = None
    """How the graph came about, where it was read from a source."""

    def __post_init__(self) -> None:
        arrays: list[NDArray[Any]] = [self.rowptr, self.col]
        if isinstance(self.features, np.ndarray):
            arrays.append(self.features)
        elif self.features is not None:
            arrays += [self.features.data, self.features.indices, self.features.indptr]
        for array in arrays:
            array.setflags(write=False)
        if len(self.ids) != self.num_nodes:
            raise ValueError(f"`ids` must have one name per node ({self.num_nodes}), got {len(self.ids)}.")
        if self.features is not None and self.features.shape[0] != self.num_nodes:
            raise ValueError(
                f"`features` must have one row per node ({self.num_nodes}), got {self.features.shape[0]} rows."
            )

    @classmethod
    def from_pairs(
        cls,
        pairs: Pairs | list[tuple[int, int]],
        num_nodes: int,
        *,
        ids: NodeIds | None = None,
        is_directed: bool = False,
        **fields: Any,
    ) -> Graph:
        """A graph from node pairs by index; loops, copies and (undirected) reversed copies are merged.

        Args:
            pairs: Node indices, shape ``(num_rows, 2)``.
            num_nodes: How many nodes there are, isolated ones included.
            ids: The nodes' names; 0 .. n-1 if left out.
            is_directed: Whether (p, q) and (q, p) are two edges.
            fields: ``features``, ``name``.
        """
        array = _checked_pairs(pairs)
        return cls.from_columns(array[:, 0], array[:, 1], num_nodes, ids=ids, is_directed=is_directed, **fields)

    @classmethod
    def from_columns(
        cls,
        source: IntArray,
        target: IntArray,
        num_nodes: int,
        *,
        ids: NodeIds | None = None,
        is_directed: bool = False,
        form: str = "pairs",
        notes: tuple[str, ...] = (),
        features: Features | None = None,
        name: str = "graph",
    ) -> Graph:
        """As :meth:`from_pairs`, from two columns of node indices; `form` and `notes` go into the intake."""
        if num_nodes > csr.MAX_NODES:
            raise ValueError(f"`num_nodes` must be at most {csr.MAX_NODES}, got {num_nodes}.")
        if source.dtype.kind not in "iu" or target.dtype.kind not in "iu" or len(source) != len(target):
            raise ValueError(
                f"node indices must be two equally long columns of whole numbers, got {len(source)} of {source.dtype} "
                f"and {len(target)} of {target.dtype}."
            )
        if len(source) and not 0 <= min(source.min(), target.min()) <= max(source.max(), target.max()) < num_nodes:
            raise ValueError(f"node indices must lie in 0 .. {num_nodes - 1}; give names by `ids`.")
        source, target = _native(source), _native(target)
        rowptr, col, loops, both = csr.compressed_rows(source, target, int(num_nodes), is_directed)
        num_edges = len(col) if is_directed else len(col) // 2
        intake = Intake(
            form=form,
            rows=len(source),
            self_loops=loops,
            duplicates=len(source) - loops - num_edges - both,
            reversed_duplicates=both,
            notes=notes,
        )
        return cls(rowptr, col, NodeIds(int(num_nodes)) if ids is None else ids, is_directed, features, name, intake)

    @property
    def num_nodes(self) -> int:
        """Number of nodes, isolated ones included."""
        return len(self.rowptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of distinct edges; an undirected edge counts once."""
        return len(self.col) if self.is_directed else len(self.col) // 2

    @property
    def num_pairs(self) -> int:
        """Number of node pairs that could be edges: unordered, or ordered in a directed graph; never (v, v)."""
        ordered = self.num_nodes * (self.num_nodes - 1)
        return ordered if self.is_directed else ordered // 2

    @property
    def density(self) -> float:
        """The share of node pairs that are edges."""
        return self.num_edges / max(self.num_pairs, 1)

    @property
    def num_non_edges(self) -> int:
        """Number of node pairs that are no edges."""
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
    def edges(self) -> Pairs:
        """The distinct edges in ascending order, undirected ones with p < q; int32, shape ``(num_edges, 2)``."""
        if self.is_directed:
            rows = np.repeat(np.arange(self.num_nodes, dtype=np.int32), self.degree)
            edges = np.stack([rows, self.col], axis=1)
        else:
            edges = csr.upper_pairs(self.rowptr, self.col)
        edges.setflags(write=False)
        return edges

    def neighbours(self, node: int) -> IntArray:
        """The neighbours of ``node``, ascending (out-neighbours in a directed graph)."""
        return self.col[self.rowptr[node] : self.rowptr[node + 1]]

    def has_edges(self, pairs: Pairs) -> BoolArray:
        """Whether each pair is an edge; either way round in an undirected graph."""
        return csr.contains(self.rowptr, self.col, self.check_pairs(pairs))

    def check_pairs(self, pairs: Pairs) -> Pairs:
        """The pairs as int32, shape ``(num_pairs, 2)``, once they are known to be nodes of this graph.

        Raises:
            ValueError: If they have another shape, are no whole numbers, or name nodes that do not exist.
        """
        array = _checked_pairs(pairs)
        if len(array) and not 0 <= array.min() <= array.max() < self.num_nodes:
            raise ValueError(
                f"`pairs` must name nodes 0 .. {self.num_nodes - 1} of the graph, got {array.min()} .. {array.max()}."
            )
        return np.ascontiguousarray(array, dtype=np.int32)

    def non_edges(self, ranks: IntArray) -> Pairs:
        """The pairs that are no edges, at the given ascending places of their ascending order.

        Undirected pairs have p < q; a pair (v, v) is none. Every non-edge has one rank below :attr:`num_non_edges`, so
        uniform ranks give uniform non-edges, however dense the graph. Linear in edges and ranks.
        """
        ranks = np.asarray(ranks, dtype=np.int64)
        if len(ranks) and not (ranks[0] >= 0 and ranks[-1] < self.num_non_edges and (ranks[1:] >= ranks[:-1]).all()):
            raise ValueError(f"`ranks` must ascend within 0 .. {self.num_non_edges - 1}.")
        return csr.non_edges(self.rowptr, self.col, ranks, self.is_directed)

    def select(self, keep: BoolArray) -> Graph:
        """The same nodes with only the edges ``edges[keep]``."""
        if keep.dtype != np.bool_ or keep.shape != (self.num_edges,):
            raise ValueError(f"`keep` must hold one flag per edge ({self.num_edges}), got {keep.dtype} {keep.shape}.")
        return self.subgraphs(keep.view(np.int8), [(1,)])[0]

    def subgraphs(self, label: IntArray, groups: Sequence[Collection[int]]) -> list[Graph]:
        """The same nodes, for each group with only the edges whose label is in it.

        Args:
            label: A small whole number, from 0, for every edge.
            groups: Labels to keep, for each of the graphs.
        """
        label_of_entry = label if self.is_directed else csr.labels_of_entries(self.rowptr, self.col, label)

        def build(group: Collection[int]) -> Graph:
            is_kept = np.isin(np.arange(int(label.max(initial=0)) + 1), list(group))
            rowptr, col = csr.filter_rows(self.rowptr, self.col, label_of_entry, is_kept)
            return replace(self, rowptr=rowptr, col=col, intake=None)

        return run_all(build, groups)

    def without(self, pairs: Pairs) -> Graph:
        """The same nodes without the given edges, named either way round; pairs that are no edges change nothing."""
        drop = Graph.from_pairs(pairs, self.num_nodes, is_directed=self.is_directed)
        return self.select(~drop.has_edges(self.edges))

    def to_undirected(self) -> Graph:
        """The graph with directions forgotten; itself if it had none."""
        if not self.is_directed:
            return self
        return Graph.from_pairs(
            self.edges, self.num_nodes, ids=self.ids, form="directed graph", features=self.features, name=self.name
        )

    def to_scipy(self) -> sp.csr_array:
        """The 0/1 adjacency matrix, float64."""
        shape = (self.num_nodes, self.num_nodes)
        return sp.csr_array((np.ones(len(self.col)), self.col.astype(np.int64), self.rowptr), shape=shape)

    def with_features(self, features: Features | None) -> Graph:
        """The same graph with a copy of these node features."""
        return replace(self, features=None if features is None else checked_features(features))

    @property
    def record(self) -> GraphRecord:
        """What a record says of the graph."""
        return GraphRecord(self.name, self.num_nodes, self.num_edges, self.digest)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of nodes, names, edges and features; the name of the graph and its history do not count."""
        digest = hashlib.sha256(f"linkwl graph 1 {self.num_nodes} {self.is_directed} ".encode())
        self.ids.update_digest(digest)
        digest.update(self.rowptr.data)
        digest.update(self.col.data)
        if isinstance(self.features, np.ndarray):
            digest.update(f"dense {self.features.shape}".encode())
            digest.update(np.ascontiguousarray(self.features).data)
        elif self.features is not None:
            digest.update(f"sparse {self.features.shape}".encode())
            for part in (self.features.indptr.astype(np.int64), self.features.indices.astype(np.int64)):
                digest.update(part.data)
            digest.update(np.ascontiguousarray(self.features.data).data)
        return digest.hexdigest()

    def __repr__(self) -> str:
        kind = "directed edges" if self.is_directed else "edges"
        extra = f", {self.num_features} features" if self.features is not None else ""
        return f"Graph({self.name!r}, {self.num_nodes} nodes, {self.num_edges} {kind}{extra})"


def _checked_pairs(pairs: Pairs | list[tuple[int, int]]) -> Pairs:
    """Pairs of whole numbers, as an array of shape ``(num_rows, 2)``."""
    array = np.asarray(pairs)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(
            f"`pairs` must have shape (num_pairs, 2), got {array.shape}; "
            "an edge index of shape (2, num_edges) can be passed as `edge_index.T`."
        )
    if array.dtype.kind not in "iu":
        raise ValueError(
            f"`pairs` must hold whole numbers, got {array.dtype}; find nodes by name with `graph.ids.indices(names)`."
        )
    return _native(array)


def _native(array: IntArray) -> IntArray:
    """The array in this machine's byte order, which is all that the kernels know."""
    return array.astype(array.dtype.newbyteorder("="), copy=False)
