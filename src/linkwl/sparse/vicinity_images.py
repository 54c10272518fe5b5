"""Persistence images of the nodes that two nodes have near."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.extended_persistence import find, persist
from linkwl.sparse.rows import with_room
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

RESOLUTION = 5
"""Number of rows, and of columns, of an image."""
_SMALLEST = 16  # pairs; for fewer, starting another thread does not pay


class Vicinity(NamedTuple):
    """What the vicinity of a pair is."""

    hops: int = 2
    """Largest distance of a node from both ends."""
    max_nodes: int = 50
    """If there are more nodes, only those at most one hop from both ends are in it."""
    with_roots: bool = True
    """Whether the ends are always in it; else an image is zero if one is not, or if the vicinity is not connected."""


def vicinity_images(
    rowptr: IntArray, col: IntArray, pairs: Pairs, vicinity: Vicinity, *, bandwidth: float
) -> FloatArray:
    r"""One persistence image of the vicinity of each pair, without the edge of the pair itself.

    The vicinity of (i, j) holds the nodes x at most some hops from both ends, and the edges between them. Their values
    are :math:`f(x) = d(x, i) + d(x, j)`, zero at both ends, divided by the largest. A point of the extended
    persistence diagram (:func:`linkwl.sparse.extended_persistence.extended_persistence`) with the values a and b is
    placed at :math:`(\min(a, b), |a - b|)` and becomes a normal distribution of mass :math:`|a - b|`; a pixel is the
    mass within it, of a grid over the unit square.

    Time grows with the neighbours of the nodes near either end, and with the edges of the vicinity.

    Reference: Yan, Ma, Gao, Tang and Chen, 2021, arXiv:2102.10255; Adams et al., Persistence images, JMLR, 2017.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; every edge in both directions.
        pairs: The pairs, shape ``(num_pairs, 2)``.
        vicinity: Which nodes are in the vicinity.
        bandwidth: The standard deviation of the normal distributions.

    Shape:
        - output: ``(num_pairs, RESOLUTION ** 2)``, rows by the smaller value; float64
    """
    fixed = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    out = np.zeros((len(fixed), RESOLUTION**2))
    settings = vicinity.hops, vicinity.max_nodes, vicinity.with_roots, bandwidth
    run_ranges(
        lambda start, stop: _images(rowptr, col, fixed[start:stop], *settings, out[start:stop]),
        len(fixed),
        smallest=_SMALLEST,
    )
    return out


@kernel
def _images(rowptr, col, pairs, hops, max_nodes, with_roots, bandwidth, out):
    n = len(rowptr) - 1
    first, second, number = np.full(n, -1), np.full(n, -1), np.full(n, -1)
    near_first, near_second, node = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(64, np.int64)
    edges = np.empty((64, 2), dtype=np.int64)
    for k in range(len(pairs)):
        i, j = pairs[k]
        met = _search(rowptr, col, i, j, hops, first, near_first)
        met_second = _search(rowptr, col, j, i, hops, second, near_second)
        node = with_room(node, 0, min(met, met_second) + 2)
        size = _common(near_first[:met], first, second, hops, node)
        if size > max_nodes:
            size = _common(near_first[:met], first, second, 1, node)
        has_roots = 0 <= second[i] <= hops and 0 <= first[j] <= hops
        for root in (i, j):
            is_missing = True
            for a in range(size):
                is_missing = is_missing and node[a] != root
            if is_missing and with_roots:
                node[size] = root
                size += 1
        for a in range(size):
            number[node[a]] = a
        count = 0
        for a in range(size):
            for e in range(rowptr[node[a]], rowptr[node[a] + 1]):
                u, v = node[a], col[e]
                if number[v] > a and not (u == i and v == j) and not (u == j and v == i):
                    if count == len(edges):
                        more = np.empty((2 * count, 2), dtype=np.int64)
                        more[:count] = edges
                        edges = more
                    edges[count, 0], edges[count, 1] = a, number[v]
                    count += 1
        if with_roots or (has_roots and _is_connected(size, edges[:count])):
            value = np.zeros(size)
            for a in range(size):
                if node[a] != i and node[a] != j:
                    value[a] = first[node[a]] + second[node[a]]
            top = value.max() if size else 0.0
            if top > 0:
                birth, death, _ = persist(size, edges[:count], value / top)
                _draw(birth, death, bandwidth, out[k])
        number[node[:size]] = -1
        first[near_first[:met]] = -1
        second[near_second[:met_second]] = -1


@kernel
def _search(rowptr, col, source, other, hops, distance, node):
    """Writes the nodes at most ``hops`` away, without the edge from the source to ``other``, and returns their number.

    Distances are -1 before.
    """
    distance[source], node[0], size, done = 0, source, 1, 0
    while done < size:
        v = node[done]
        done += 1
        if distance[v] == hops:
            break
        for e in range(rowptr[v], rowptr[v + 1]):
            u = col[e]
            is_target = (v == source and u == other) or (v == other and u == source)
            if distance[u] < 0 and not is_target:
                distance[u] = distance[v] + 1
                node[size] = u
                size += 1
    return size


@kernel
def _common(near, first, second, hops, node):
    """Writes the nodes at most ``hops`` from both ends, and returns their number."""
    size = 0
    for v in near:
        if first[v] <= hops and 0 <= second[v] <= hops:
            node[size] = v
            size += 1
    return size


@kernel
def _is_connected(size, edges):
    leader, parts = np.arange(size), size
    for e in range(len(edges)):
        p, q = find(leader, edges[e, 0]), find(leader, edges[e, 1])
        if p != q:
            leader[p] = q
            parts -= 1
    return parts == 1


@kernel
def _draw(birth, death, bandwidth, image):
    """Adds the mass of every point to the pixels."""
    x, y = np.empty(RESOLUTION), np.empty(RESOLUTION)
    for k in range(len(birth)):
        mass = abs(birth[k] - death[k])
        if k == 0 or birth[k] != birth[k - 1] or death[k] != death[k - 1]:  # neighbours often are the same
            _mass(min(birth[k], death[k]), bandwidth, x)
            _mass(mass, bandwidth, y)
        for a in range(RESOLUTION):
            for b in range(RESOLUTION):
                image[a * RESOLUTION + b] += mass * x[a] * y[b]


@kernel
def _mass(center, bandwidth, out):
    """The mass of a normal distribution in each part of the unit interval."""
    scale = bandwidth * math.sqrt(2.0)
    before = math.erf(-center / scale)
    for a in range(RESOLUTION):
        after = math.erf(((a + 1) / RESOLUTION - center) / scale)
        out[a] = (after - before) / 2
        before = after
