"""2-WL, computed by 1-WL with all colours of the graph."""

from __future__ import annotations

import numpy as np

from linkwl.wl.case import Case
from linkwl.wl.mixing import COLLISION, Words, mix_words
from linkwl.wl.one_wl import FastOneWL


class FastTwoWL(FastOneWL):
    r"""2-WL: a pair hears every pair that has the same first end or the same second end.

    .. math:: c'(p, q) = f\big(c(p, q), \{\!\{ c(u, q) : u \in V \}\!\}, \{\!\{ c(p, v) : v \in V \}\!\}\big)

    In every round the colour is equivalent to :math:`(A_{pq}, I_{pq}, g(p), g(q))`, where g is 1-WL in which every
    node also hears all nodes:
    :math:`g'(v) = f(g(v), \{\!\{ g(u) : u \in N(v) \}\!\}, \{\!\{ g(u) : u \in V \}\!\})`. Within one graph
    all nodes hear the same, so 2-WL equals 1-WL; between graphs it also compares their colours as a whole.
    """

    id = "2-wl"
    unit = "pair"

    def _refined(self, case: Case, words: Words, keys: Words) -> Words:
        everyone = mix_words(words, keys[3]).sum(dtype=np.uint64, keepdims=True)
        out = super()._refined(case, words, keys)
        out += mix_words(everyone, keys[4])
        return out

    def _missed_split(self) -> float:
        return max((case.graph.num_nodes for case in self.cases), default=1) * COLLISION
