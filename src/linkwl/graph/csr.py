"""Compressed rows: from raw rows of node indices to sorted neighbour lists, and look-ups in them.

An edge (p, q) travels as the 64-bit key ``p << 32 | q << 1 | is_reversed``: in sorted keys copies fall together and
their directions can still be told apart. Keys are first dealt into about a thousand blocks of neighbouring p, so that
each block is sorted within the processor's cache.
"""

from __future__ import annotations

import numba
import numpy as np

from linkwl.threads import num_threads, run_all, run_ranges
from linkwl.typing import BoolArray, IntArray

MAX_NODES = 2**31 - 1
"""Node indices have 31 bits, so that a key fits in 64."""
_SMALL = 1 << 15


def distinct_edges(
    source: IntArray, target: IntArray, num_nodes: int, is_directed: bool
) -> tuple[IntArray, IntArray, int, int]:
    """The distinct edges among the rows ``source[i] -> target[i]``, in ascending order.

    Returns:
        First ends, second ends (undirected: first < second), how many rows were loops, and how many undirected edges
        came in both directions.
    """
    # A few rows are one block, on the calling thread.
    shift = max(0, num_nodes.bit_length() - 10) if len(source) > _SMALL else 31
    ptr, keys = _deal(source, target, shift, (num_nodes >> shift) + 1, is_directed)
    run_all(np.ndarray.sort, np.split(keys, ptr[1:-1]))
    first, second, both = _distinct(keys)
    return first, second, len(source) - len(keys), both


def _deal(
    source: IntArray, target: IntArray, shift: int, num_blocks: int, is_directed: bool
) -> tuple[IntArray, IntArray]:
    """Keys of the rows that are no loops, block by block of ``p >> shift``, and where each block starts.

    Every part of the rows has a place of its own in every block, so that threads do not meet.
    """
    num_parts = num_threads() if len(source) > _SMALL else 1
    cuts = np.linspace(0, len(source), num_parts + 1).astype(np.int64)
    counts = np.zeros((num_blocks, len(cuts) - 1), dtype=np.int64)

    def count(part: int) -> None:
        rows = slice(cuts[part], cuts[part + 1])
        _count_blocks(source[rows], target[rows], shift, is_directed, counts[:, part])

    def write(part: int) -> None:
        rows = slice(cuts[part], cuts[part + 1])
        _write_keys(source[rows], target[rows], shift, is_directed, starts[:, part].copy(), keys)

    run_all(count, range(len(cuts) - 1))
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).reshape(counts.shape)
    keys = np.empty(counts.sum(), dtype=np.uint64)
    run_all(write, range(len(cuts) - 1))
    return np.append(starts[:, 0], len(keys)), keys


@numba.njit(nogil=True, cache=True)
def _count_blocks(source, target, shift, is_directed, counts):
    for i in range(len(source)):
        p, q = source[i], target[i]
        if p != q:
            counts[(p if is_directed or p < q else q) >> shift] += 1


@numba.njit(nogil=True, cache=True)
def _write_keys(source, target, shift, is_directed, cursor, keys):
    one, wide = np.uint64(1), np.uint64(32)
    for i in range(len(source)):
        p, q = np.uint64(source[i]), np.uint64(target[i])
        if p == q:
            continue
        is_reversed = np.uint64(0)
        if p > q and not is_directed:
            p, q, is_reversed = q, p, one
        block = p >> np.uint64(shift)
        keys[cursor[block]] = (p << wide) | (q << one) | is_reversed
        cursor[block] += 1


@numba.njit(nogil=True, cache=True)
def _distinct(keys):
    one, wide, low = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
    distinct, both = 0, 0
    for i in range(len(keys)):
        if i == 0 or keys[i] >> one != keys[i - 1] >> one:
            distinct += 1
        elif keys[i] != keys[i - 1]:
            both += 1
    first = np.empty(distinct, dtype=np.int32)
    second = np.empty(distinct, dtype=np.int32)
    count = 0
    for i in range(len(keys)):
        if i == 0 or keys[i] >> one != keys[i - 1] >> one:
            first[count] = keys[i] >> wide
            second[count] = (keys[i] & low) >> one
            count += 1
    return first, second, both


def undirected_csr(source: IntArray, target: IntArray, num_nodes: int) -> tuple[IntArray, IntArray]:
    """Both directions of the distinct edges ``source < target``, given in order; rows come out sorted.

    Row q receives its smaller neighbours while their rows are visited, before its own larger ones: one pass, no sort.
    Each thread fills a range of rows, which keeps its writes close together.
    """
    rowptr = _row_starts(source, target, num_nodes)
    col = np.empty(2 * len(source), dtype=np.int32)
    cursor = rowptr[:-1].copy()
    run_ranges(lambda start, stop: _fill_rows(source, target, cursor, col, start, stop), num_nodes, smallest=1 << 14)
    return rowptr, col


