"""Compressed rows: from raw rows of node indices to sorted neighbour lists, and look-ups in them.

An edge (p, q) travels as the 64-bit key ``p << 32 | q << 1 | is_reversed``: in sorted keys copies fall together and
their directions can still be told apart. Keys are first dealt into about a thousand blocks of neighbouring p, so that
each block is sorted within the processor's cache.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from linkwl.typing import BoolArray, IntArray

MAX_NODES = 2**31 - 1
"""Node indices have 31 bits, so that a key fits in 64."""


def distinct_edges(
    source: IntArray, target: IntArray, num_nodes: int, is_directed: bool
) -> tuple[IntArray, IntArray, int, int]:
    """The distinct edges among the rows ``source[i] -> target[i]``, in ascending order.

    Returns:
        First ends, second ends (undirected: first < second), how many rows were loops, and how many undirected edges
        came in both directions.
    """
    shift = max(0, num_nodes.bit_length() - 10)
    ptr, keys = _deal(source, target, shift, (num_nodes >> shift) + 1, is_directed)
    blocks = np.split(keys, ptr[1:-1])
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # numpy sorts without holding the interpreter's lock
        list(pool.map(np.ndarray.sort, blocks))
    first, second, both = _distinct(keys)
    return first, second, len(source) - len(keys), both


@numba.njit(nogil=True, cache=True)
def _deal(source, target, shift, num_blocks, is_directed):
    """Keys of the rows that are no loops, block by block of ``p >> shift``."""
    ptr = np.zeros(num_blocks + 1, dtype=np.int64)
    for i in range(len(source)):
        p, q = source[i], target[i]
        if p != q:
            ptr[((p if is_directed or p < q else q) >> shift) + 1] += 1
    for b in range(num_blocks):
        ptr[b + 1] += ptr[b]
    cursor = ptr[:-1].copy()
    keys = np.empty(ptr[num_blocks], dtype=np.uint64)
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
    return ptr, keys


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


@numba.njit(nogil=True, cache=True)
def undirected_csr(source, target, num_nodes):
    """Both directions of the distinct edges ``source < target``, given in order; rows come out sorted.

    Row q receives its smaller neighbours while their rows are visited, before its own larger ones: one pass, no sort.
    """
    rowptr = np.zeros(num_nodes + 1, dtype=np.int64)
    for e in range(len(source)):
        rowptr[source[e] + 1] += 1
        rowptr[target[e] + 1] += 1
    for v in range(num_nodes):
        rowptr[v + 1] += rowptr[v]
    cursor = rowptr[:-1].copy()
    col = np.empty(2 * len(source), dtype=np.int32)
    for e in range(len(source)):
        p, q = source[e], target[e]
        col[cursor[p]] = q
        cursor[p] += 1
        col[cursor[q]] = p
        cursor[q] += 1
    return rowptr, col


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
