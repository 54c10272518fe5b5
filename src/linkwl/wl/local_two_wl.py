"""Local 2-WL, computed by 1-WL."""

from __future__ import annotations

from linkwl.wl.one_wl import FastOneWL


class FastLocalTwoWL(FastOneWL):
    r"""Local 2-WL: a pair hears the pairs that keep one of its ends and move the other along an edge.

    .. math:: c'(p, q) = f\big(c(p, q), \{\!\{ c(u, q) : u \in N(q) \}\!\}, \{\!\{ c(p, v) : v \in N(p) \}\!\}\big)

    The first multiset belongs to q alone and the second to p alone. In every round the colour is equivalent to
    :math:`(A_{pq}, I_{pq}, c(p), c(q))` with the colours of 1-WL, so no n x n array is needed.
    """

    id = "local-2-wl"
    unit = "pair"
