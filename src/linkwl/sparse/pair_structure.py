"""How two nodes lie to each other: distance, common neighbours, three-step walks."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

STRUCTURE = ("distance", "linked", "common", "allocation", "walks")
"""The columns of :func:`pair_structure`."""
MOST_VISITED = 50_000
"""Number of nodes after which a search for the distance is given up."""


def two_step_walks(rowptr: IntArray, col: IntArray) -> IntArray:
    """The number of walks of two steps from each node: the sum of its neighbours' degrees."""
    sums = np.concatenate([[0], np.cumsum(np.diff(rowptr)[col])])
    return sums[rowptr[1:]] - sums[rowptr[:-1]]


def pair_structure(
    rowptr: IntArray,
    col: IntArray,
    pairs: Pairs,
    max_steps: int,
    *,
    walks: IntArray | None = None,
    most_visited: int = MOST_VISITED,
) -> FloatArray:
    r"""Five numbers for each pair of nodes of an undirected graph; all but the second ignore a link of the pair itself.

    - the number of steps between the nodes: 0 for (v, v), ``max_steps + 1`` if there are more, or if a search from both
      ends has visited ``most_visited`` nodes;
    - 1 if they are linked;
    - the number of common neighbours;
    - resource allocation, :math:`\sum_u 1 / d_u` over common neighbours;
    - walks of three steps over other nodes, :math:`\sum_{u, v} 1 / \sqrt{d_u d_v}`.

    The numbers of a pair do not depend on the other pairs.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: Node pairs, in any order.
        max_steps: The largest distance that is distinguished.
        walks: The :func:`two_step_walks`, if they are known.
        most_visited: Number of nodes after which a search is given up.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs, 5)``, float32
    """
    pairs = np.ascontiguousarray(pairs, dtype=np.int32)
    out = np.zeros((len(pairs), len(STRUCTURE)), dtype=np.float32)
    reach = two_step_walks(rowptr, col) if walks is None else walks
    run_ranges(
        lambda start, stop: _describe(rowptr, col, reach, pairs[start:stop], max_steps, most_visited, out[start:stop]),
        len(pairs),
        smallest=256,
    )
    return out


@kernel
def _describe(rowptr, col, reach, pairs, max_steps, most_visited, out):
    num_nodes = len(rowptr) - 1
    mark = np.zeros(num_nodes, dtype=np.int64)
    seen = np.zeros((2, num_nodes), dtype=np.int64)
    queue = np.empty((2, num_nodes), dtype=np.int32)
    for i in range(len(pairs)):
        p, q = pairs[i, 0], pairs[i, 1]
        if p == q:
            continue
        if reach[p] > reach[q] or (reach[p] == reach[q] and p > q):  # the same bits either way round
            p, q = q, p
        stamp = i + 1
        for k in range(rowptr[q], rowptr[q + 1]):
            mark[col[k]] = stamp
        num_common, allocation, walks = 0, 0.0, 0.0
        for k in range(rowptr[p], rowptr[p + 1]):
            u = col[k]
            if u == q:
                out[i, 1] = 1
                continue
            degree = rowptr[u + 1] - rowptr[u]
            if mark[u] == stamp:
                num_common += 1
                allocation += 1.0 / degree
            for j in range(rowptr[u], rowptr[u + 1]):
                v = col[j]
                if v != p and v != q and mark[v] == stamp:
                    walks += 1.0 / np.sqrt(degree * (rowptr[v + 1] - rowptr[v]))
        out[i, 2], out[i, 3], out[i, 4] = num_common, allocation, walks
        if num_common > 0:
            out[i, 0] = 2
        elif walks > 0:
            out[i, 0] = 3
        else:
            out[i, 0] = _distance(rowptr, col, p, q, max_steps, most_visited, stamp, seen, queue)


@kernel
def _distance(rowptr, col, p, q, max_steps, most_visited, stamp, seen, queue):
    """Breadth-first search from both ends, a level of the smaller frontier at a time, without the link p - q."""
    seen[0, p], seen[1, q] = stamp, stamp
    queue[0, 0], queue[1, 0] = p, q
    start, stop = np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64)
    for steps in range(1, max_steps + 1):
        if start[0] == stop[0] or start[1] == stop[1] or stop[0] + stop[1] > most_visited:
            break
        side = 0 if stop[0] - start[0] <= stop[1] - start[1] else 1
        first, last = start[side], stop[side]
        start[side] = last
        for k in range(first, last):
            u = queue[side, k]
            for j in range(rowptr[u], rowptr[u + 1]):
                v = col[j]
                if seen[side, v] == stamp or (u == p and v == q) or (u == q and v == p):
                    continue
                if seen[1 - side, v] == stamp:
                    return steps
                seen[side, v] = stamp
                queue[side, stop[side]] = v
                stop[side] += 1
    return max_steps + 1
