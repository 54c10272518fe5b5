"""Personalised PageRank near a node, in time that does not grow with the graph."""

from __future__ import annotations

import numpy as np

from linkwl.kernel import kernel
from linkwl.sparse.grouped import group_by
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs


def page_rank_push(rowptr: IntArray, col: IntArray, pairs: Pairs, alpha: float, epsilon: float) -> FloatArray:
    r"""The probability :math:`\pi_p(q)` that a walk with restart from p is at q, for every ordered pair.

    A unit of mass starts at p. A node with mass r keeps :math:`(1 - \alpha) r` and shares out the rest, all nodes at
    once, as long as r exceeds :math:`\epsilon d`; at the end every node keeps that share of what it still has. The
    error is at most :math:`\epsilon d_q`, and a source takes :math:`O(1 / (\epsilon (1 - \alpha)))` however large the
    graph. The order of nodes matters for rounding only, and a value does not depend on the other pairs.

    Args:
        rowptr: Row v of ``col`` is ``rowptr[v] : rowptr[v + 1]``.
        col: Neighbours; every edge in both directions.
        pairs: Sources p and targets q.
        alpha: The probability of walking on.
        epsilon: The mass per edge below which nothing is shared out.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs,)``
    """
    out = np.zeros(len(pairs))
    target = np.ascontiguousarray(pairs[:, 1])
    sources, start, order = group_by(pairs[:, 0])
    run_ranges(
        lambda a, b: _push(rowptr, col, sources[a:b], start[a : b + 1], order, target, alpha, epsilon, out),
        len(sources),
        smallest=16,
    )
    return out


@kernel
def _push(rowptr, col, sources, start, order, target, alpha, epsilon, out):
    num_nodes = len(rowptr) - 1
    mass, kept = np.zeros(num_nodes), np.zeros(num_nodes)
    share = np.empty(num_nodes)
    active, reached = np.empty(num_nodes, dtype=np.int32), np.empty(num_nodes, dtype=np.int32)
    is_reached, is_next = np.zeros(num_nodes, dtype=np.bool_), np.zeros(num_nodes, dtype=np.bool_)
    following = np.empty(num_nodes, dtype=np.int32)
    for s in range(len(sources)):
        source = sources[s]
        mass[source], is_reached[source] = 1.0, True
        reached[0], num_reached = source, 1
        active[0], num_active = source, 1
        while num_active:
            for i in range(num_active):
                v = active[i]
                kept[v] += (1 - alpha) * mass[v]
                share[i] = alpha * mass[v] / max(rowptr[v + 1] - rowptr[v], 1)
                mass[v] = 0.0
            num_next = 0
            for i in range(num_active):
                v = active[i]
                for k in range(rowptr[v], rowptr[v + 1]):
                    u = col[k]
                    mass[u] += share[i]
                    if not is_reached[u]:
                        is_reached[u] = True
                        reached[num_reached] = u
                        num_reached += 1
                    if not is_next[u] and mass[u] > epsilon * (rowptr[u + 1] - rowptr[u]):
                        is_next[u] = True
                        following[num_next] = u
                        num_next += 1
            for i in range(num_next):
                is_next[following[i]] = False
            active, following, num_active = following, active, num_next
        for place in range(start[s], start[s + 1]):
            q = target[order[place]]
            out[order[place]] = kept[q] + (1 - alpha) * mass[q]
        for i in range(num_reached):
            v = reached[i]
            mass[v], kept[v], is_reached[v] = 0.0, 0.0, False
