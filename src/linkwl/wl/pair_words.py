"""The shared part of the two Folklore tests: a word for each of the n x n pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from linkwl.wl.case import Case
from linkwl.wl.mixing import Words, join, round_keys
from linkwl.wl.words import WordRefinement


class PairWords(WordRefinement):
    """A test that keeps a colour for every ordered pair, including (v, v).

    The initial colour of (p, q) is (label of p, label of q, whether there is an edge, whether p is q).
    """

    unit = "pair"
    keeps_pairs = True
    num_scratch: ClassVar[int]
    """Number of n x n word arrays, of the largest graph, that a round needs besides the words themselves."""

    def __init__(self, cases: Sequence[Case]) -> None:
        sizes = [case.graph.num_nodes**2 for case in cases]
        self._scratch: Words = np.empty(max(self.num_scratch * max(sizes, default=0), sum(sizes)), dtype=np.uint64)
        super().__init__(cases)

    def _first(self, case: Case) -> Words:
        n, labels = case.graph.num_nodes, case.labels
        words = np.zeros((n, n), dtype=np.uint64)
        apart, edge, same = round_keys(0)[-3:]
        words[:] = apart
        words[np.repeat(np.arange(n), case.graph.degree), case.graph.col] = edge
        np.fill_diagonal(words, same)
        words += join(labels)[:, None]
        words += join(labels, labels)[None, :]
        return words

    def _scratch_arrays(self, num_nodes: int) -> list[Words]:
        """``num_scratch`` uninitialised arrays of shape ``(n, n)``."""
        size = num_nodes**2
        return [self._scratch[k * size : (k + 1) * size].reshape(num_nodes, num_nodes) for k in range(self.num_scratch)]

    def links(self, case: int, *, masked: bool = False) -> Words:
        """The words of the links.

        The mask has an effect only in round 0. After that a link that is an edge hears its own pair through u = p,
        beside (p, p), and its colour is equivalent to the colour without a mask.
        """
        p, q = self.cases[case].links.T
        if masked and self.round == 0:
            labels = self.cases[case].labels
            return join(labels[p], labels[q])
        return self._words[case][p, q]

    def nodes(self, case: int) -> Words:
        """The words of the pairs (v, v)."""
        return np.diagonal(self._words[case])

    def matrix(self, case: int) -> Words:
        """The words of all pairs."""
        return self._words[case]

    @classmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """The words, plus the larger of the scratch arrays and the table that numbers the words at the end."""
        sizes = [case.graph.num_nodes**2 for case in cases]
        numbering = (3 if len(cases) == 1 else 4) * sum(sizes)
        return 8 * (sum(sizes) + max(cls.num_scratch * max(sizes, default=0), numbering))
