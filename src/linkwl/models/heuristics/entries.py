"""Entries of a symmetric n x n matrix that is never stored: a few columns at a time are computed, read and dropped."""

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
"""Up to this size a dense factorisation is quick (five seconds) and small (300 MB)."""
_MIN_DENSITY = 1 / 400
"""Share of the node pairs that must be edges for it to be quicker than a series of sparse products."""

_BLOCK_BYTES = 2**25
_MAX_WIDTH = 64  # wider blocks of columns no longer fit in the processor's cache

ReadColumns = Callable[[IntArray, IntArray, IntArray], FloatArray]
"""``read(sources, row, slot)``: the entries of row ``row[i]`` and column ``sources[slot[i]]``."""


def prefers_dense(graph: Graph, max_dense_nodes: int) -> bool:
    """Whether a dense factorisation is the quicker way; the graph alone decides, never the pairs."""
    return graph.num_nodes <= max_dense_nodes and len(graph.col) >= _MIN_DENSITY * graph.num_nodes**2


def symmetric_entries(pairs: Pairs, num_nodes: int, read: ReadColumns) -> FloatArray:
    """The entries ``M[p, q]`` of a symmetric matrix, from few of its columns.

    Each pair needs the column of one of its ends. The end that stands in more pairs is taken: ranking the partners of
    one node costs a single column, and the test pairs of Pubmed come within 7 % of the least number possible.
    """
    source, row = _ends(pairs, num_nodes)
    order = np.argsort(source, kind="stable")
    sources, start = np.unique(source[order], return_index=True)
    start = np.append(start, len(order))
    values = np.empty(len(pairs))

    def work(block: IntArray) -> None:
        asking = order[start[block[0]] : start[block[-1] + 1]]  # the pairs that need these columns
        slot = np.searchsorted(sources[block], source[asking])
        values[asking] = read(sources[block], row[asking], slot)

    run_all(work, blocks(len(sources), num_nodes))
    return values


def inverse_entries(pairs: Pairs, steps: sp.csr_array, right: sp.csr_array) -> FloatArray:
    """Entries of ``(I - steps)^-1 @ right``, symmetric, by one Cholesky factorisation.

    ``steps`` is a scaled adjacency matrix: no entry is negative and the diagonal is 0. Every sum in the two triangular
    solves then adds terms of one sign, and the smallest entries come out as accurate as the largest.
    """
    matrix = (-steps).toarray(order="F")
    np.fill_diagonal(matrix, 1)
    factor = scipy.linalg.cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)

    def read(sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
        columns = right[sources].toarray().T  # `right` is symmetric, and its rows are cheap to pick
        columns = scipy.linalg.cho_solve(factor, columns, overwrite_b=True, check_finite=False)
        return columns[row, slot]

    return symmetric_entries(pairs, len(matrix), read)


def series_entries(pairs: Pairs, graph: Graph, left: FloatArray, right: FloatArray, tolerance: float) -> FloatArray:
    """Entries of ``sum of M^k over k >= 1``, M = diag(left) A diag(right), its powers symmetric up to scale.

    Terms are added until the last two of every entry that is asked for are within ``tolerance`` of its sum (two, since
    the ends of a pair may be joined by walks of even or of odd length only). No term is negative, so nothing cancels,
    and far pairs, whose sums are tiny, are as accurate as near ones; so far that they are no number, they are 0.
    """
    _, component = connected_components(graph.to_scipy(), directed=False)

    def read(sources: IntArray, row: IntArray, slot: IntArray) -> FloatArray:
        # Walks join nodes of one component, and a node to itself if it has a neighbour; all other sums stay 0.
        is_joined = (component[row] == component[sources[slot]]) & (graph.degree[row] > 0)
        current = unit_columns(sources, graph.num_nodes)
        spare = np.zeros_like(current)
        total: FloatArray = np.zeros(len(row))
        last: FloatArray = np.zeros(len(row))
        while True:
            neighbour_sum(graph.rowptr, graph.col, left, right, current, 0.0, spare)
            current, spare = spare, current
            term = current[row, slot]
            total += term
            if ((term + last <= tolerance * total) & ((total > 0) | ~is_joined)).all():
                return total
            if not term.any() and not current.any():  # longer walks weigh less than the smallest number there is
                return total
            last = term

    return symmetric_entries(pairs, graph.num_nodes, read)


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
    """How many columns are computed together."""
    return min(max(_BLOCK_BYTES // (8 * max(num_nodes, 1)), 1), _MAX_WIDTH)


def _ends(pairs: Pairs, num_nodes: int) -> tuple[IntArray, IntArray]:
    """The end whose column is computed and the row that is read in it; the same for (p, q) and (q, p)."""
    uses = np.bincount(pairs.ravel(), minlength=num_nodes)
    p, q = pairs.min(axis=1), pairs.max(axis=1)
    is_q = uses[q] > uses[p]
    return np.where(is_q, q, p), np.where(is_q, p, q)
