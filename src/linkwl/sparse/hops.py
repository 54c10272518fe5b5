"""Distances from a node, and pairs of nodes joined by short paths."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import BoolArray, IntArray, Pairs


def pairs_within(
    rowptr: IntArray,
    col: IntArray,
    nodes: IntArray,
    hops: int,
    most: int,
    *,
    with_edges: bool = False,
    in_both_orders: bool = False,
) -> tuple[Pairs, int]:
    """The non-adjacent pairs (p, q), p < q, joined by a path of 2 to ``hops`` edges, for the first of ``nodes`` as p.

    Nodes are processed in order until there are ``most`` pairs, so the result has at most about ``most`` plus the
    number of nodes of the graph.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row; every edge in both directions.
        nodes: The nodes p, in this order; the q of each ascend.
        hops: Maximum number of edges.
        most: Number of pairs to stop at.
        with_edges: Whether adjacent pairs are listed as well.
        in_both_orders: Whether pairs with q < p are listed as well.

    Returns:
        The pairs, int32, shape ``(num_pairs, 2)``; and the number of processed nodes.
    """
    return _within(rowptr, col, nodes, hops, most, with_edges, in_both_orders)


def are_joined(rowptr: IntArray, col: IntArray, pairs: Pairs, hops: int) -> BoolArray:
    """Whether a path of 2 to ``hops`` edges joins each pair, ignoring an edge between its two nodes.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row; every edge in both directions.
        pairs: Two different nodes each.
        hops: Maximum number of edges.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs,)``
    """
    parts = run_ranges(lambda a, b: _joined(rowptr, col, pairs[a:b], hops), len(pairs), smallest=16)
    return np.concatenate(parts)


@kernel
def search(rowptr, col, source, other, hops, distance, queue):
    """Breadth-first search: writes the distances up to ``hops`` from a node, without passing another one.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours.
        source: The first node.
        other: The node that no path may pass; -1 for none.
        hops: Maximum number of edges.
        distance: To be written; -1 at every node.
        queue: To be written: the nodes found, in the order of their distances.

    Returns:
        The number of nodes found.
    """
    queue[0], size, low, d = source, 1, 0, 0
    distance[source] = 0
    while low < size and d < hops:
        high = size
        d += 1
        for i in range(low, high):
            v = queue[i]
            for e in range(rowptr[v], rowptr[v + 1]):
                u = col[e]
                if distance[u] < 0 and u != other:
                    distance[u] = d
                    queue[size] = u
                    size += 1
        low = high
    return size


@kernel
def _joined(rowptr, col, pairs, hops):
    num_nodes = len(rowptr) - 1
    seen = np.full(num_nodes, -1, dtype=np.int64)
    reached = np.empty(num_nodes, dtype=np.int32)
    answer = np.zeros(len(pairs), dtype=np.bool_)
    for k in range(len(pairs)):
        p, q = pairs[k, 0], pairs[k, 1]
        seen[p] = k
        reached[0] = p
        start, end = 0, 1
        for hop in range(hops):
            last = end
            for i in range(start, last):
                r = reached[i]
                for e in range(rowptr[r], rowptr[r + 1]):
                    s = col[e]
                    if s == q and hop > 0:
                        answer[k] = True
                    if seen[s] != k and s != q:
                        seen[s] = k
                        reached[end] = s
                        end += 1
                if answer[k]:
                    break
            if answer[k]:
                break
            start = last
    return answer


@kernel
def _within(rowptr, col, nodes, hops, most, with_edges, in_both_orders):
    num_nodes = len(rowptr) - 1
    seen = np.full(num_nodes, -1, dtype=np.int64)
    reached = np.empty(num_nodes, dtype=np.int32)
    found, size = np.empty((1024, 2), dtype=np.int32), 0
    taken = 0
    while taken < len(nodes) and size < most:
        p = nodes[taken]
        taken += 1
        seen[p] = p
        reached[0] = p
        level, end, near = 0, 1, 1
        for hop in range(hops):
            start, level_end = level, end
            for i in range(start, level_end):
                r = reached[i]
                for e in range(rowptr[r], rowptr[r + 1]):
                    q = col[e]
                    if seen[q] != p:
                        seen[q] = p
                        reached[end] = q
                        end += 1
            level = level_end
            if hop == 0 and not with_edges:
                near = end
        far = np.sort(reached[near:end])
        if size + len(far) > len(found):
            longer = np.empty((2 * len(found) + len(far), 2), dtype=np.int32)
            longer[:size] = found[:size]
            found = longer
        for q in far:
            if q > p or in_both_orders:
                found[size, 0], found[size, 1] = p, q
                size += 1
    return found[:size].copy(), taken
