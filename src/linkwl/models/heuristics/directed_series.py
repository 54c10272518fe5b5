"""Entries of series of directed walks, a few columns at a time."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.models.heuristics.entries import column_entries, unit_columns
from linkwl.sparse import neighbour_sum
from linkwl.typing import FloatArray, IntArray, Pairs

MOST_STEPS = 5000
"""A series that has not halved after so many steps has a radius above 0.9998, and needs too many terms."""


class DirectedSteps(NamedTuple):
    """The matrix M = diag(left) W diag(right) of the steps of directed walks; no entry is negative.

    W is the adjacency matrix, with the relative weights of the edges if they have any.
    """

    graph: Graph
    left: FloatArray
    right: FloatArray

    @property
    def transposed(self) -> DirectedSteps:
        """The steps of the reversed edges."""
        return DirectedSteps(self.graph.reversed, self.right, self.left)

    def walk(self, x: FloatArray, out: FloatArray) -> None:
        """``out <- M x``."""
        neighbour_sum(self.graph.rowptr, self.graph.col, self.left, self.right, x, 0.0, out, self.graph.relative_weight)

    def growth(self) -> float:
        r"""Bounds the series: no entry of :math:`\sum_{j \ge 1} M^j x` exceeds it times the largest of x >= 0.

        With :math:`c_j = \lVert M^j \rVert_\infty`, the largest entry of :math:`M^j 1`, and the first w with
        :math:`c_w \le 1/2`, it is :math:`\sum_{j \le w} c_j / (1 - c_w)`.

        Raises:
            OverflowError: If there is no such w among the first :data:`MOST_STEPS`; its argument bounds the largest
                eigenvalue from above.
        """
        current = np.ones((self.graph.num_nodes, 1))
        spare, total = np.zeros_like(current), 0.0
        log_scale = 0.0  # walks may grow beyond the largest float
        for _ in range(MOST_STEPS):
            self.walk(current, spare)
            current, spare = spare, current
            norm = float(current.max(initial=0.0))
            if norm == 0.0:
                return total
            log_norm = log_scale + np.log(norm)
            total += np.exp(min(log_norm, 700.0))
            if log_norm <= np.log(0.5):
                return total / (1 - np.exp(log_norm))
            current /= norm
            log_scale = log_norm
        raise OverflowError(float(np.exp(log_scale / MOST_STEPS)))


class DirectedSeries:
    """Entries of ``sum of M^k over k >= 1`` for the steps M of directed walks.

    A pair needs the column of its second end, or the row of its first, which is a column of the transposed matrix: the
    end that occurs in more pairs is used. Terms are added until the rest of the series is within ``tolerance`` of every
    requested entry, by the bound of :meth:`DirectedSteps.growth`. That no walk joins a pair is known once a step has
    reached no new node.
    """

    def __init__(self, steps: DirectedSteps, tolerance: float) -> None:
        self._ways = [(way, way.growth() / tolerance) for way in (steps, steps.transposed)]

    def __call__(self, pairs: Pairs) -> FloatArray:
        """The entries at some pairs."""
        p, q = pairs.T
        by_row = np.bincount(p)[p] > np.bincount(q)[q]
        values = np.empty(len(pairs))
        for chosen, source, row, way in ((~by_row, q, p, self._ways[0]), (by_row, p, q, self._ways[1])):
            num_nodes = way[0].graph.num_nodes
            values[chosen] = column_entries(source[chosen], row[chosen], num_nodes, partial(_read, *way))
        return values


def _read(steps: DirectedSteps, rest: float, sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
    """The sums of some entries, until ``rest`` times the largest entry of a column is below each that is read of it."""
    current = unit_columns(sources, steps.graph.num_nodes)
    spare, is_reached = np.zeros_like(current), np.zeros(current.shape, dtype=np.bool_)
    num_reached, is_growing = 0, True
    total: FloatArray = np.zeros(len(row))
    while True:
        steps.walk(current, spare)
        current, spare = spare, current
        total += current[row, slot]
        if is_growing:
            is_reached |= current > 0
            before, num_reached = num_reached, int(np.count_nonzero(is_reached))
            is_growing = num_reached > before
        if not current.any():
            return total
        if not is_growing and ((rest * current.max(axis=0)[slot] <= total) | ~is_reached[row, slot]).all():
            return total
