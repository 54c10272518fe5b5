"""What places say about pairs: distance, rank among the nearest, what lies between, and where edges lead."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

COLUMNS = ("distance", "in_circle", "in_lune", "rank_p", "rank_q", "turn_p", "turn_q", "length_p", "length_q")
"""The columns of :func:`pair_places`."""


def pair_places(
    points: FloatArray, near: IntArray, near_distance: FloatArray, rowptr: IntArray, col: IntArray, pairs: Pairs
) -> FloatArray:
    r"""The columns :data:`COLUMNS` of each pair (p, q) of points at the distance :math:`d_{pq}`.

    - *distance*: :math:`d_{pq}`;
    - *in_circle*, *in_lune*: the number of points r between p and q: in the circle with this diameter,
      :math:`d_{pr}^2 + d_{rq}^2 < d_{pq}^2`, and closer to both than they are to each other. A graph that joins pairs
      with none is the Gabriel graph, or the relative neighbourhood graph. Only the nearest k points of either end are
      counted, and the larger count is given: it is exact up to k;
    - *rank*: one plus the number of points closer to the end than the other end is, at most k + 1;
    - *turn*: the largest cosine of the angle between the pair and an edge of the end, -1 without edges;
    - *length*: the mean length of the edges of the end, 0 without edges.

    An edge between p and q themselves is left out. Time is O(k + degree) a pair.

    Args:
        points: A place for each node, in the plane or in space.
        near: The nearest points of each, closest first; -1 where there are fewer than k.
        near_distance: Their distances, infinite where there are fewer than k.
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; every edge in both directions.
        pairs: Pairs of nodes whose places are known.

    Shape:
        - points: ``(num_nodes, dimensions)``
        - near, near_distance: ``(num_nodes, k)``
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs, 9)``
    """
    out = np.empty((len(pairs), len(COLUMNS)))
    run_ranges(
        lambda a, b: _fill(points, near, near_distance, rowptr, col, pairs[a:b], out[a:b]), len(pairs), smallest=256
    )
    return out


@kernel
def _square(points, p, q):
    total = 0.0
    for axis in range(points.shape[1]):
        total += (points[p, axis] - points[q, axis]) ** 2
    return total


@kernel
def _fill(points, near, near_distance, rowptr, col, pairs, out):
    for i in range(len(pairs)):
        square = _square(points, pairs[i, 0], pairs[i, 1])
        distance = np.sqrt(square)
        out[i, 0], out[i, 1], out[i, 2] = distance, 0, 0
        for side in range(2):
            p, q = pairs[i, side], pairs[i, 1 - side]
            closer = np.searchsorted(near_distance[p], distance)
            in_circle = in_lune = 0
            for k in range(closer):
                to_p, to_q = _square(points, p, near[p, k]), _square(points, q, near[p, k])
                in_circle += to_p + to_q < square
                in_lune += to_q < square
            out[i, 1], out[i, 2] = max(out[i, 1], in_circle), max(out[i, 2], in_lune)
            out[i, 3 + side] = 1 + closer
            out[i, 5 + side], out[i, 7 + side] = _edges_of(points, rowptr, col, p, q, distance)


@kernel
def _edges_of(points, rowptr, col, p, q, distance):
    """The largest cosine between the edges of p and the direction of q, and their mean length."""
    turn, total, count = -1.0, 0.0, 0
    for k in range(rowptr[p], rowptr[p + 1]):
        r = col[k]
        if r == q:
            continue
        length, inner = np.sqrt(_square(points, p, r)), 0.0
        if np.isnan(length):  # a neighbour without a place
            continue
        total += length
        count += 1
        if length > 0 and distance > 0:
            for axis in range(points.shape[1]):
                inner += (points[q, axis] - points[p, axis]) * (points[r, axis] - points[p, axis])
            turn = max(turn, inner / (length * distance))
    return turn, total / max(count, 1)
