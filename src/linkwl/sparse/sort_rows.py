"""The first rows of every part of a table, in the order of its columns."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray

_SMALLEST = 64  # parts; for fewer, starting another thread does not pay


def largest_rows(x: FloatArray, ptr: IntArray, count: int) -> IntArray:
    """The places of the ``count`` largest rows of each part: by the last column, ties by the one before, and so on.

    Rows that are equal in every column stay in their order. Parts with fewer rows are filled up with -1.

    Args:
        x: The rows, contiguous.
        ptr: The rows of part i are ``ptr[i] : ptr[i + 1]``.
        count: The number of rows to take from each part.

    Shape:
        - x: ``(num_rows, columns)``
        - ptr: ``(num_parts + 1,)``
        - output: ``(num_parts, count)``
    """
    out = np.full((len(ptr) - 1, count), -1, dtype=np.int64)
    run_ranges(lambda start, stop: _largest_rows(x, ptr, out, start, stop), len(out), smallest=_SMALLEST)
    return out


@kernel
def _largest_rows(x, ptr, out, start, stop):
    last = x.shape[1] - 1
    for i in range(start, stop):
        low, high = ptr[i], ptr[i + 1]
        order = low + np.argsort(-x[low:high, last], kind="mergesort")
        # Ties are rare and short, so they are sorted by insertion.
        for k in range(1, len(order)):
            row, place = order[k], k
            while place > 0 and _is_larger(x, row, order[place - 1]):
                order[place] = order[place - 1]
                place -= 1
            order[place] = row
        taken = min(len(order), out.shape[1])
        out[i, :taken] = order[:taken]


@kernel
def _is_larger(x, row, other):
    for j in range(x.shape[1] - 1, -1, -1):
        if x[row, j] != x[other, j]:
            return x[row, j] > x[other, j]
    return False
