"""Sums over the common neighbours of node pairs."""

from __future__ import annotations

import numba
import numpy as np

from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

_BATCH_SIZE = 64
_LINE = 16  # entries in a line of the processor's cache
_SEARCH_RATIO = 16
"""How many times longer one row must be than the other before searching in it beats walking along it."""


def common_neighbour_sums(rowptr: IntArray, col: IntArray, pairs: Pairs, weights: FloatArray) -> FloatArray:
    """Weighted common neighbours: ``out[i, k] = sum of weights[v, k] over v in N(p) and N(q)``, (p, q) = pairs[i].

    All weightings share one walk along the two rows. It costs O(d_p + d_q), or O(d_p log d_q) where d_p is far below
    d_q, and no memory but the output. The sum runs over v in ascending order, so (p, q) and (q, p) give the same bits.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: Node pairs.
        weights: What a common neighbour counts, in each of the weightings.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - weights: ``(num_nodes, num_weightings)``
        - output: ``(num_pairs, num_weightings)``
    """
    pairs = np.ascontiguousarray(pairs, dtype=np.int32)
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    out = np.zeros((len(pairs), weights.shape[1]))

    def work(start: int, stop: int) -> None:
        _add_common(rowptr, col, pairs[start:stop], weights, out[start:stop])

    if len(col):
        run_ranges(work, len(pairs))
    return out


@numba.njit(nogil=True, cache=True)
def _add_common(rowptr, col, pairs, weights, out):
    touched = 0
    for start in range(0, len(pairs), _BATCH_SIZE):
        stop = min(start + _BATCH_SIZE, len(pairs))
        touched += _touch(rowptr, col, pairs[start:stop])
        for i in range(start, stop):
            p, q = pairs[i, 0], pairs[i, 1]
            if rowptr[p + 1] - rowptr[p] > rowptr[q + 1] - rowptr[q]:
                p, q = q, p
            short, long = col[rowptr[p] : rowptr[p + 1]], col[rowptr[q] : rowptr[q + 1]]
            if len(short) * _SEARCH_RATIO < len(long):
                _search(short, long, weights, out[i])
            else:
                _merge(short, long, weights, out[i])
    return touched  # or the compiler would leave the touching out


@numba.njit(nogil=True, cache=True)
def _touch(rowptr, col, pairs):
    """Reads the start of every row that a batch needs, so that the waits for memory overlap: twice as fast."""
    total, last = 0, len(col) - 1
    for i in range(len(pairs)):
        for v in pairs[i]:
            start = rowptr[v]
            total += col[min(start, last)] + col[min(start + _LINE, last)]
    return total


@numba.njit(nogil=True, cache=True)
def _merge(short, long, weights, total):
    i, j = 0, 0
    while i < len(short) and j < len(long):
        u, v = short[i], long[j]
        if u == v:
            for k in range(len(total)):
                total[k] += weights[v, k]
        # Advancing by comparison instead of branching: the processor cannot guess which row is behind.
        i += u <= v
        j += v <= u


@numba.njit(nogil=True, cache=True)
def _search(short, long, weights, total):
    low = 0
    for v in short:
        high = len(long)
        while low < high:
            middle = (low + high) >> 1
            if long[middle] < v:
                low = middle + 1
            else:
                high = middle
        if low == len(long):
            return
        if long[low] == v:
            for k in range(len(total)):
                total[k] += weights[v, k]
