"""1-WL: colour refinement of nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.wl.case import Case
from linkwl.wl.colouring import count_pair_classes
from linkwl.wl.mixing import COLLISION, Words, join, mix, mix_words
from linkwl.wl.words import WordRefinement


class FastOneWL(WordRefinement):
    r"""1-WL: a node hears the colours of its neighbours.

    .. math:: c'(v) = f\big(c(v), \{\!\{ c(u) : u \in N(v) \}\!\}\big)

    A link has the colours of its two ends. The multiset is encoded as the sum of random words, one per colour, in
    O(n + m) per round.
    """

    id = "1-wl"
    unit = "node"

    def _first(self, case: Case) -> Words:
        return join(case.labels)

    def _refined(self, case: Case, words: Words, keys: Words) -> Words:
        graph = case.graph
        sent, out = mix_words(words, keys[0]), np.empty_like(words)
        col = graph.col.view(np.uint32)  # unsigned, so no check for negative indices is compiled

        def hear(start: int, stop: int) -> None:
            _hear_neighbours(graph.rowptr, col, words, sent, keys, start, stop, out)

        run_ranges(hear, graph.num_nodes, smallest=1 << 14)
        return out

    def _missed_split(self) -> float:
        # Multiplicities differ by at most the degree, which bounds their common power of two.
        return self._largest_degree() * COLLISION

    def count(self, case: int) -> int:
        """Number of classes of nodes, or of pairs computed from the classes of their ends."""
        if self.unit == "pair":
            return count_pair_classes(self.cases[case].graph, self._words[case])
        return super().count(case)

    def links(self, case: int, *, masked: bool = False) -> Words:
        """The words of both ends; for a test on pairs also whether the link is an edge."""
        p, q = self.cases[case].links.T
        words = self._words[case]
        if self.unit == "pair" and not masked:
            return join(self.cases[case].is_edge, words[p], words[q])
        return join(words[p], words[q])

    def nodes(self, case: int) -> Words:
        """A word for every node."""
        return self._words[case]

    @classmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """Words, messages and the table that numbers them; a test on pairs also sorts the edges by their ends."""
        nodes, entries = sum(case.graph.num_nodes for case in cases), sum(len(case.graph.col) for case in cases)
        return 48 * nodes if cls.unit == "node" else 64 * nodes + 56 * entries


@kernel
def _hear_neighbours(rowptr, col, words, sent, keys, start, stop, out):  # type: ignore[no-untyped-def]
    for v in range(start, stop):
        heard = np.uint64(0)
        for k in range(rowptr[v], rowptr[v + 1]):
            heard += sent[col[k]]
        out[v] = mix(words[v] ^ keys[1]) + mix(heard ^ keys[2])
