"""Weighted numbers of short walks between the two nodes of pairs."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.grouped import group_by
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs


def short_walks(rowptr: IntArray, col: IntArray, pairs: Pairs, weights: FloatArray) -> FloatArray:
    r"""Walks of two, three and four edges between two nodes, each counted by the product of its inner nodes' weights.

    .. math::
        \text{out}_{i,l,k} = \big[A (W_k A)^{l+1}\big]_{pq}, \quad (p, q) = \text{pairs}_i, \quad W_k = \text{diag}(w_k)

    From one end two steps are taken once for all of its pairs; from the other end one or two steps lead back to them.
    The first is the end with more walks of two edges, so a pair costs the smaller of the two numbers. The sums of a
    pair do not depend on the other pairs, and (p, q) and (q, p) give the same bits. Memory: the output, and one row of
    weights per node and thread.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; every edge in both directions.
        pairs: Node pairs.
        weights: The weight of an inner node in each of the weightings.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - weights: ``(num_nodes, num_weightings)``
        - output: ``(num_pairs, 3, num_weightings)``
    """
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    out = np.zeros((len(pairs), 3, weights.shape[1]))
    if len(col) == 0 or len(pairs) == 0:
        return out
    reach = _two_step_walks(rowptr, col)
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    source = np.where(reach[high] > reach[low], high, low)
    other = low + high - source
    sources, start, order = group_by(source)
    run_ranges(
        lambda a, b: _add_walks(rowptr, col, sources[a:b], start[a : b + 1], order, other, weights, out),
        len(sources),
        smallest=16,
    )
    return out


@kernel
def _two_step_walks(rowptr, col):
    """Number of walks of two edges from each node."""
    reach = np.zeros(len(rowptr) - 1, dtype=np.int64)
    for v in range(len(rowptr) - 1):
        for k in range(rowptr[v], rowptr[v + 1]):
            reach[v] += rowptr[col[k] + 1] - rowptr[col[k]]
    return reach


@kernel
def _add_walks(rowptr, col, sources, start, order, other, weights, out):
    num_nodes, width = weights.shape
    two = np.zeros((num_nodes, width))  # walks of two edges from the source
    for s in range(len(sources)):
        _scatter(rowptr, col, sources[s], weights, two, True)
        for place in range(start[s], start[s + 1]):
            i = order[place]
            q = other[i]
            out[i, 0] = two[q]
            for a in range(rowptr[q], rowptr[q + 1]):
                v = col[a]
                for j in range(width):
                    out[i, 1, j] += weights[v, j] * two[v, j]
                for b in range(rowptr[v], rowptr[v + 1]):
                    u = col[b]
                    for j in range(width):
                        out[i, 2, j] += weights[v, j] * weights[u, j] * two[u, j]
        _scatter(rowptr, col, sources[s], weights, two, False)


@kernel
def _scatter(rowptr, col, source, weights, two, is_added):
    """Adds the walks of two edges from a node, or sets all that they reach to 0."""
    for a in range(rowptr[source], rowptr[source + 1]):
        v = col[a]
        for b in range(rowptr[v], rowptr[v + 1]):
            for j in range(two.shape[1]):
                two[col[b], j] = two[col[b], j] + weights[v, j] if is_added else 0.0
