"""Enclosing subgraphs of pairs in an undirected graph: the nodes near either end, labelled by their position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.hops import search
from linkwl.sparse.rows import starts, with_room
from linkwl.threads import run_ranges
from linkwl.typing import IntArray, Pairs

_SMALLEST = 16  # pairs; for fewer, starting another thread does not pay
_UNLIMITED = 2**31 - 1
_LEFT_OUT = -2  # the number of a node that was met and is not kept; -1 for one that was not met


@dataclass(frozen=True, eq=False)
class PairSubgraphs:
    """The subgraphs of some pairs as one graph without edges between them; the ends of a pair are its first nodes.

    A pair of two nodes starts with its first end, then its second; a pair of a node with itself with that one.
    """

    node_ptr: IntArray
    """The nodes of pair i are ``node_ptr[i] : node_ptr[i + 1]``; int64."""
    node: IntArray
    """The node of the graph that each one is; int32."""
    label: IntArray
    """The DRNL label of each node; int64."""
    rowptr: IntArray
    """The neighbours of node k are ``col[rowptr[k] : rowptr[k + 1]]``; int64."""
    col: IntArray
    """Neighbours by their places in :attr:`node`; every edge in both directions; int64."""


def pair_subgraphs(
    rowptr: IntArray, col: IntArray, pairs: Pairs, hops: int, max_per_hop: int | None = None
) -> PairSubgraphs:
    """The nodes at most ``hops`` from either end of each pair, and all edges between them but that of the pair itself.

    The label of a node is that of double-radius node labelling: with ``a`` its distance to the first end in the
    subgraph without the second, ``b`` the other way round and ``d = a + b``, it is
    ``1 + min(a, b) + (d // 2) * (d // 2 + d % 2 - 1)``; 1 at both ends, and 0 if one of them cannot be reached.

    If more than ``max_per_hop`` nodes are met at some distance, those with most links to the nodes of the distance
    before are kept; among those the ones of largest degree, and among these the ones of smallest number. So nodes that
    join both ends are kept before others. Nodes that are left out are not met again at a larger distance. Time grows
    with the neighbours of the nodes that are kept, memory with the result.

    Reference: Zhang and Chen, 2018, arXiv:1802.09691, Sections 3.1 and 3.2.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending within each row; every edge in both directions.
        pairs: The pairs, shape ``(num_pairs, 2)``.
        hops: The largest distance, at least 1.
        max_per_hop: The largest number of nodes at one distance; None for no limit.
    """
    fixed = np.ascontiguousarray(pairs, dtype=np.int64).reshape(-1, 2)
    limit = _UNLIMITED if max_per_hop is None else max_per_hop
    parts = run_ranges(
        lambda start, stop: _extract(rowptr, col, fixed[start:stop], hops, limit), len(fixed), smallest=_SMALLEST
    )
    num_nodes, node, label, degree, ends = (list(arrays) for arrays in zip(*parts, strict=True))
    first = starts(np.array([len(part) for part in node]))
    for part, offset in zip(ends, first[:-1], strict=True):
        part += offset
    return PairSubgraphs(
        starts(np.concatenate(num_nodes)),
        np.concatenate(node),
        np.concatenate(label),
        starts(np.concatenate(degree)),
        np.concatenate(ends),
    )


@kernel
def grow(rowptr, col, p, q, hops, enough, max_per_hop, number, links, node, level):
    """Collects the nodes around a pair, one distance after the other; see :func:`pair_subgraphs`.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours.
        p: The first end.
        q: The second end.
        hops: The largest distance.
        enough: The number of nodes after which no further distance is walked.
        max_per_hop: The largest number of nodes at one distance.
        number: To be written: the places of the nodes in ``node``; -1 at every node before, and again after
            :func:`forget`.
        links: Zero at every node, before and after.
        node: To be written: the nodes, ends first; at the end of the array those that were met and left out.
        level: To be written: the distance of each to the nearer end.

    Returns:
        The number of nodes, and the place of the first of those that were left out.
    """
    node[0], level[0], number[p], size = p, 0, 0, 1
    if q != p:
        node[1], level[1], number[q], size = q, 0, 1, 2
    low, d, last = 0, 0, len(node)
    while low < size < enough and d < hops:
        d += 1
        high, end = size, size
        for i in range(low, high):
            for e in range(rowptr[node[i]], rowptr[node[i] + 1]):
                u = col[e]
                if number[u] == -1:
                    number[u] = _LEFT_OUT
                    node[end] = u
                    end += 1
                    links[u] = 1
                elif links[u] > 0:
                    links[u] += 1
        if end - high > max_per_hop:
            node[high:end] = np.sort(node[high:end])
            key = np.empty(end - high, dtype=np.int64)
            for i in range(high, end):
                u = node[i]
                key[i - high] = -((np.int64(links[u]) << 32) + rowptr[u + 1] - rowptr[u])
            node[high:end] = node[high:end][np.argsort(key, kind="mergesort")]
        for i in range(high, end):
            links[node[i]] = 0
        size = min(end, high + max_per_hop)
        for i in range(high, size):
            number[node[i]], level[i] = i, d
        # The array has a place for every node of the graph, so there is room at its end.
        for i in range(end - 1, size - 1, -1):
            last -= 1
            node[last] = node[i]
        low = high
    return size, last


@kernel
def induce(rowptr, col, node, size, number, is_loop, ptr, near):
    """Writes the edges between the nodes of :func:`grow`, by their places, but for that of the pair itself.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours.
        node: The nodes.
        size: Their number.
        number: Their places.
        is_loop: Whether the pair is a node with itself; else its nodes have the places 0 and 1.
        ptr: To be written: the starts of the rows of ``near``.
        near: An array to write to, if it is long enough.

    Returns:
        The neighbours, and their number.
    """
    count = 0
    for k in range(size):
        v = node[k]
        ptr[k] = count
        near = with_room(near, count, rowptr[v + 1] - rowptr[v])
        for e in range(rowptr[v], rowptr[v + 1]):
            u = number[col[e]]
            if u >= 0 and (k > 1 or u > 1 or is_loop):
                near[count] = u
                count += 1
    ptr[size] = count
    return near, count


@kernel
def forget(node, size, last, number):
    """Resets ``number`` after :func:`grow`."""
    for i in range(size):
        number[node[i]] = -1
    for i in range(last, len(node)):
        number[node[i]] = -1


@kernel
def _extract(rowptr, col, pairs, hops, max_per_hop):
    n = len(rowptr) - 1
    number, links = np.full(n, -1, dtype=np.int32), np.zeros(n, dtype=np.int32)
    found, level = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    first, second = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    queue, ptr = np.empty(n, dtype=np.int32), np.empty(n + 1, dtype=np.int64)
    num_nodes = np.zeros(len(pairs), dtype=np.int64)
    node, label = np.empty(64, dtype=np.int32), np.empty(64, dtype=np.int64)
    degree, ends = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int64)
    near = np.empty(64, dtype=np.int32)
    size, count = 0, 0
    for i in range(len(pairs)):
        p, q = pairs[i, 0], pairs[i, 1]
        m, last = grow(rowptr, col, p, q, hops, n + 1, max_per_hop, number, links, found, level)
        num_nodes[i] = m
        near, num_near = induce(rowptr, col, found, m, number, p == q, ptr, near)
        first[:m], second[:m] = -1, -1
        search(ptr, near, 0, -1 if p == q else 1, n, first, queue)
        search(ptr, near, 0 if p == q else 1, -1 if p == q else 0, n, second, queue)
        node, label, degree = with_room(node, size, m), with_room(label, size, m), with_room(degree, size, m)
        ends = with_room(ends, count, num_near)
        for k in range(m):
            node[size + k], degree[size + k] = found[k], ptr[k + 1] - ptr[k]
            label[size + k] = _label(first[k], second[k])
        label[size] = 1
        if p != q:
            label[size + 1] = 1
        for e in range(num_near):
            ends[count + e] = size + near[e]
        size += m
        count += num_near
        forget(found, m, last, number)
    return num_nodes, node[:size].copy(), label[:size].copy(), degree[:size].copy(), ends[:count].copy()


@kernel
def _label(a, b):
    if a < 0 or b < 0:
        return 0
    half, odd = (a + b) // 2, (a + b) % 2
    return 1 + min(a, b) + half * (half + odd - 1)
