"""Walks along and against directed edges with weights: features of an ordered pair that are not learned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from linkwl.sparse.directed_walks import DirectedEdges, DirectedWalkTable, patterns
from linkwl.typing import FloatArray, IntArray, Pairs

LONGEST = 3
"""The longest walks, of which all patterns are counted."""
_SMALLEST = 1e-7


class DirectedValues(NamedTuple):
    """Weights of directed edges in compressed rows."""

    rowptr: IntArray
    col: IntArray
    value: FloatArray
    """Several weights of each entry of ``col``, each above 0; shape ``(num_entries, num_values)``."""


def directed_weighted_channels(num_values: int, steps: int) -> int:
    """Width of a row of :class:`DirectedWeightedWalks`."""
    return num_values * (len(patterns(min(steps, LONGEST))) + 5)


class DirectedWeightedWalks:
    r"""Logarithms of walks by the pattern of their directions, once for each kind of weight, and sums of weights.

    With :math:`S = D_{out}^{-1/2} W D_{in}^{-1/2}`, D the sums of the rows and of the columns of W: walks from p to q
    of two and three steps, along edges by S and against them by :math:`S^\top`; the reverse edge, :math:`S_{qp}`; and
    the sums of the weights of edges that leave p, leave q, arrive at p and arrive at q.

    Args:
        values: The edges and their weights.
        steps: Length of the longest walks; at most :data:`LONGEST` are used.
    """

    def __init__(self, values: DirectedValues, steps: int) -> None:
        rowptr, col, value = values
        num_nodes = len(rowptr) - 1
        row = np.repeat(np.arange(num_nodes), np.diff(rowptr))
        self._tables, self._edges, sums = [], [], []
        for column in value.T:
            totals = [np.bincount(ends, column, num_nodes) for ends in (row, col)]
            leaving, arriving = (1 / np.sqrt(np.where(total > 0, total, 1.0)) for total in totals)
            step = sp.csr_array((leaving[row] * column * arriving[col], col, rowptr), shape=(num_nodes, num_nodes))
            sides = [
                DirectedEdges(side.indptr.astype(np.int64), side.indices.astype(np.int32), side.data)
                for side in (step, step.T.tocsr())
            ]
            self._tables.append(DirectedWalkTable(sides[0], sides[1], min(steps, LONGEST)))
            self._edges.append(step)
            sums += [np.log1p(total) for total in totals]
        self._sums = np.stack(sums, axis=1)

    def at(self, pairs: Pairs) -> FloatArray:
        """The rows of ordered pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, directed_weighted_channels(..))``
        """
        p, q = np.asarray(pairs).T
        walks = [np.log(table.at(pairs).between + _SMALLEST) for table in self._tables]
        reverse = [np.log(np.asarray(step[q, p]).reshape(-1, 1) + _SMALLEST) for step in self._edges]
        return np.concatenate([*walks, *reverse, self._sums[p], self._sums[q]], axis=1)
