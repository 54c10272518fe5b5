"""Weights of all walks of given lengths between pairs of nodes, by meeting in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numba
import numpy as np

from linkwl.memory import check_memory
from linkwl.sparse.growing import with_room
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

BYTES_PER_BLOCK = 1 << 29
"""About how much memory :func:`walk_values` takes beside its output."""
BYTES_PER_ENTRY = 12
_SAMPLE = 32
_SMALLEST_PART = 8


class WalkValues(NamedTuple):
    """What :func:`walk_values` finds."""

    between: FloatArray
    """For every pair, walks from one end to the other; float64, shape ``(num_pairs, steps - 1)``."""
    closed: FloatArray
    """For both ends of every pair, walks back to themselves; float64, shape ``(num_pairs, 2, steps - 1)``."""


class Rows(NamedTuple):
    """Rows of a power of the weighted adjacency, for some nodes."""

    ptr: IntArray
    node: IntArray
    value: FloatArray


def walk_values(rowptr: IntArray, col: IntArray, weight: FloatArray, pairs: Pairs, steps: int) -> WalkValues:
    r"""Walks of 2, 3, .., K edges: :math:`(M^k)_{pq}`, :math:`(M^k)_{pp}` and :math:`(M^k)_{qq}`.

    For a symmetric M the walks of a + b edges from p to q meet after a of them: :math:`(M^{a+b})_{pq} = \sum_u
    (M^a)_{pu} (M^b)_{qu}`. So only rows of the first half of the powers are needed, and only those of the pairs' ends.
    They are sparse as long as walks are short, and made for one block of pairs after the other; no n x n matrix is. A
    row depends on its node alone, so what is found for a pair does not depend on the others.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row; every edge is there in both directions.
        weight: The weight of every entry of ``col``, positive and the same in both directions.
        pairs: Node pairs; (p, q) and (q, p) give the same bits.
        steps: The longest walks, K; at least 2.

    Shape:
        - weight: ``(num_entries,)``
        - pairs: ``(num_pairs, 2)``

    Raises:
        ValueError: If walks are to have fewer than two edges.
        MemoryLimitError: If the output does not fit.
    """
    if steps < 2:
        raise ValueError(f"`steps` must be at least 2, got {steps}.")
    check_memory(24.0 * len(pairs) * (steps - 1), f"walks between {len(pairs)} pairs", "take fewer pairs at a time")
    rowptr, col, weight = (np.ascontiguousarray(a, dtype=t) for a, t in zip((rowptr, col, weight), _TYPES, strict=True))
    ends = np.sort(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=1)
    is_turned = ends[:, 0] != np.asarray(pairs).reshape(-1, 2)[:, 0]
    between = np.empty((len(ends), steps - 1))
    closed = np.empty((len(ends), 2, steps - 1))
    order = np.lexsort(ends.T[::-1])
    for block in _blocks(ends[order], _ends_per_block(rowptr, col, ends, steps)):
        chosen = order[block]
        nodes, place = np.unique(ends[chosen], return_inverse=True)
        place = place.reshape(-1, 2).astype(np.int64)
        levels = list(_levels(rowptr, col, weight, nodes, steps - steps // 2))
        itself = np.repeat(np.arange(len(nodes), dtype=np.int64)[:, None], 2, axis=1)
        back = np.empty((len(nodes), steps - 1))
        met = np.empty((len(chosen), steps - 1))
        for k in range(2, steps + 1):
            longer, shorter = levels[k - k // 2 - 1], levels[k // 2 - 1]
            _meet_all(longer, shorter, place, len(rowptr) - 1, met[:, k - 2])
            _meet_all(longer, shorter, itself, len(rowptr) - 1, back[:, k - 2])
        between[chosen] = met
        closed[chosen] = back[place]
    closed[is_turned] = closed[is_turned, ::-1]
    return WalkValues(between, closed)


_TYPES = (np.int64, np.int32, np.float64)


def _blocks(ends: Pairs, most_ends: int) -> Iterator[slice]:
    """Consecutive pairs with at most that many different ends, or a single pair."""
    size = max(1, most_ends // 2)
    if len(np.unique(ends)) <= most_ends:
        size = max(1, len(ends))
    for start in range(0, len(ends), size):
        yield slice(start, start + size)


def row_work(rowptr: IntArray, col: IntArray, nodes: IntArray, steps: int) -> tuple[float, float]:
    """What the rows of one of the nodes take for walks of that length: entries, and multiplications to find them.

    The mean over a few of the nodes.
    """
    sample = nodes[:: max(1, len(nodes) // _SAMPLE)]
    depth, degree, entries, products = steps - steps // 2, np.diff(rowptr), 0, 0
    for k, rows in enumerate(_levels(rowptr, col, np.ones(len(col)), sample, depth)):
        entries += len(rows.node)
        products += int(degree[rows.node].sum()) if k < depth - 1 else 0
    return entries / max(len(sample), 1), products / max(len(sample), 1)


def _ends_per_block(rowptr: IntArray, col: IntArray, ends: Pairs, steps: int) -> int:
    """For how many nodes the rows fit in a block."""
    entries, _ = row_work(rowptr, col, np.unique(ends), steps)
    return max(2, int(BYTES_PER_BLOCK / (BYTES_PER_ENTRY * max(entries, 1))))


def _levels(rowptr: IntArray, col: IntArray, weight: FloatArray, nodes: IntArray, depth: int) -> Iterator[Rows]:
    """The nodes' rows of the first, second, .. power."""
    ptr = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.diff(rowptr)[nodes], out=ptr[1:])
    entry = np.repeat(rowptr[nodes] - ptr[:-1], np.diff(ptr)) + np.arange(ptr[-1])
    rows = Rows(ptr, col[entry], weight[entry])
    yield rows
    for _ in range(depth - 1):
        parts = run_ranges(
            lambda first, last, rows=rows: _expand(rowptr, col, weight, rows, first, last),  # type: ignore[misc]
            len(nodes),
            smallest=_SMALLEST_PART,
        )
        sizes, node, value = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        rows = Rows(np.concatenate([[0], np.cumsum(sizes)]), node, value)
        yield rows


