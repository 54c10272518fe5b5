"""Sums of consecutive rows."""

from __future__ import annotations

import numba
import numpy as np

from linkwl.sparse.row_parts import parts_for_threads
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray


def segment_sum(values: FloatArray, ptr: IntArray) -> FloatArray:
    """Sums of consecutive rows: ``out[s] = sum of values[k] over k in ptr[s] .. ptr[s + 1]``.

    Each row of the output is summed by one thread in the order of its terms.

    Args:
        values: What is summed, contiguous.
        ptr: Where the rows of each output start; ascending from 0 to ``num_rows``.

    Shape:
        - values: ``(num_rows, channels)``
        - ptr: ``(num_out + 1,)``
        - output: ``(num_out, channels)``
    """
    out = np.empty((len(ptr) - 1, values.shape[1]), dtype=values.dtype)
    run_all(lambda rows: _segment_sum(values, ptr, out, *rows), parts_for_threads(ptr, values.shape[1]))
    return out


@numba.njit(nogil=True, cache=True)
def _segment_sum(values, ptr, out, first_row, last_row):
    channels = values.shape[1]
    for s in range(first_row, last_row):
        for j in range(channels):
            out[s, j] = 0
        for k in range(ptr[s], ptr[s + 1]):
            for j in range(channels):
                out[s, j] += values[k, j]
