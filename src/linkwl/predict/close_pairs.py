"""Pairs that are close on a map, which are candidates although no short path joins them."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.ranges import range_entries
from linkwl.sparse.hops import are_joined
from linkwl.typing import BoolArray, IntArray, Pairs


class ClosePairs:
    """The pairs of which one end is among the nearest of the other; none in a graph without places.

    Args:
        graph: The graph; its directions do not matter.
        hops: Pairs joined by a path of at most this many edges are left out, because they are candidates anyway.
    """

    def __init__(self, graph: Graph, hops: int) -> None:
        self._links, self._hops = graph.links, hops
        places = None if graph.attributes is None else graph.attributes.positions
        near = np.full((graph.num_nodes, 0), -1) if places is None else places.nearest.nodes
        node, place = np.nonzero(near >= 0)
        self._close = Graph.from_pairs(np.stack([node, near[node, place]], axis=1), graph.num_nodes)

    def of(self, nodes: IntArray, *, in_both_orders: bool = False) -> Pairs:
        """The pairs (p, q), p < q, or all with ``in_both_orders``, for the nodes as p; without edges."""
        close, links = self._close, self._links
        owner, entry = range_entries(close.rowptr[nodes], close.rowptr[nodes + 1])
        pairs = np.stack([nodes[owner], close.col[entry]], axis=1).astype(np.int32)
        pairs = pairs if in_both_orders else pairs[pairs[:, 0] < pairs[:, 1]]
        pairs = pairs[~links.has_edges(pairs)]
        if len(pairs) == 0:
            return pairs
        return pairs[~are_joined(links.rowptr, links.col, pairs, self._hops)]

    def contains(self, pairs: Pairs) -> BoolArray:
        """Whether each pair is close."""
        return self._close.has_edges(pairs)
