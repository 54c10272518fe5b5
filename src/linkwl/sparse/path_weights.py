"""Sums over short paths between the two nodes of pairs, by the weights of their edges."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs

WeightedRows: TypeAlias = tuple[IntArray, IntArray, FloatArray]
"""Compressed rows and the weight of each entry."""
_SMALLEST = 256  # pairs; for fewer, starting another thread does not pay


def two_step_weights(
    rowptr: IntArray,
    col: IntArray,
    value: FloatArray,
    pairs: Pairs,
    scale: FloatArray,
    *,
    arriving: WeightedRows | None = None,
) -> FloatArray:
    r"""Paths of two edges, by the mean weight of their edges: :math:`\sum_v c_v (w_{pv} + w_{vq}) / 2`.

    One merge of two rows per pair. (p, q) and (q, p) give the same bits if edges have no direction.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row.
        value: The weight w of each entry of ``col``.
        pairs: Node pairs.
        scale: The factor c of each middle node.
        arriving: The rows of the reversed edges in the same form, for directed paths p -> v -> q.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - scale: ``(num_nodes,)``
        - output: ``(num_pairs,)``
    """
    return _merged((rowptr, col, value), pairs, scale, arriving, False)


def shared_weights(
    rowptr: IntArray,
    col: IntArray,
    value: FloatArray,
    pairs: Pairs,
    *,
    arriving: WeightedRows | None = None,
) -> FloatArray:
    r"""What two rows of weights have in common: :math:`\sum_v \min(w_{pv}, w_{vq})`; see :func:`two_step_weights`."""
    return _merged((rowptr, col, value), pairs, np.ones(len(rowptr) - 1), arriving, True)


def _merged(
    first: WeightedRows, pairs: Pairs, scale: FloatArray, arriving: WeightedRows | None, is_smaller: bool
) -> FloatArray:
    second = first if arriving is None else arriving
    out = np.zeros(len(pairs))
    run_ranges(
        lambda a, b: _merge(first, second, pairs, scale, is_smaller, out, a, b),
        len(pairs),
        smallest=_SMALLEST,
    )
    return out


def three_step_weights(
    rowptr: IntArray, col: IntArray, value: FloatArray, pairs: Pairs, scale: FloatArray
) -> FloatArray:
    r"""Walks of three edges, by the mean weight of their edges.

    .. math::
        \sum_{u, v} c_u c_v (w_{pu} + w_{uv} + w_{vq}) / 3

    From the end with fewer walks of two edges, two steps lead to the neighbours of the other end. (p, q) and (q, p)
    give the same bits. Memory: the output, and one number per node and thread.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours, ascending and distinct within each row; every edge in both directions.
        value: The weight w of each entry of ``col``, above 0.
        pairs: Node pairs.
        scale: The factor c of each inner node.
    """
    reach = np.add.reduceat(np.append(np.diff(rowptr)[col], 0), rowptr[:-1]) if len(col) else np.diff(rowptr)
    reach[np.diff(rowptr) == 0] = 0
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    near = np.where(reach[high] > reach[low], low, high)
    ends = np.stack([near, low + high - near], axis=1)
    out = np.zeros(len(pairs))
    run_ranges(lambda a, b: _walk(rowptr, col, value, ends, scale, out, a, b), len(pairs), smallest=_SMALLEST)
    return out


@kernel
def _merge(first, second, pairs, scale, is_smaller, out, start, stop):
    rowptr, col, value = first
    other_rowptr, other_col, other_value = second
    for k in range(start, stop):
        p, q = pairs[k, 0], pairs[k, 1]
        i, j, end_i, end_j = rowptr[p], other_rowptr[q], rowptr[p + 1], other_rowptr[q + 1]
        total = 0.0
        while i < end_i and j < end_j:
            if col[i] < other_col[j]:
                i += 1
            elif other_col[j] < col[i]:
                j += 1
            else:
                if is_smaller:
                    total += min(value[i], other_value[j])
                else:
                    total += scale[col[i]] * ((value[i] + other_value[j]) / 2)
                i += 1
                j += 1
        out[k] = total


@kernel
def _walk(rowptr, col, value, ends, scale, out, start, stop):
    last = np.zeros(len(rowptr) - 1)  # the weight of the last edge, 0 where there is none
    for k in range(start, stop):
        p, q = ends[k, 0], ends[k, 1]
        for c in range(rowptr[q], rowptr[q + 1]):
            last[col[c]] = value[c]
        total = 0.0
        for a in range(rowptr[p], rowptr[p + 1]):
            u = col[a]
            for b in range(rowptr[u], rowptr[u + 1]):
                v = col[b]
                if last[v] > 0:
                    total += scale[u] * scale[v] * ((value[a] + value[b] + last[v]) / 3)
        out[k] = total
        for c in range(rowptr[q], rowptr[q + 1]):
            last[col[c]] = 0.0
