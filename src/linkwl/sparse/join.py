"""Sums of products of rows, all channels at once, and their gradients."""

from __future__ import annotations

import numba
import numpy as np

from linkwl.sparse.row_parts import parts_for_threads
from linkwl.sparse.spread import spread
from linkwl.sparse.triples import Triples
from linkwl.threads import run_all
from linkwl.typing import FloatArray


def join(a: FloatArray, b: FloatArray, triples: Triples) -> FloatArray:
    """Gather, multiply, sum: ``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``.

    The products are never stored. Each row of the output is summed by one thread in the order of its terms, so the bits
    do not depend on how many threads there are.

    Args:
        a: Rows of the first factor, contiguous.
        b: Rows of the second factor, contiguous and of the type of `a`.
        triples: Which rows meet.

    Shape:
        - a: ``(num_left, channels)``
        - b: ``(num_right, channels)``
        - output: ``(num_out, channels)``
    """
    out = np.empty((triples.num_out, a.shape[1]), dtype=a.dtype)
    parts = parts_for_threads(triples.ptr, a.shape[1])
    run_all(lambda rows: _join(triples.ptr, triples.left, triples.right, a, b, out, *rows), parts)
    return out


def join_left(y: FloatArray, b: FloatArray, triples: Triples) -> FloatArray:
    """Gradient of a join by its first factor: ``out[i] = sum of y[s] * b[right[k]] over the terms with left[k] = i``.

    Shape:
        - y: ``(num_out, channels)``
        - b: ``(num_right, channels)``
        - output: ``(num_left, channels)``
    """
    return spread(y, b, triples.ptr, triples.left, triples.right, triples.num_left)


def join_right(y: FloatArray, a: FloatArray, triples: Triples) -> FloatArray:
    """Gradient of a join by its second factor: ``out[i] = sum of y[s] * a[left[k]] over the terms with right[k] = i``.

    Shape:
        - y: ``(num_out, channels)``
        - a: ``(num_left, channels)``
        - output: ``(num_right, channels)``
    """
    return spread(y, a, triples.ptr, triples.right, triples.left, triples.num_right)


@numba.njit(nogil=True, cache=True)
def _join(ptr, left, right, a, b, out, first_row, last_row):
    channels = a.shape[1]
    for s in range(first_row, last_row):
        for j in range(channels):
            out[s, j] = 0
        for k in range(ptr[s], ptr[s + 1]):
            i, h = left[k], right[k]
            for j in range(channels):
                out[s, j] += a[i, j] * b[h, j]
