"""The graph of nodes and edges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from linkwl.frames import to_frame
from linkwl.graph import csr, edge_columns
from linkwl.graph.attributes import Attributes
from linkwl.graph.derived_graphs import DerivedGraphs
from linkwl.graph.edge_columns import Merge, Times
from linkwl.graph.features import Features
from linkwl.graph.graph_view import edge_table, graph_html
from linkwl.graph.intake import Intake
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.queries import checked_pairs, native
from linkwl.graph.sided_ids import SidedIds
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs, Task


@dataclass(frozen=True, eq=False, repr=False)
class Graph(DerivedGraphs):
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
        >>> graph.contains([(2, 1), (0, 3)]).tolist(), graph.neighbours(1).tolist()
        ([True, False], [0, 2])
        >>> graph.with_([(0, 3)]), graph.without([(0, 1)])  # new graphs; a graph never changes
        (Graph('graph', 4 nodes, 3 edges), Graph('graph', 4 nodes, 1 edges))
        >>> graph.to_scipy().toarray().sum()
        np.float64(4.0)
    """

    task: ClassVar[Task] = "pairs"

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

    def to_undirected(self) -> Graph:
        """The graph without directions; the graph itself if it is undirected."""
        return self.links

    def __repr__(self) -> str:
        kind = "directed edges" if self.is_directed else "edges"
        extra = f", {self.num_features} features" if self.features is not None else ""
        columns = {", weights": self.weight, ", times": self.time, ", two sides": self.part}
        if self.attributes is not None and self.attributes.positions is not None:
            extra += ", coordinates"
        extra += "".join(words for words, values in columns.items() if values is not None)
        return f"Graph({self.name!r}, {self.num_nodes} nodes, {self.num_edges} {kind}{extra})"

    def to_arrow(self) -> pa.Table:
        """The edges by name: ``source`` and ``target``, and ``weight`` and ``time`` if there are any."""
        return edge_table(self)

    def to_pandas(self) -> Any:
        """The table of :meth:`to_arrow` as a pandas data frame; needs pandas."""
        return to_frame(self.to_arrow())

    def _repr_html_(self) -> str:
        return graph_html(self)