@numba.njit(nogil=True, cache=True)
def _row_starts(source, target, num_nodes):
    rowptr = np.zeros(num_nodes + 1, dtype=np.int64)
    for e in range(len(source)):
        rowptr[source[e] + 1] += 1
        rowptr[target[e] + 1] += 1
    for v in range(num_nodes):
        rowptr[v + 1] += rowptr[v]
    return rowptr


@numba.njit(nogil=True, cache=True)
def _fill_rows(source, target, cursor, col, start, stop):
    for e in range(np.searchsorted(source, stop)):  # later edges lie wholly beyond these rows
        p, q = source[e], target[e]
        if start <= q < stop:
            col[cursor[q]] = p
            cursor[q] += 1
        if p >= start:
            col[cursor[p]] = q
            cursor[p] += 1


def directed_csr(source: IntArray, target: IntArray, num_nodes: int) -> tuple[IntArray, IntArray]:
    """Out-neighbours of the distinct edges ``source -> target``, given in order."""
    rowptr = np.zeros(num_nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=num_nodes), out=rowptr[1:])
    return rowptr, np.ascontiguousarray(target, dtype=np.int32)


@numba.njit(nogil=True, cache=True)
def upper_pairs(rowptr, col):
    """The entries (p, q), p < q, of symmetric rows, in order."""
    pairs = np.empty((len(col) // 2, 2), dtype=np.int32)
    count = 0
    for p in range(len(rowptr) - 1):
        for k in range(rowptr[p], rowptr[p + 1]):
            if col[k] > p:
                pairs[count, 0] = p
                pairs[count, 1] = col[k]
                count += 1
    return pairs


@numba.njit(nogil=True, cache=True)
def _contains(rowptr, col, pairs, found):
    for i in range(len(pairs)):
        p, q = pairs[i, 0], pairs[i, 1]
        low, high = rowptr[p], rowptr[p + 1]
        while low < high:
            middle = (low + high) >> 1
            if col[middle] < q:
                low = middle + 1
            else:
                high = middle
        found[i] = low < rowptr[p + 1] and col[low] == q


def contains(rowptr: IntArray, col: IntArray, pairs: IntArray) -> BoolArray:
    """Whether each pair (p, q) is an entry; rows must be sorted."""
    found = np.empty(len(pairs), dtype=np.bool_)
    _contains(rowptr, col, pairs, found)
    return found


def filter_rows(rowptr: IntArray, col: IntArray, keep: BoolArray) -> tuple[IntArray, IntArray]:
    """The rows with only the entries that are kept; ``keep`` has one flag per entry."""
    counts = np.zeros(len(rowptr), dtype=np.int64)
    _count_kept(rowptr, keep, counts[1:])
    kept_ptr = np.cumsum(counts)
    kept_col = np.empty(kept_ptr[-1], dtype=col.dtype)
    _copy_kept(col, keep, kept_col)
    return kept_ptr, kept_col


@numba.njit(nogil=True, cache=True)
def _count_kept(rowptr, keep, counts):
    for v in range(len(counts)):
        for k in range(rowptr[v], rowptr[v + 1]):
            counts[v] += keep[k]


@numba.njit(nogil=True, cache=True)
def _copy_kept(col, keep, kept_col):
    count = 0
    for k in range(len(col)):
        if keep[k]:
            kept_col[count] = col[k]
            count += 1


@numba.njit(nogil=True, cache=True)
def flags_of_entries(rowptr, col, flags):
    """The flags of the undirected edges (p, q), p < q, at both of their entries."""
    out = np.empty(len(col), dtype=np.bool_)
    cursor = rowptr[:-1].copy()
    e = 0
    for p in range(len(rowptr) - 1):
        for k in range(cursor[p], rowptr[p + 1]):  # the smaller neighbours have been passed by their own rows
            out[k] = flags[e]
            q = col[k]
            out[cursor[q]] = flags[e]
            cursor[q] += 1
            e += 1
    return out


@numba.njit(nogil=True, cache=True)
def non_edges(rowptr, col, ranks, is_directed):
    """The pairs that are no edges at the given places of their ascending order; ``ranks`` ascend.

    In row p the pair of rank r is found by stepping over the neighbours that come before it: linear in rows and ranks.
    """
    n = len(rowptr) - 1
    pairs = np.empty((len(ranks), 2), dtype=np.int32)
    i, base = 0, 0
    for p in range(n):
        if i == len(ranks):
            break
        k = rowptr[p]
        if not is_directed:
            while k < rowptr[p + 1] and col[k] < p:
                k += 1
        start = 0 if is_directed else p + 1
        free = n - start - (rowptr[p + 1] - k) - (1 if is_directed else 0)
        skipped, is_past_loop = 0, not is_directed
        while i < len(ranks) and ranks[i] < base + free:
            q = start + ranks[i] - base + skipped
            while True:
                if k < rowptr[p + 1] and col[k] <= q and (is_past_loop or col[k] < p):
                    k += 1
                elif not is_past_loop and p <= q:
                    is_past_loop = True
                else:
                    break
                skipped += 1
                q += 1
            pairs[i, 0] = p
            pairs[i, 1] = q
            i += 1
        base += free
    return pairs
