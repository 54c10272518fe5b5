"""Distances between the two nodes of pairs."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs


def pair_distances(rowptr: IntArray, col: IntArray, pairs: Pairs) -> IntArray:
    """Number of edges of a shortest path between the nodes of each pair; -1 if there is none.

    Breadth-first searches from both ends, always a step of the smaller one, until they meet: in small worlds this
    reads about the square root of what one search reads. It ends when the smaller component has been searched.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; every edge in both directions.
        pairs: Node pairs.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs,)``
    """
    parts = run_ranges(lambda a, b: _distances(rowptr, col, pairs[a:b]), len(pairs), smallest=64)
    return np.concatenate(parts)


@kernel
def _distances(rowptr, col, pairs):
    num_nodes = len(rowptr) - 1
    found = np.full(len(pairs), -1, dtype=np.int64)
    # The search that has reached a node: 2 i + 1 and 2 i + 2 for the first and the second end of pair i.
    seen = np.zeros(num_nodes, dtype=np.int64)
    queue = np.empty((2, num_nodes), dtype=np.int32)
    low, high, walks = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    for i in range(len(pairs)):
        if pairs[i, 0] == pairs[i, 1]:
            found[i] = 0
            continue
        for side in range(2):
            v = pairs[i, side]
            queue[side, 0], low[side], high[side] = v, 0, 1
            seen[v] = 2 * i + 1 + side
            walks[side] = rowptr[v + 1] - rowptr[v]  # the edges that the next step reads
        steps = 0
        while found[i] < 0 and walks[0] > 0 and walks[1] > 0:
            side = 0 if walks[0] <= walks[1] else 1
            mine, theirs = 2 * i + 1 + side, 2 * i + 2 - side
            steps += 1
            first, last = low[side], high[side]
            size, ahead = last, 0
            for place in range(first, last):
                v = queue[side, place]
                for k in range(rowptr[v], rowptr[v + 1]):
                    u = col[k]
                    if seen[u] == theirs:
                        found[i] = steps
                        break
                    if seen[u] != mine:
                        seen[u] = mine
                        queue[side, size] = u
                        size += 1
                        ahead += rowptr[u + 1] - rowptr[u]
                if found[i] >= 0:
                    break
            low[side], high[side], walks[side] = last, size, ahead
    return found
