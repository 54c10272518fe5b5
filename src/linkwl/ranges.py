"""Ranges of arrays: the entries of many ranges at once, and the ranges of equal values."""

from __future__ import annotations

import numpy as np

from linkwl.typing import IntArray


def range_entries(starts: IntArray, stops: IntArray) -> tuple[IntArray, IntArray]:
    """The entries of ranges, one range after the other: the place of each entry's range, and the entry.

    Example:
        >>> range_entries(np.array([5, 0, 2]), np.array([7, 0, 3]))
        (array([0, 0, 2]), array([5, 6, 2]))
    """
    sizes = stops - starts
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return owner, np.arange(len(owner)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)


def equal_entries(values: IntArray, ascending: IntArray) -> tuple[IntArray, IntArray]:
    """Positions of equal values: in ``values``, and in an ascending array, one row for each match.

    Example:
        >>> equal_entries(np.array([3, 1]), np.array([1, 3, 3]))
        (array([0, 0, 1]), array([1, 2, 0]))
    """
    return range_entries(*(np.searchsorted(ascending, values, side=side) for side in ("left", "right")))
