"""Stars: the pairs that share a node, summed at the node and read back at the pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.rows import starts
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

_SMALLEST = 256  # rows; for fewer, starting another thread does not pay


@dataclass(frozen=True, eq=False)
class Stars:
    """The nodes of each pair that it is summed at: one of its ends, or both.

    Two pairs are adjacent if they meet at a node. The graph of these adjacencies has as many edges as there are pairs
    of pairs, and it is never needed: the sum over the neighbours of a pair is the sum of its stars without itself.

    Example:
        >>> stars = Stars.at_both_ends(np.array([(0, 1), (0, 2), (2, 2)]), num_nodes=3)
        >>> stars.size.tolist(), stars.num_neighbours.tolist()
        ([2, 1, 2], [1, 2, 1])
    """

    ends: IntArray
    """The nodes of each pair; -1 for none, if both ends are the same node. int64, shape ``(num_pairs, 1 or 2)``."""
    num_nodes: int
    """Number of stars."""

    @classmethod
    def at_both_ends(cls, pairs: Pairs, num_nodes: int) -> Stars:
        """Pairs that meet at either end; a pair of a node with itself is in one star."""
        first, second = np.asarray(pairs, dtype=np.int64).reshape(-1, 2).T
        return cls(np.stack([first, np.where(first == second, -1, second)], axis=1), num_nodes)

    @classmethod
    def by_position(cls, pairs: Pairs, num_nodes: int) -> Stars:
        """Ordered pairs that meet at their first nodes, or at their second nodes.

        A node has two stars: v for the pairs that start there, ``num_nodes + v`` for those that end there.
        """
        first, second = np.asarray(pairs, dtype=np.int64).reshape(-1, 2).T
        return cls(np.stack([first, num_nodes + second], axis=1), 2 * num_nodes)

    @classmethod
    def at_one_end(cls, nodes: IntArray, num_nodes: int) -> Stars:
        """Pairs that meet at one of their ends, which is given."""
        return cls(np.ascontiguousarray(nodes, dtype=np.int64)[:, None], num_nodes)

    @property
    def num_pairs(self) -> int:
        """Number of pairs."""
        return len(self.ends)

    @cached_property
    def num_ends(self) -> IntArray:
        """Number of stars that each pair is in."""
        return (self.ends >= 0).sum(axis=1)

    @cached_property
    def size(self) -> IntArray:
        """Number of pairs of each star."""
        return np.bincount(self.ends[self.ends >= 0], minlength=self.num_nodes)

    @cached_property
    def num_neighbours(self) -> IntArray:
        """Number of other pairs that each pair meets."""
        return self.at_ends(self.size - 1)

    def at_ends(self, values: IntArray) -> IntArray:
        """The sum of a node's value over the ends of each pair."""
        return np.where(self.ends >= 0, values[self.ends], 0).sum(axis=1)

    @cached_property
    def rows(self) -> tuple[IntArray, IntArray]:
        """Compressed rows: star v has the pairs ``member[ptr[v] : ptr[v + 1]]``, ascending."""
        flat = self.ends.reshape(-1)
        order = np.argsort(flat, kind="stable")[np.count_nonzero(flat < 0) :]
        return starts(self.size), order // self.ends.shape[1]


def star_sums(x: FloatArray, stars: Stars, scale: FloatArray | None = None) -> FloatArray:
    """The sum of the pairs of each star: ``out[v] = sum of scale[i] * x[i] over the pairs i with the end v``.

    Args:
        x: One vector per pair, contiguous.
        stars: The ends of the pairs.
        scale: One number per pair, of the type of `x`; by default ones.

    Shape:
        - x: ``(num_pairs, channels)``
        - scale: ``(num_pairs,)``
        - output: ``(num_nodes, channels)``
    """
    ptr, member = stars.rows
    out = np.empty((stars.num_nodes, x.shape[1]), dtype=x.dtype)
    factor = np.ones(stars.num_pairs, dtype=x.dtype) if scale is None else scale
    run_ranges(lambda start, stop: _sum(ptr, member, x, factor, out, start, stop), len(out), smallest=_SMALLEST)
    return out


def at_stars(t: FloatArray, stars: Stars, scale: FloatArray | None = None) -> FloatArray:
    """The sum of the stars of each pair: ``out[i] = scale[i] * sum of t[v] over the ends v of pair i``.

    It is the transpose of :func:`star_sums`.

    Args:
        t: One vector per node, contiguous.
        stars: The ends of the pairs.
        scale: One number per pair, of the type of `t`; by default ones.

    Shape:
        - t: ``(num_nodes, channels)``
        - scale: ``(num_pairs,)``
        - output: ``(num_pairs, channels)``
    """
    out = np.empty((stars.num_pairs, t.shape[1]), dtype=t.dtype)
    factor = np.ones(stars.num_pairs, dtype=t.dtype) if scale is None else scale
    run_ranges(lambda start, stop: _gather(stars.ends, t, factor, out, start, stop), len(out), smallest=_SMALLEST)
    return out


@kernel
def _sum(ptr, member, x, scale, out, first_row, last_row):
    channels = x.shape[1]
    for v in range(first_row, last_row):
        for j in range(channels):
            out[v, j] = 0
        for k in range(ptr[v], ptr[v + 1]):
            i = member[k]
            factor = scale[i]
            for j in range(channels):
                out[v, j] += factor * x[i, j]


@kernel
def _gather(ends, t, scale, out, first_row, last_row):
    channels, has_two = t.shape[1], ends.shape[1] > 1
    for i in range(first_row, last_row):
        v, factor = ends[i, 0], scale[i]
        w = ends[i, 1] if has_two else -1
        if w >= 0:
            for j in range(channels):
                out[i, j] = factor * (t[v, j] + t[w, j])
        else:
            for j in range(channels):
                out[i, j] = factor * t[v, j]
