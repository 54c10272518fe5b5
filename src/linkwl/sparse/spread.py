"""Products of rows added to the rows that a list names."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numba
import numpy as np

from linkwl.sparse.row_parts import equal_parts
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray

_MOST_PARTS = 16
_SMALLEST_PART = 1 << 18  # bytes to add to; fewer are done before another thread has woken up
_LINE = 64  # bytes in a line of the processor's cache


class _Part(NamedTuple):
    """Rows of terms, from which key on the output is the part's own, and from which key on it adds to others' rows."""

    first_row: int
    last_row: int
    owned_from: int
    kept_from: int


def spread(y: FloatArray, x: FloatArray, ptr: IntArray, key: IntArray, other: IntArray, num_keys: int) -> FloatArray:
    """Multiply, scatter: ``out[i] = sum of y[s] * x[other[k]] over s and k in ptr[s] .. ptr[s + 1] with key[k] = i``.

    The terms stay in their order, in which nearby ones touch nearby rows: to sort them by key first takes longer than
    to sum them. They are cut into parts. A part owns the rows behind those that the parts before it reach; what it adds
    to other rows it keeps apart, to be added when all have finished. The cuts depend on the input alone, so the bits do
    not depend on how many threads there are.

    Args:
        y: A row for each group of terms, contiguous.
        x: What it is multiplied with, contiguous.
        ptr: Where the terms of each group start.
        key: The row of the output that a term is added to.
        other: The row of `x` that is in it.
        num_keys: How many rows the output has.

    Shape:
        - y: ``(num_groups, channels)``
        - x: ``(num_others, channels)``
        - output: ``(num_keys, channels)``
    """
    out = np.zeros((num_keys, y.shape[1]), dtype=y.dtype)
    parts = _cut(ptr, key, num_keys, y.shape[1] * y.itemsize)
    kept = run_all(lambda part: _spread(ptr, key, other, y, x, out, *part), parts)
    for part, rows in zip(parts, kept, strict=True):
        out[part.kept_from : part.kept_from + len(rows)] += rows
    return out


def _cut(ptr: IntArray, key: IntArray, num_keys: int, row_bytes: int) -> list[_Part]:
    """As many parts as pay: a row that is kept apart is made, read and added, which is worth several terms."""
    cost = 4 * max(1, row_bytes // _LINE)
    if len(key) * row_bytes > _SMALLEST_PART:
        for num_parts in (_MOST_PARTS, min(_MOST_PARTS, len(key) // (cost * max(1, num_keys)))):
            cut = equal_parts(ptr, num_parts)
            reach = run_all(lambda rows: _key_range(key[ptr[rows[0]] : ptr[rows[1]]]), cut)
            owned_from = [0, *accumulate((high + 1 for _, high in reach), max)]
            parts = [_Part(*rows, owned, low) for rows, owned, (low, _) in zip(cut, owned_from, reach, strict=False)]
            if cost * sum(max(0, part.owned_from - part.kept_from) for part in parts) <= len(key):
                return parts
    return [_Part(0, len(ptr) - 1, owned_from=0, kept_from=0)]


@numba.njit(nogil=True, cache=True)
def _key_range(keys):
    """The smallest and the largest key; what no key is below, and -1, if there is none."""
    if len(keys) == 0:
        return np.iinfo(np.int64).max, np.int64(-1)
    low, high = keys[0], keys[0]
    for key in keys:
        low, high = min(low, key), max(high, key)
    return np.int64(low), np.int64(high)


@numba.njit(nogil=True, cache=True)
def _spread(ptr, key, other, y, x, out, first_row, last_row, owned_from, kept_from):
    channels = y.shape[1]
    kept = np.zeros((max(0, owned_from - kept_from), channels), dtype=y.dtype)
    for s in range(first_row, last_row):
        for k in range(ptr[s], ptr[s + 1]):
            i, h = key[k], other[k]
            if i >= owned_from:
                for j in range(channels):
                    out[i, j] += y[s, j] * x[h, j]
            else:
                for j in range(channels):
                    kept[i - kept_from, j] += y[s, j] * x[h, j]
    return kept
