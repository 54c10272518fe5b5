"""2-WL: 1-WL and a look at the whole graph."""

from __future__ import annotations

import numpy as np

from linkwl.wl.case import Case
from linkwl.wl.mixing import COLLISION, Words, mix_words
from linkwl.wl.one_wl import OneWL


class TwoWL(OneWL):
    r"""2-WL: a pair hears every pair that shares an end with it in the same place.

    .. math:: c'(p, q) = f\big(c(p, q), \{\!\{ c(u, q) : u \in V \}\!\}, \{\!\{ c(p, v) : v \in V \}\!\}\big)

    In every round the colour is worth as much as :math:`(A_{pq}, I_{pq}, g(p), g(q))`, where g is 1-WL in which every
    node also hears all nodes:
    :math:`g'(v) = f(g(v), \{\!\{ g(u) : u \in N(v) \}\!\}, \{\!\{ g(u) : u \in V \}\!\})`. Within one graph
    all nodes hear the same, so there 2-WL is 1-WL; between graphs it also compares their colours as a whole.
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
