"""The terms of a join of two arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.typing import IntArray

_NARROW_LIMIT = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Triples:
    """Terms of a join: ``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``.

    Which terms there are depends on the graph alone, so they are found once and used for every channel, forward and
    backward.

    Example:
        >>> Triples(np.array([0, 2]), np.array([0, 1]), np.array([1, 1]), num_left=2, num_right=3)
        Triples(1 out, 2 left, 3 right, 2 terms)
    """

    ptr: IntArray
    """The terms of output s are ``ptr[s] : ptr[s + 1]``; int64, shape ``(num_out + 1,)``."""
    left: IntArray
    """Row of the first factor of each term; int32 if all counts fit, else int64."""
    right: IntArray
    """Row of the second factor of each term, of the type of `left`."""
    num_left: int
    num_right: int

    @property
    def num_out(self) -> int:
        """Rows of the output."""
        return len(self.ptr) - 1

    @property
    def num_terms(self) -> int:
        """Products that are summed."""
        return len(self.left)

    def __repr__(self) -> str:
        return f"Triples({self.num_out} out, {self.num_left} left, {self.num_right} right, {self.num_terms} terms)"


def index_type(*counts: int) -> type[np.signedinteger[Any]]:
    """The narrowest type that can number that many things: an index of half the bytes is read in half the time."""
    return np.int32 if max(counts) <= _NARROW_LIMIT else np.int64
