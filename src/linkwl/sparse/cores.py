"""Core numbers of nodes."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.typing import IntArray


def core_numbers(rowptr: IntArray, col: IntArray) -> IntArray:
    """The largest k for which each node is in the k-core, the largest subgraph with degrees of at least k.

    Nodes are removed in the order of their degrees among the rest, kept sorted in buckets: O(n + m).

    Reference: Batagelj and Zaversnik, An O(m) algorithm for cores decomposition of networks, 2003, arXiv:cs/0310049.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; every edge in both directions.

    Shape:
        - output: ``(num_nodes,)``
    """
    return _cores(rowptr, col)


@kernel
def _cores(rowptr, col):
    num_nodes = len(rowptr) - 1
    degree = np.diff(rowptr)  # among the nodes that are left
    first = np.zeros(num_nodes + 1, dtype=np.int64)  # where each degree starts in `order`
    for v in range(num_nodes):
        first[degree[v] + 1] += 1
    first = np.cumsum(first)
    place, order = np.empty(num_nodes, dtype=np.int64), np.empty(num_nodes, dtype=np.int64)
    cursor = first.copy()
    for v in range(num_nodes):
        place[v] = cursor[degree[v]]
        order[place[v]] = v
        cursor[degree[v]] += 1
    for i in range(num_nodes):
        v = order[i]
        for k in range(rowptr[v], rowptr[v + 1]):
            u = col[k]
            if degree[u] > degree[v]:
                # Exchange u with the first node of its degree, which then belongs to the degree below.
                front = first[degree[u]]
                w = order[front]
                order[front], order[place[u]] = u, w
                place[w], place[u] = place[u], front
                first[degree[u]] += 1
                degree[u] -= 1
    return degree
