"""Entries of an n x n matrix that is never stored: columns are computed and read a few at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from linkwl.graph import Graph
from linkwl.sparse import neighbour_sum
from linkwl.threads import run_all
from linkwl.typing import FloatArray, IntArray, Pairs

MAX_DENSE_NODES = 6000
"""Up to this size a dense factorisation is fast (five seconds) and small (300 MB)."""
_MIN_DENSITY = 1 / 400
"""Density above which it is faster than a series of sparse products."""

_BLOCK_BYTES = 2**25
_MAX_WIDTH = 64  # wider blocks of columns no longer fit in the processor's cache

ReadColumns = Callable[[IntArray, IntArray, IntArray], FloatArray]
"""``read(sources, row, slot)``: the entries of row ``row[i]`` and column ``sources[slot[i]]``."""


def prefers_dense(graph: Graph, max_dense_nodes: int) -> bool:
    """Whether a dense factorisation is faster; this depends on the graph alone, never on the pairs."""
    return graph.num_nodes <= max_dense_nodes and len(graph.col) >= _MIN_DENSITY * graph.num_nodes**2


def symmetric_entries(pairs: Pairs, num_nodes: int, read: ReadColumns) -> FloatArray:
    """The entries ``M[p, q]`` of a symmetric matrix, from few of its columns.

    Each pair needs the column of one of its ends. The end that occurs in more pairs is used: ranking the partners of
    one node costs a single column, and the test pairs of Pubmed need within 7 % of the minimal number of columns.
    """
    return column_entries(*_ends(pairs, num_nodes), num_nodes, read)


def column_entries(source: IntArray, row: IntArray, num_nodes: int, read: ReadColumns) -> FloatArray:
    """The entries of row ``row[i]`` and column ``source[i]`` of a matrix; every needed column is computed once."""
    order = np.argsort(source, kind="stable")
    sources, start = np.unique(source[order], return_index=True)
    start = np.append(start, len(order))
    values = np.empty(len(row))

    def work(block: IntArray) -> None:
        users = order[start[block[0]] : start[block[-1] + 1]]  # the pairs that need these columns
        slot = np.searchsorted(sources[block], source[users])
        values[users] = read(sources[block], row[users], slot)

    run_all(work, blocks(len(sources), num_nodes))
    return values


class InverseEntries:
    """Entries of ``(I - steps)^-1 @ right``, symmetric, by one Cholesky factorisation.

    ``steps`` is a scaled adjacency matrix: no entry is negative and the diagonal is 0. Every sum in the two triangular
    solves then adds terms of one sign, so the smallest entries are as accurate as the largest.
    """

    def __init__(self, steps: sp.csr_array, right: sp.csr_array) -> None:
        matrix = (-steps).toarray(order="F")
        np.fill_diagonal(matrix, 1)
        self._factor = scipy.linalg.cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
        self._right = right

    def __call__(self, pairs: Pairs) -> FloatArray:
        """The entries at some pairs."""
        return symmetric_entries(pairs, self._right.shape[0], self._read)

    def _read(self, sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
        columns = self._right[sources].toarray().T  # `right` is symmetric, and selecting rows is cheap
        columns = scipy.linalg.cho_solve(self._factor, columns, overwrite_b=True, check_finite=False)
        return columns[row, slot]


class SeriesEntries:
    """Entries of ``sum of M^k over k >= 1``, M = diag(left) W diag(right), its powers symmetric up to scale.

    W is the adjacency matrix, with the relative weights of the edges if they have any.

    Terms are added until the last two of every requested entry are within ``tolerance`` of its sum (two, since the ends
    of a pair may be joined by walks of even or of odd length only). No term is negative, so nothing cancels, and the
    tiny sums of distant pairs are as accurate as those of close pairs; sums below the smallest float are 0.
    """

    def __init__(self, graph: Graph, left: FloatArray, right: FloatArray, tolerance: float) -> None:
        self._graph, self._left, self._right, self._tolerance = graph, left, right, tolerance
        _, self._component = connected_components(graph.to_scipy(), directed=False)

    def __call__(self, pairs: Pairs) -> FloatArray:
        """The entries at some pairs."""
        return symmetric_entries(pairs, self._graph.num_nodes, self._read)

    def _read(self, sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
        graph, component = self._graph, self._component
        # Walks join nodes of one component, and a node to itself if it has a neighbour; all other sums stay 0.
        is_joined = (component[row] == component[sources[slot]]) & (graph.degree[row] > 0)
        current = unit_columns(sources, graph.num_nodes)
        spare = np.zeros_like(current)
        total: FloatArray = np.zeros(len(row))
        last: FloatArray = np.zeros(len(row))
        while True:
            neighbour_sum(graph.rowptr, graph.col, self._left, self._right, current, 0.0, spare, graph.relative_weight)
            current, spare = spare, current
            term = current[row, slot]
            total += term
            if ((term + last <= self._tolerance * total) & ((total > 0) | ~is_joined)).all():
                return total
            if not term.any() and not current.any():  # longer walks underflow to 0
                return total
            last = term


def unit_columns(sources: IntArray, num_nodes: int) -> FloatArray:
    """The columns of the identity matrix that belong to ``sources``."""
    columns = np.zeros((num_nodes, len(sources)))
    columns[sources, np.arange(len(sources))] = 1
    return columns


def blocks(num_columns: int, num_nodes: int) -> Iterator[IntArray]:
    """The numbers 0 .. num_columns - 1, a block of columns at a time."""
    width = block_width(num_nodes)
    for start in range(0, num_columns, width):
        yield np.arange(start, min(start + width, num_columns))


def block_width(num_nodes: int) -> int:
    """Number of columns computed together."""
    return min(max(_BLOCK_BYTES // (8 * max(num_nodes, 1)), 1), _MAX_WIDTH)


def _ends(pairs: Pairs, num_nodes: int) -> tuple[IntArray, IntArray]:
    """The end whose column is computed and the row that is read in it; the same for (p, q) and (q, p)."""
    uses = np.bincount(pairs.ravel(), minlength=num_nodes)
    p, q = pairs.min(axis=1), pairs.max(axis=1)
    is_q = uses[q] > uses[p]
    return np.where(is_q, q, p), np.where(is_q, p, q)
