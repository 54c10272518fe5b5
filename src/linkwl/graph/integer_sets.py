"""Sets of facts as ascending integers: distinct values, places and ranges."""

from __future__ import annotations

import numpy as np

from linkwl.typing import IntArray


def row_starts(ascending: IntArray, num_nodes: int) -> IntArray:
    """The start of each node's range in an ascending array, and the end of the last range."""
    starts = np.searchsorted(ascending, np.arange(num_nodes + 1))
    starts.setflags(write=False)
    return starts


def distinct(values: IntArray) -> IntArray:
    """The distinct values, ascending; ``np.unique`` hashes integers, which takes many times longer."""
    ascending = np.sort(values)
    return ascending[np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)]]


def pair_numbers(first: IntArray, second: IntArray, num_nodes: int) -> IntArray:
    """Each pair of nodes as an integer, the same for both directions."""
    return np.minimum(first, second).astype(np.int64) * num_nodes + np.maximum(first, second)


def find_places(ascending: IntArray, values: IntArray) -> IntArray:
    """The position of each value in an array of distinct ascending values, or -1."""
    if len(ascending) == 0:
        return np.full(len(values), -1)
    place = np.searchsorted(ascending, values)
    is_found = ascending[np.minimum(place, len(ascending) - 1)] == values
    return np.where(is_found, place, -1)
