"""The kernels written down plainly, to check the fast ones against."""

from __future__ import annotations

import numpy as np

from linkwl.typing import FloatArray, IntArray, Pairs


def common_neighbour_sums(rowptr: IntArray, col: IntArray, pairs: Pairs, weights: FloatArray) -> FloatArray:
    """``out[i, k] = sum of weights[v, k] over v in N(p) and N(q)``, (p, q) = pairs[i]."""
    neighbours = [set(col[rowptr[v] : rowptr[v + 1]].tolist()) for v in range(len(rowptr) - 1)]
    out = np.zeros((len(pairs), weights.shape[1]))
    for i, (p, q) in enumerate(pairs):
        for v in neighbours[p] & neighbours[q]:
            out[i] += weights[v]
    return out


def neighbour_sum(
    rowptr: IntArray,
    col: IntArray,
    left: FloatArray,
    right: FloatArray,
    x: FloatArray,
    shift: float,
    out: FloatArray,
) -> None:
    """``out[p] <- left[p] * (sum of right[q] * x[q] over q in N(p)) + shift * out[p]``."""
    for p in range(len(rowptr) - 1):
        out[p] *= shift
        for q in col[rowptr[p] : rowptr[p + 1]]:
            out[p] += left[p] * right[q] * x[q]
