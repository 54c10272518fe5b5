"""Positions grouped by a key."""

from __future__ import annotations

import numpy as np

from linkwl.typing import IntArray


def group_by(key: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The distinct keys, the start of each group, and the positions group by group.

    The positions with the key ``keys[g]`` are ``order[start[g] : start[g + 1]]``, ascending.

    Example:
        >>> keys, start, order = group_by(np.array([7, 3, 7]))
        >>> keys.tolist(), start.tolist(), order.tolist()
        ([3, 7], [0, 1, 3], [1, 0, 2])
    """
    order = np.argsort(key, kind="stable")
    keys, start = np.unique(key[order], return_index=True)
    return keys, np.append(start, len(key)), order
