"""Numbers of nodes by their distances to the two ends of a pair."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs

_SMALLEST = 32  # pairs; for fewer, starting another thread does not pay
_UNLIMITED = 2**31 - 1


def distance_counts(
    rowptr: IntArray, col: IntArray, pairs: Pairs, hops: int, max_degree: int | None = None
) -> IntArray:
    """``out[i, a, b]``: the number of nodes at distance a from p and b from q, for (p, q) = pairs[i] without its edge.

    Index 0 stands for every distance above ``hops``, so ``out[i, a, 0]`` counts the nodes at distance a from p that are
    far from q; the ends and the nodes that are far from both are not counted. An edge between p and q is not walked on.

    Paths do not pass nodes with more than ``max_degree`` neighbours, which bounds the search around hubs: with two hops
    it takes at most that many steps for every neighbour of an end. Without such nodes the counts are exact. Successive
    pairs with the same first node share its search. Memory: the output and twenty bytes per node and thread.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row; every edge in both directions.
        pairs: Node pairs.
        hops: Largest distance that is distinguished, at least 1.
        max_degree: Largest number of neighbours of the inner nodes of a path; None for no limit.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs, hops + 1, hops + 1)``, int64
    """
    fixed = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    out = np.zeros((len(fixed), hops + 1, hops + 1), dtype=np.int64)
    limit = _UNLIMITED if max_degree is None else max_degree
    run_ranges(lambda a, b: _count(rowptr, col, fixed, hops, limit, out, a, b), len(fixed), smallest=_SMALLEST)
    return out


@kernel
def _count(rowptr, col, pairs, hops, max_degree, out, start, stop):
    num_nodes = len(rowptr) - 1
    from_p, from_q = np.zeros(num_nodes, dtype=np.int32), np.zeros(num_nodes, dtype=np.int32)
    near_p, near_q = np.empty(num_nodes, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    known, size = -1, 0  # the node whose search with all of its edges is in from_p
    for i in range(start, stop):
        p, q = pairs[i, 0], pairs[i, 1]
        is_edge = _is_edge(rowptr, col, p, q)
        if is_edge or p != known:
            _forget(near_p, size, from_p)
            size = _search(rowptr, col, p, q, hops, max_degree, from_p, near_p)
            known = -1 if is_edge else p
        other = _search(rowptr, col, q, p, hops, max_degree, from_q, near_q)
        for k in range(1, size):
            u = near_p[k]
            if u != q:
                out[i, from_p[u], from_q[u]] += 1
        for k in range(1, other):
            u = near_q[k]
            if u != p and from_p[u] == 0:
                out[i, 0, from_q[u]] += 1
        _forget(near_q, other, from_q)


@kernel
def _is_edge(rowptr, col, p, q):
    row = col[rowptr[p] : rowptr[p + 1]]
    place = np.searchsorted(row, q)
    return place < len(row) and row[place] == q


@kernel
def _search(rowptr, col, source, other, hops, max_degree, distance, queue):
    """Writes the distances of the nodes within ``hops``, the source first; the edge to ``other`` is not walked on.

    ``distance`` is 0 at every node before, and stays 0 at those that are not found and at the source.
    """
    queue[0], size, low = source, 1, 0
    for d in range(1, hops + 1):
        high = size
        for k in range(low, high):
            v = queue[k]
            if d > 1 and rowptr[v + 1] - rowptr[v] > max_degree:
                continue
            for e in range(rowptr[v], rowptr[v + 1]):
                u = col[e]
                if distance[u] == 0 and u != source and (d > 1 or u != other):
                    distance[u] = d
                    queue[size] = u
                    size += 1
        low = high
    return size


@kernel
def _forget(queue, size, distance):
    for k in range(size):
        distance[queue[k]] = 0