def _meet_all(longer: Rows, shorter: Rows, place: IntArray, num_nodes: int, out: FloatArray) -> None:
    """``out[i]`` = the product of row ``place[i, 0]`` of the one and row ``place[i, 1]`` of the other."""
    run_ranges(lambda first, last: _meet(longer, shorter, place, num_nodes, out, first, last), len(place), smallest=256)


@numba.njit(nogil=True, cache=True)
def _expand(rowptr, col, weight, rows, first, last):
    """Rows ``first`` .. ``last`` times the adjacency: how many entries each has, their nodes and values."""
    num_nodes = len(rowptr) - 1
    total, owner = np.zeros(num_nodes), np.full(num_nodes, -1, dtype=np.int64)
    sizes = np.empty(last - first, dtype=np.int64)
    nodes, size = np.empty(1024, dtype=np.int32), 0
    values = np.empty(1024)
    for k in range(first, last):
        most = 0
        for i in range(rows.ptr[k], rows.ptr[k + 1]):
            most += rowptr[rows.node[i] + 1] - rowptr[rows.node[i]]
        most = min(most, num_nodes)
        nodes, values, start = with_room(nodes, size, most), with_room(values, size, most), size
        for i in range(rows.ptr[k], rows.ptr[k + 1]):
            r, x = rows.node[i], rows.value[i]
            for e in range(rowptr[r], rowptr[r + 1]):
                u = col[e]
                if owner[u] != k:
                    owner[u] = k
                    total[u] = 0.0
                    nodes[size] = u
                    size += 1
                total[u] += x * weight[e]
        for i in range(start, size):
            values[i] = total[nodes[i]]
        sizes[k - first] = size - start
    return sizes, nodes[:size].copy(), values[:size].copy()


@numba.njit(nogil=True, cache=True)
def _meet(longer, shorter, place, num_nodes, out, first, last):
    spread, current = np.zeros(num_nodes), -1
    for i in range(first, last):
        p, q = place[i, 0], place[i, 1]
        if p != current:
            if current >= 0:
                for j in range(longer.ptr[current], longer.ptr[current + 1]):
                    spread[longer.node[j]] = 0.0
            for j in range(longer.ptr[p], longer.ptr[p + 1]):
                spread[longer.node[j]] = longer.value[j]
            current = p
        total = 0.0
        for j in range(shorter.ptr[q], shorter.ptr[q + 1]):
            total += shorter.value[j] * spread[shorter.node[j]]
        out[i] = total
