"""Sums over the common neighbours of node pairs."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

_BATCH_SIZE = 64
_LINE = 16  # entries per cache line


def common_neighbour_sums(
    rowptr: IntArray,
    col: IntArray,
    pairs: Pairs,
    weights: FloatArray,
    *,
    transposed: tuple[IntArray, IntArray] | None = None,
) -> FloatArray:
    """Weighted common neighbours: ``out[i, k] = sum of weights[v, k] over v in N(p) and N(q)``, (p, q) = pairs[i].

    With transposed rows, the sum is over the directed paths p -> v -> q: v in the row of p, and in the transposed row
    of q.

    Pairs are grouped by the end with more neighbours. Its neighbours are marked once per group; a pair then costs one
    pass over the shorter of its two rows, for all weightings together. The sum runs over v in ascending order, so
    (p, q) and (q, p) give the same bits. Memory: the output, and one byte per node and thread.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        pairs: Node pairs.
        weights: The weight of a common neighbour in each of the weightings.
        transposed: The rows of the reversed edges in the same form, for directed edges.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - weights: ``(num_nodes, num_weightings)``
        - output: ``(num_pairs, num_weightings)``
    """
    pairs = np.ascontiguousarray(pairs, dtype=np.int32)
    if transposed is not None:  # as common neighbours in a graph of 2n rows: the in-neighbours of q are row n + q
        pairs = pairs + np.array([0, len(rowptr) - 1], dtype=np.int32)
        rowptr, col = np.append(rowptr, rowptr[-1] + transposed[0][1:]), np.concatenate([col, transposed[1]])
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    out = np.zeros((len(pairs), weights.shape[1]))
    if len(col) == 0 or len(pairs) == 0:
        return out
    hub, other = _split_ends(rowptr, pairs)
    # Counting sort is faster, but touches every node.
    order = _order_by_counting(hub, len(rowptr) - 1) if 8 * len(hub) > len(rowptr) else np.argsort(hub, kind="stable")
    run_ranges(lambda start, stop: _add_common(rowptr, col, hub, other, order[start:stop], weights, out), len(pairs))
    return out


@kernel
def _split_ends(rowptr, pairs):
    """The end of each pair with more neighbours, and the end with fewer."""
    hub, other = np.empty(len(pairs), dtype=np.int32), np.empty(len(pairs), dtype=np.int32)
    for i in range(len(pairs)):
        p, q = pairs[i, 0], pairs[i, 1]
        if rowptr[p + 1] - rowptr[p] > rowptr[q + 1] - rowptr[q]:
            p, q = q, p
        hub[i], other[i] = q, p
    return hub, other


@kernel
def _order_by_counting(keys, num_keys):
    """The stable ascending order of the keys."""
    start = np.zeros(num_keys + 1, dtype=np.int64)
    for key in keys:
        start[key + 1] += 1
    for key in range(num_keys):
        start[key + 1] += start[key]
    order = np.empty(len(keys), dtype=np.int64)
    for i in range(len(keys)):
        order[start[keys[i]]] = i
        start[keys[i]] += 1
    return order


@kernel
def _add_common(rowptr, col, hub, other, order, weights, out):
    is_near_hub = np.zeros(len(rowptr) - 1, dtype=np.bool_)
    marked, touched = -1, 0
    for start in range(0, len(order), _BATCH_SIZE):
        batch = order[start : start + _BATCH_SIZE]
        touched += _touch(rowptr, col, hub, other, batch)
        for i in batch:
            if hub[i] != marked:
                if marked >= 0:
                    _mark(rowptr, col, marked, is_near_hub, False)
                marked = hub[i]
                _mark(rowptr, col, marked, is_near_hub, True)
            for k in range(rowptr[other[i]], rowptr[other[i] + 1]):
                v = col[k]
                if is_near_hub[v]:
                    for j in range(weights.shape[1]):
                        out[i, j] += weights[v, j]
    return touched  # otherwise the compiler would remove the reads


@kernel
def _mark(rowptr, col, node, is_marked, value):
    for k in range(rowptr[node], rowptr[node + 1]):
        is_marked[col[k]] = value


@kernel
def _touch(rowptr, col, hub, other, batch):
    """Reads the start of every row of a batch, so that memory latencies overlap: twice as fast."""
    total, last = 0, len(col) - 1
    for i in batch:
        start = rowptr[other[i]]
        total += col[min(start, last)] + col[min(start + _LINE, last)] + col[min(rowptr[hub[i]], last)]
    return total
