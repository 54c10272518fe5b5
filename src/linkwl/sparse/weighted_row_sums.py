"""Weighted sums of rows: the product of a sparse matrix with a dense one."""

from __future__ import annotations

import numba


@numba.njit(nogil=True, cache=True)
def weighted_row_sums(rowptr, col, value, x, start, stop, out):
    """Writes ``out[p] = sum of value[k] * x[col[k]] over k in rowptr[p] .. rowptr[p + 1]`` for p in start .. stop.

    It runs on the calling thread and lets go of the interpreter's lock.

    Shape:
        - col, value: ``(num_entries,)``
        - x: ``(num_columns, width)``
        - out: ``(num_rows, width)``
    """
    width = x.shape[1]
    for p in range(start, stop):
        total = out[p]
        total[:] = 0
        for k in range(rowptr[p], rowptr[p + 1]):
            weight, row = value[k], x[col[k]]
            for j in range(width):
                total[j] += weight * row[j]
