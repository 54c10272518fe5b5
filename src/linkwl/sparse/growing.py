"""Arrays that grow inside kernels."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def with_room(array, size, num_more):
    """The array itself if that many more entries fit behind the first ``size``, else a longer one with those."""
    if size + num_more <= len(array):
        return array
    longer = np.empty(2 * len(array) + num_more, dtype=array.dtype)
    longer[:size] = array[:size]
    return longer
