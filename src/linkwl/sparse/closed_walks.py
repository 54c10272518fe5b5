"""Weights of walks from nodes back to themselves."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray

BYTES_KEPT = 1 << 30
"""The walks of nodes are kept if those of all nodes would take less memory."""


class ClosedWalks:
    r"""Walks of 2, 3, .., K edges from a node back to itself, :math:`(M^k)_{vv}`; each node is computed once.

    For a symmetric M, :math:`(M^{a+b})_{vv}` is the product of two rows of lower powers, :math:`\sum_u (M^a)_{vu}
    (M^b)_{vu}`, so walks go half the way only. The bits of a node do not depend on the others.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``; int64.
        col: Neighbours, distinct within each row; every edge in both directions; int32.
        weight: The weight of every entry of ``col``, the same in both directions; float64.
        steps: Length K of the longest walks; at least 2.
    """

    def __init__(self, rowptr: IntArray, col: IntArray, weight: FloatArray, steps: int) -> None:
        self._arrays, self._steps = (rowptr, col, weight), steps
        num_nodes, lengths = len(rowptr) - 1, steps - 1
        self._kept = np.zeros((num_nodes, lengths)) if 8 * lengths * num_nodes <= BYTES_KEPT else None
        self._is_kept = np.zeros(num_nodes, dtype=np.bool_)

    def at(self, nodes: IntArray) -> FloatArray:
        """The walks of some nodes.

        Shape:
            - nodes: ``(num_rows,)``
            - output: ``(num_rows, steps - 1)``, float64
        """
        if self._kept is None:
            different, place = np.unique(nodes, return_inverse=True)
            return self._computed(different)[place]
        missing = np.unique(nodes[~self._is_kept[nodes]])
        if len(missing):
            # Two threads may compute the same nodes; both write the same numbers, before they say that they are there.
            self._kept[missing] = self._computed(missing)
            self._is_kept[missing] = True
        return self._kept[nodes]

    def _computed(self, nodes: IntArray) -> FloatArray:
        out = np.zeros((len(nodes), self._steps - 1))
        run_ranges(lambda a, b: _close(*self._arrays, nodes, self._steps, out, a, b), len(nodes), smallest=8)
        return out


@kernel
def _close(rowptr, col, weight, nodes, steps, out, first, last):
    num_nodes = len(rowptr) - 1
    x, y = np.zeros(num_nodes), np.zeros(num_nodes)  # two rows, of one power and the next
    seen, stamp = np.full(num_nodes, -1, dtype=np.int64), 0
    old, new = np.empty(num_nodes, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    for place in range(first, last):
        x[nodes[place]], old[0], num_old = 1.0, nodes[place], 1
        for a in range(1, steps - steps // 2 + 1):  # from M^(a-1) to M^a
            if 2 * a > steps:  # only the product of both is needed, at the nodes of the first
                out[place, 2 * a - 3] = _product(rowptr, col, weight, old[:num_old], x)
                break
            num_new = 0
            for i in range(num_old):
                v = old[i]
                for e in range(rowptr[v], rowptr[v + 1]):
                    u = col[e]
                    if seen[u] != stamp:
                        seen[u] = stamp
                        y[u] = 0.0
                        new[num_new] = u
                        num_new += 1
                    y[u] += weight[e] * x[v]
            stamp += 1
            if a > 1:
                for i in range(num_old):
                    out[place, 2 * a - 3] += x[old[i]] * y[old[i]]
            for i in range(num_old):
                x[old[i]] = 0.0
            for i in range(num_new):
                out[place, 2 * a - 2] += y[new[i]] ** 2
            x, y, old, new, num_old = y, x, new, old, num_new
        for i in range(num_old):
            x[old[i]] = 0.0


@kernel
def _product(rowptr, col, weight, nodes, x):
    """``x M x`` for a vector that is 0 outside of ``nodes``."""
    total = 0.0
    for v in nodes:
        inner = 0.0
        for e in range(rowptr[v], rowptr[v + 1]):
            inner += weight[e] * x[col[e]]
        total += x[v] * inner
    return total
