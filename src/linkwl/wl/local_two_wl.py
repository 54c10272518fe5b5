"""Local 2-WL: 1-WL in disguise."""

from __future__ import annotations

from linkwl.wl.one_wl import OneWL


class LocalTwoWL(OneWL):
    r"""Local 2-WL: a pair hears the pairs that keep one of its ends and move the other along an edge.

    .. math:: c'(p, q) = f\big(c(p, q), \{\!\{ c(u, q) : u \in N(q) \}\!\}, \{\!\{ c(p, v) : v \in N(p) \}\!\}\big)

    The first multiset belongs to q alone and the second to p alone. In every round the colour is worth as much as
    :math:`(A_{pq}, I_{pq}, c(p), c(q))` with the colours of 1-WL, so nothing of size n x n is ever made.
    """

    id = "local-2-wl"
    unit = "pair"
