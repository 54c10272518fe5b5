"""Walks along weighted edges: features of a pair that are not learned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.nn.directed_weighted_walks import DirectedValues, DirectedWeightedWalks, directed_weighted_channels
from linkwl.sparse.walks import WalkTable
from linkwl.typing import FloatArray, IntArray, Pairs

LONGEST = 4
"""The longest weighted walks: longer ones say little that those without weights do not."""
_SMALLEST = 1e-7


class EdgeValues(NamedTuple):
    """Numbers of edges and nodes; every edge is stored in both directions."""

    rowptr: IntArray
    col: IntArray
    value: FloatArray
    """Several weights of each entry of ``col``, each above 0; shape ``(num_entries, num_values)``."""
    node: FloatArray
    """Numbers of each node on a logarithmic scale; shape ``(num_nodes, num_node_values)``."""
    along: DirectedValues | None = None
    """The same weights of the edges in their directions, if these are read."""


def weighted_channels(num_values: int, num_node_values: int, steps: int, *, is_directed: bool = False) -> int:
    """Width of a row of :class:`WeightedWalks`."""
    undirected = num_values * (min(steps, LONGEST) - 1) + 2 * num_node_values
    return undirected + (directed_weighted_channels(num_values, steps) if is_directed else 0)


class WeightedWalks:
    r"""Logarithms of walks of two to four edges, once for each kind of weight, and numbers of the two ends.

    With :math:`S = D^{-1/2} W D^{-1/2}`, D the sums of the rows of W: :math:`(S^k)_{pq}`; then the smaller and the
    larger of each number of the ends. (p, q) and (q, p) have the same row. If directions are read, the numbers are
    those of p, then of q, and :class:`~linkwl.nn.directed_weighted_walks.DirectedWeightedWalks` follow.

    Args:
        values: The weights and numbers.
        steps: Length of the longest walks; at most :data:`LONGEST` are used.
    """

    def __init__(self, values: EdgeValues, steps: int) -> None:
        rowptr, col, value, self._node, along = values
        self._directed = None if along is None else DirectedWeightedWalks(along, steps)
        row = np.repeat(np.arange(len(rowptr) - 1), np.diff(rowptr))
        self._tables = []
        for column in value.T:
            total = np.bincount(row, column, len(rowptr) - 1)
            root = 1 / np.sqrt(np.where(total > 0, total, 1.0))
            self._tables.append(WalkTable(rowptr, col, root[row] * column * root[col], min(steps, LONGEST)))

    def at(self, pairs: Pairs) -> FloatArray:
        """The rows of pairs.

        Shape:
            - pairs: ``(num_pairs, 2)``
            - output: ``(num_pairs, weighted_channels(..))``
        """
        walks = [np.log(table.at(pairs).between + _SMALLEST) for table in self._tables]
        ends = self._node[pairs]  # (num_pairs, 2, num_node_values)
        if self._directed is None:
            return np.concatenate([*walks, np.sort(ends, axis=1).reshape(len(pairs), -1)], axis=1)
        return np.concatenate([*walks, ends.reshape(len(pairs), -1), self._directed.at(pairs)], axis=1)
