"""Weights of walks from a few nodes to many others, by whole rows of the powers of a matrix."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.grouped import group_by
from linkwl.threads import num_threads, run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

LANES = 8
"""Number of sources whose walks are computed together: eight numbers fill a line of the processor's cache."""
BYTES_OF_THREADS = 1 << 30
"""Approximate memory besides the output; with more than this, fewer threads work at the same time."""
_BYTES_PER_NODE = 2 * 8 * LANES + 24


def walks_from(
    rowptr: IntArray, col: IntArray, weight: FloatArray, steps: int, source: IntArray, target: IntArray
) -> FloatArray:
    r"""Walks of 2, 3, .., K edges from sources to targets: :math:`\text{out}_{i,k-2} = (M^k)_{s_i t_i}`.

    A row of a power is the row of the power before it times M. Steps go forward from all nodes that walks have reached
    while those are few. Later steps are computed only at the nodes from which a target can still be reached. Every
    entry is summed in ascending order of the node before it, so the bits of a walk depend on its source and target
    alone, and not on the others or on the number of threads. Time: a pass over the edges near the sources and targets
    for every step and eight sources; so it pays if a source has many targets.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``; int64.
        col: Neighbours, ascending and distinct within each row; every edge in both directions; int32.
        weight: The weight of every entry of ``col``, the same in both directions; float64.
        steps: Length K of the longest walks; at least 2.
        source: The nodes that the walks start from.
        target: The nodes that they lead to.

    Shape:
        - source, target: ``(num_pairs,)``
        - output: ``(num_pairs, steps - 1)``, float64
    """
    out = np.zeros((len(source), steps - 1))
    sources, start, order = group_by(source)
    target = np.asarray(target, dtype=np.int64)
    blocks = -(-len(sources) // LANES)
    num_nodes = len(rowptr) - 1

    def work(first: int, last: int) -> None:
        if last > first:
            _walk(rowptr, col, weight, steps, sources, start, order, target, out, first, last)

    if _BYTES_PER_NODE * num_nodes * num_threads() <= BYTES_OF_THREADS:
        run_ranges(work, blocks, smallest=1)
    else:
        work(0, blocks)
    return out


def source_and_target(pairs: Pairs, num_nodes: int) -> tuple[IntArray, IntArray]:
    """The end of each pair that is in more pairs, and the other one; the same for (p, q) and (q, p)."""
    uses = np.bincount(pairs.ravel(), minlength=num_nodes)
    p, q = pairs.min(axis=1), pairs.max(axis=1)
    is_q = uses[q] > uses[p]
    return np.where(is_q, q, p), np.where(is_q, p, q)


@kernel
def _walk(rowptr, col, weight, steps, sources, start, order, target, out, first, last):
    num_nodes = len(rowptr) - 1
    x, y = np.zeros((num_nodes, LANES)), np.zeros((num_nodes, LANES))
    seen, stamp = np.full(num_nodes, -1, dtype=np.int64), 0
    needed, reached = np.empty(num_nodes, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    everyone = np.arange(num_nodes).astype(np.int32)
    ends, works = np.empty(steps + 1, dtype=np.int64), np.empty(steps + 1, dtype=np.int64)
    for block in range(first, last):
        low, high = LANES * block, min(LANES * (block + 1), len(sources))
        _find_needed(rowptr, col, target, order[start[low] : start[high]], stamp, seen, needed, ends, works)
        stamp += 1
        for lane in range(low, high):
            x[sources[lane], lane - low] = 1.0
        # Outside `old`, x is 0, until a step is computed at some nodes only; y is 0 everywhere.
        old, is_known, num_pulled = sources[low:high].astype(np.int32), True, 0
        for k in range(1, steps + 1):
            if is_known and _sum_degrees(rowptr, old) < works[k]:
                size = _push(rowptr, col, weight, np.sort(old), stamp, seen, reached, x, y)
                stamp += 1
                for v in old:
                    x[v] = 0.0
                old = reached[:size].copy()
            else:
                _pull(rowptr, col, weight, needed[: ends[k]] if ends[k] < num_nodes else everyone, x, y)
                if is_known:
                    for v in old:
                        x[v] = 0.0
                    is_known, num_pulled = False, ends[k]
            x, y = y, x
            if k >= 2:
                for lane in range(low, high):
                    for i in range(start[lane], start[lane + 1]):
                        out[order[i], k - 2] = x[target[order[i]], lane - low]
        for v in old if is_known else needed[:num_pulled] if num_pulled < num_nodes else everyone:
            x[v] = 0.0
            y[v] = 0.0


@kernel
def _find_needed(rowptr, col, target, pairs, stamp, seen, needed, ends, works):
    """Lists the nodes within ``steps - k`` edges of a target, for every k: ``needed[: ends[k]]``, or all nodes.

    A breadth-first search, which ends when the nodes have half of all entries of ``col``. ``works`` are the degrees.
    """
    size, low, work = 0, 0, 0
    for i in pairs:
        v = target[i]
        if seen[v] != stamp:
            seen[v] = stamp
            needed[size] = v
            size += 1
    for k in range(len(ends) - 1, -1, -1):
        work += _sum_degrees(rowptr, needed[low:size])
        if 2 * work > len(col):
            ends[: k + 1], works[: k + 1] = len(rowptr) - 1, len(col)
            return
        ends[k], works[k] = size, work
        high = size
        for i in range(low, high):
            for e in range(rowptr[needed[i]], rowptr[needed[i] + 1]):
                u = col[e]
                if seen[u] != stamp:
                    seen[u] = stamp
                    needed[size] = u
                    size += 1
        low = high


@kernel
def _sum_degrees(rowptr, nodes):
    total = 0
    for v in nodes:
        total += rowptr[v + 1] - rowptr[v]
    return total


@kernel
def _push(rowptr, col, weight, old, stamp, seen, reached, x, y):
    """``y = M x``, from the nodes where x is not 0, in ascending order; the number of nodes where y may not be."""
    size = 0
    for v in old:
        for e in range(rowptr[v], rowptr[v + 1]):
            u, w = col[e], weight[e]
            if seen[u] != stamp:
                seen[u] = stamp
                reached[size] = u
                size += 1
                for lane in range(LANES):
                    y[u, lane] = 0.0
            for lane in range(LANES):
                y[u, lane] += w * x[v, lane]
    return size


@kernel
def _pull(rowptr, col, weight, nodes, x, y):
    """``y = M x`` at some nodes."""
    total = np.empty(LANES)
    for v in nodes:
        for lane in range(LANES):
            total[lane] = 0.0
        for e in range(rowptr[v], rowptr[v + 1]):
            u, w = col[e], weight[e]
            for lane in range(LANES):
                total[lane] += w * x[u, lane]
        for lane in range(LANES):
            y[v, lane] = total[lane]
