"""The graph of nodes and edges."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from linkwl.graph import csr, edge_columns
from linkwl.graph.attributes import Attributes
from linkwl.graph.digest import update_with_columns, update_with_features
from linkwl.graph.edge_columns import Merge, Times
from linkwl.graph.features import Features, checked_features, seal_features
from linkwl.graph.intake import Intake
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.queries import check_nodes, checked_pairs, native
from linkwl.graph.sided_ids import SidedIds
from linkwl.records import GraphRecord
from linkwl.threads import run_all
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs, Task


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """An immutable simple graph: neighbours in compressed rows, with node names and features.

    Build one with :meth:`from_pairs`, or from a file or another library's object with :func:`linkwl.load_graph`. An
    undirected edge is stored in both of its rows and counts once; a directed edge is stored in the row of its source.
    Rows are sorted, without loops and duplicates.

    Example:
        >>> graph = Graph.from_pairs([(0, 1), (1, 2), (2, 1), (2, 2)], num_nodes=4)
        >>> graph
        Graph('graph', 4 nodes, 2 edges)
        >>> graph.edges.tolist(), graph.degree.tolist()
        ([[0, 1], [1, 2]], [1, 2, 1, 0])
    """

    task: ClassVar[Task] = "pairs"

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
        """A graph from pairs of node indices; loops are dropped, duplicates and (undirected) reversed ones merged.

        Args:
            pairs: Node indices, shape ``(num_rows, 2)``.
            num_nodes: Number of nodes, including isolated ones.
            ids: The nodes' names; by default 0 .. n-1.
            is_directed: Whether (p, q) and (q, p) are two edges.
            fields: ``features``, ``attributes``, ``name``; ``weight`` and ``time``, one per row; ``merge``, how the
                weights of copies are merged: ``"sum"`` or ``"last"`` (of their times the earliest is kept); ``part``, 0
                or 1 per node.
        """
        array = checked_pairs(pairs)
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
        weight: FloatArray | None = None,
        time: Times | None = None,
        merge: Merge = "sum",
        part: IntArray | None = None,
        attributes: Attributes | None = None,
    ) -> Graph:
        """Like :meth:`from_pairs`, from two columns of node indices; `form` and `notes` go into the intake."""
        if num_nodes > csr.MAX_NODES:
            raise ValueError(f"`num_nodes` must be at most {csr.MAX_NODES}, got {num_nodes}.")
        if source.dtype.kind not in "iu" or target.dtype.kind not in "iu" or len(source) != len(target):
            raise ValueError(
                f"node indices must be two equally long columns of whole numbers, got {len(source)} of {source.dtype} "
                f"and {len(target)} of {target.dtype}."
            )
        if len(source) and not 0 <= min(source.min(), target.min()) <= max(source.max(), target.max()) < num_nodes:
            raise ValueError(f"node indices must lie in 0 .. {num_nodes - 1}; give names by `ids`.")
        source, target = native(source), native(target)
        rowptr, col, loops, both = csr.compressed_rows(source, target, int(num_nodes), is_directed)
        copies = len(source) - loops - (len(col) if is_directed else len(col) // 2)
        weight, time = edge_columns.merge(
            rowptr, col, source, target, is_directed, weight=weight, time=time, rule=merge
        )
        if copies:
            notes = (*notes, *edge_columns.merge_notes(weight, time, merge))
        return cls(
            rowptr,
            col,
            NodeIds(int(num_nodes)) if ids is None else ids,
            is_directed,
            features,
            name,
            Intake(form, len(source), loops, copies - both, both, notes),
            weight,
            time,
            None if part is None else edge_columns.as_parts(part),
            attributes,
        )

    @property
    def query_columns(self) -> dict[str, NodeIds]:
        """The two ends of a pair, with the node names of each; the sides of a bipartite graph may have their own."""
        if isinstance(self.ids, SidedIds):
            return {"source": self.ids.left, "target": self.ids.right}
        return {"source": self.ids, "target": self.ids}

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

    @property
    def num_facts(self) -> int:
        """Number of edges; see :class:`~linkwl.Observed`."""
        return self.num_edges

    @property
    def facts(self) -> Pairs:
        """The edges; see :class:`~linkwl.Observed`."""
        return self.edges

    @property
    def num_absent(self) -> int:
        """Number of non-edges; see :class:`~linkwl.Observed`."""
        return self.num_non_edges

    def absent(self, ranks: IntArray) -> Pairs:
        """The non-edges of these ranks; see :class:`~linkwl.Observed`."""
        return self.non_edges(ranks)

    def check_queries(self, queries: Pairs) -> Pairs:
        """Same as :meth:`check_pairs`; see :class:`~linkwl.Observed`."""
        return self.check_pairs(queries)

    def contains(self, queries: Pairs) -> BoolArray:
        """Same as :meth:`has_edges`; see :class:`~linkwl.Observed`."""
        return self.has_edges(queries)

    def select(self, keep: BoolArray) -> Graph:
        """The same nodes with only the edges ``edges[keep]``."""
        if keep.dtype != np.bool_ or keep.shape != (self.num_edges,):
            raise ValueError(f"`keep` must hold one flag per edge ({self.num_edges}), got {keep.dtype} {keep.shape}.")
        return self.subgraphs(keep.view(np.int8), [(1,)])[0]

    def subgraphs(self, label: IntArray, groups: Sequence[Collection[int]]) -> list[Graph]:
        """The same nodes, for each group with only the edges whose label is in it.

        Args:
            label: A small non-negative integer for every edge.
            groups: Labels to keep, for each of the graphs.
        """
        label_of_entry = label if self.is_directed else csr.labels_of_entries(self.rowptr, self.col, label)

        def build(group: Collection[int]) -> Graph:
            is_kept = np.isin(np.arange(int(label.max(initial=0)) + 1), list(group))
            return self._with_entries(label_of_entry, is_kept)

        return run_all(build, groups)

    def _with_entries(self, label: IntArray, is_kept: BoolArray) -> Graph:
        """The same nodes with only the entries whose label is kept; one label per entry."""
        rowptr, col = csr.filter_rows(self.rowptr, self.col, label, is_kept)
        weight, time = edge_columns.kept(self.weight, self.time, label, is_kept)
        return replace(self, rowptr=rowptr, col=col, intake=None, weight=weight, time=time)

    def without(self, queries: Pairs) -> Graph:
        """The same nodes without the given edges, in either order; pairs that are not edges change nothing."""
        return self.hider(queries)(np.arange(len(queries)))

    def hider(self, queries: Pairs) -> Callable[[IntArray], Graph]:
        """A function from positions in ``queries`` to the graph without those edges, as :meth:`without` does.

        The pairs are looked up once, no matter how often the function is called.
        """
        array = self.check_pairs(queries)
        ways = [array] if self.is_directed else [array, array[:, ::-1]]
        entries = np.stack([csr.find(self.rowptr, self.col, way) for way in ways], axis=1)

        def hide(places: IntArray) -> Graph:
            hidden = entries[places]
            is_hidden = np.zeros(len(self.col), dtype=np.int8)
            is_hidden[hidden[hidden >= 0]] = 1
            return self._with_entries(is_hidden, np.array([True, False]))

        return hide

    def cut(self, pairs: Pairs) -> Graph:
        """The same nodes without any edge between the two nodes of a pair, in either direction."""
        array = self.check_pairs(pairs)
        return self.without(np.concatenate([array, array[:, ::-1]]) if self.is_directed else array)

    def with_(self, queries: Pairs) -> Graph:
        """The same nodes with these additional edges; loops and existing edges change nothing.

        New edges have weight 1 and the latest time, if the graph has weights and times.
        """
        pairs = self.check_pairs(queries)
        pairs = pairs[~self.has_edges(pairs)]
        weight, time = edge_columns.extended(self.edge_weight, self.edge_time, len(pairs))
        union = Graph.from_pairs(
            np.concatenate([self.edges, pairs]),
            self.num_nodes,
            is_directed=self.is_directed,
            weight=weight,
            time=time,
            merge="last",
        )
        return replace(self, rowptr=union.rowptr, col=union.col, intake=None, weight=union.weight, time=union.time)

    def reserve(self, queries: Pairs) -> Graph:
        """Edges and queries together without names or features: the queries that negatives must avoid."""
        edges = np.concatenate([self.edges, self.check_pairs(queries)])
        return Graph.from_pairs(edges, self.num_nodes, is_directed=self.is_directed, name=self.name, part=self.part)

    @property
    def links(self) -> Graph:
        """The graph without directions; the graph itself if it is undirected."""
        return self._undirected if self.is_directed else self

    @cached_property
    def _undirected(self) -> Graph:
        return Graph.from_pairs(
            self.edges,
            self.num_nodes,
            ids=self.ids,
            form="directed graph",
            features=self.features,
            name=self.name,
            weight=self.edge_weight,
            time=self.edge_time,
            part=self.part,
            attributes=self.attributes,
        )

    @cached_property
    def reversed(self) -> Graph:
        """The graph with every edge turned round, so that rows hold in-neighbours; the graph itself if undirected."""
        if not self.is_directed:
            return self
        order = np.argsort(self.col, kind="stable")
        rowptr = np.concatenate([[0], np.cumsum(np.bincount(self.col, minlength=self.num_nodes))])
        turned = replace(
            self,
            rowptr=rowptr,
            col=self.edges[order, 0],
            intake=None,
            weight=None if self.weight is None else self.weight[order],
            time=None if self.time is None else self.time[order],
        )
        turned.__dict__["reversed"] = self
        return turned

    def to_undirected(self) -> Graph:
        """The graph without directions; the graph itself if it is undirected."""
        return self.links

    def to_scipy(self, *, weighted: bool = False) -> sp.csr_array:
        """The 0/1 adjacency matrix, float64; or with :attr:`relative_weight` as entries, if there are weights."""
        shape = (self.num_nodes, self.num_nodes)
        values = np.ones(len(self.col))
        if weighted and self.relative_weight is not None:
            values[:] = self.relative_weight
        return sp.csr_array((values, self.col.astype(np.int64), self.rowptr), shape=shape)

    def unweighted(self) -> Graph:
        """The same graph without weights; the graph itself if it has none."""
        return self if self.weight is None else replace(self, weight=None)

    def with_features(self, features: Features | None) -> Graph:
        """The same graph with a copy of these node features."""
        return replace(self, features=None if features is None else checked_features(features))

    def noted(self, *notes: str, intake: Intake | None = None) -> Graph:
        """The same graph with further notes in its intake, or in another one."""
        intake = self.intake if intake is None else intake
        return self if intake is None else replace(self, intake=intake.noted(*notes))

    def with_attributes(self, attributes: Attributes | None) -> Graph:
        """The same graph with these attributes, and with their matrix as features if they have one."""
        matrix = None if attributes is None else attributes.matrix()
        return replace(self, features=self.features if matrix is None else matrix, attributes=attributes)

    def with_columns_of(self, other: Graph) -> Graph:
        """The same graph with its attributes in the columns and on the scales of another graph's.

        A graph without attributes takes those of the nodes that both have; those of its other nodes are missing. If
        the other graph has none, they are left out.

        Raises:
            InputError: If a column is missing.
        """
        known, found = other.attributes, self.attributes
        if known is None:
            return self if found is None else replace(self, attributes=None)
        if found is None:
            rows = other.ids.find(self.ids.to_arrow())
            if rows.max(initial=-1) < 0:
                return self
            found = known.take(rows)
        return self.with_attributes(found.like(known))

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

    def __repr__(self) -> str:
        kind = "directed edges" if self.is_directed else "edges"
        extra = f", {self.num_features} features" if self.features is not None else ""
        columns = {", weights": self.weight, ", times": self.time, ", two sides": self.part}
        if self.attributes is not None and self.attributes.positions is not None:
            extra += ", coordinates"
        extra += "".join(words for words, values in columns.items() if values is not None)
        return f"Graph({self.name!r}, {self.num_nodes} nodes, {self.num_edges} {kind}{extra})"
