"""Sums of products of rows, all channels at once, and their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.rows import equal_parts, parts_for_threads
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray

_MOST_PARTS = 16
_SMALLEST_PART = 1 << 18  # bytes of output; for fewer, starting another thread does not pay
_LINE = 64  # bytes per cache line


@dataclass(frozen=True, eq=False)
class Triples:
    """Terms of a join: ``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``.

    The terms depend on the graph alone, so they are computed once and used for every channel, forward and backward.

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
        """Number of rows of the output."""
        return len(self.ptr) - 1

    @property
    def num_terms(self) -> int:
        """Number of products."""
        return len(self.left)

    def __repr__(self) -> str:
        return f"Triples({self.num_out} out, {self.num_left} left, {self.num_right} right, {self.num_terms} terms)"


def join(a: FloatArray, b: FloatArray, triples: Triples) -> FloatArray:
    """Gather, multiply, sum: ``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``.

    The products are never stored. Each row of the output is summed by one thread in the order of its terms, so the bits
    do not depend on the number of threads.

    Args:
        a: Rows of the first factor, contiguous.
        b: Rows of the second factor, contiguous and of the type of `a`.
        triples: Which rows are multiplied.

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


@kernel
def _join(ptr, left, right, a, b, out, first_row, last_row):
    channels = a.shape[1]
    for s in range(first_row, last_row):
        for j in range(channels):
            out[s, j] = 0
        for k in range(ptr[s], ptr[s + 1]):
            i, h = left[k], right[k]
            for j in range(channels):
                out[s, j] += a[i, j] * b[h, j]


class _Part(NamedTuple):
    """Rows of terms, the first key that the part owns, and the first key that it adds to in rows of other parts."""

    first_row: int
    last_row: int
    owned_from: int
    kept_from: int


def spread(y: FloatArray, x: FloatArray, ptr: IntArray, key: IntArray, other: IntArray, num_keys: int) -> FloatArray:
    """Multiply, scatter: ``out[i] = sum of y[s] * x[other[k]] over s and k in ptr[s] .. ptr[s + 1] with key[k] = i``.

    The terms keep their order, in which nearby terms touch nearby rows: sorting them by key first takes longer than
    summing them. They are cut into parts. A part owns the rows after those that earlier parts reach; its contributions
    to other rows are stored separately and added when all parts have finished. The cuts depend on the input alone, so
    the bits do not depend on the number of threads.

    Args:
        y: One row per group of terms, contiguous.
        x: The rows of the other factor, contiguous.
        ptr: The start of the terms of each group.
        key: The row of the output that a term is added to.
        other: The row of `x` in each term.
        num_keys: Number of rows of the output.

    Shape:
        - y: ``(num_groups, channels)``
        - x: ``(num_others, channels)``
        - output: ``(num_keys, channels)``
    """
    out = np.zeros((num_keys, y.shape[1]), dtype=y.dtype)
    parts = _cut(ptr, key, num_keys, y.shape[1] * y.itemsize)
    kept = run_all(lambda part: _spread(ptr, key, other, y, x, out, *part), parts)
    for part, rows in zip(parts, kept, strict=True):
        out[part.kept_from : part.kept_from + len(rows)] += rows
    return out


def _cut(ptr: IntArray, key: IntArray, num_keys: int, row_bytes: int) -> list[_Part]:
    """As many parts as pay off: a separately stored row is allocated, read and added, which costs several terms."""
    cost = 4 * max(1, row_bytes // _LINE)
    if len(key) * row_bytes > _SMALLEST_PART:
        for num_parts in (_MOST_PARTS, min(_MOST_PARTS, len(key) // (cost * max(1, num_keys)))):
            cut = equal_parts(ptr, num_parts)
            reach = run_all(lambda rows: _key_range(key[ptr[rows[0]] : ptr[rows[1]]]), cut)
            owned_from = [0, *accumulate((high + 1 for _, high in reach), max)]
            parts = [_Part(*rows, owned, low) for rows, owned, (low, _) in zip(cut, owned_from, reach, strict=False)]
            if cost * sum(max(0, part.owned_from - part.kept_from) for part in parts) <= len(key):
                return parts
    return [_Part(0, len(ptr) - 1, owned_from=0, kept_from=0)]


@kernel
def _key_range(keys):
    """The smallest and the largest key; the largest integer and -1 if there are no keys."""
    if len(keys) == 0:
        return np.iinfo(np.int64).max, np.int64(-1)
    low, high = keys[0], keys[0]
    for key in keys:
        low, high = min(low, key), max(high, key)
    return np.int64(low), np.int64(high)


@kernel
def _spread(ptr, key, other, y, x, out, first_row, last_row, owned_from, kept_from):
    channels = y.shape[1]
    kept = np.zeros((max(0, owned_from - kept_from), channels), dtype=y.dtype)
    for s in range(first_row, last_row):
        for k in range(ptr[s], ptr[s + 1]):
            i, h = key[k], other[k]
            if i >= owned_from:
                for j in range(channels):
                    out[i, j] += y[s, j] * x[h, j]
            else:
                for j in range(channels):
                    kept[i - kept_from, j] += y[s, j] * x[h, j]
    return kept
