"""Tests whose colours are 64-bit words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from linkwl.wl.case import Case
from linkwl.wl.distinct import count_distinct
from linkwl.wl.mixing import COLLISION, Words, round_keys
from linkwl.wl.refinement import Refinement


class WordRefinement(Refinement):
    """A test whose colours are words, an array of them for every case.

    A round makes of each word its own mixed word plus a word for what is heard. If the partition is not stable, some
    two things with the same word hear different things. The round stops too early only if what these two hear collides
    (chance :meth:`_missed_split`, by keys drawn for this round), or if words that were different fall together (at most
    one chance in 2^64 for any two classes). :attr:`error_bound` is the sum of the two; mixing is taken as random. Words
    that fall together on the way have heard different things, since mixing is a permutation of the old words, and
    part again in the next round.
    """

    _scratch: Words | None = None
    """Room to sort all words in, if the test has some."""

    def __init__(self, cases: Sequence[Case]) -> None:
        super().__init__(cases)
        self._words = [self._first(case) for case in cases]
        self.num_coloured = sum(words.size for words in self._words)
        self.num_classes = count_distinct(self._words, self._scratch)

    def step(self) -> None:
        """One round in every case, with the same fresh keys."""
        self.round += 1
        keys = round_keys(self.round)
        for i, case in enumerate(self.cases):
            self._words[i] = self._refined(case, self._words[i], keys)
        self.num_classes = count_distinct(self._words, self._scratch)

    @abstractmethod
    def _first(self, case: Case) -> Words:
        """The words of round 0."""

    @abstractmethod
    def _refined(self, case: Case, words: Words, keys: Words) -> Words:
        """The words of the next round; the old array may be reused."""

    @abstractmethod
    def _missed_split(self) -> float:
        """The chance that two different multisets are heard as the same word."""

    def count(self, case: int) -> int:
        """Distinct words of one case."""
        return self.num_classes if len(self.cases) == 1 else count_distinct([self._words[case]])

    @property
    def error_bound(self) -> float:
        """A missed split, or two of the classes fallen together."""
        return self._missed_split() + self.num_classes**2 / 2 * COLLISION

    def _largest_degree(self) -> int:
        return max((int(case.graph.degree.max(initial=1)) for case in self.cases), default=1)
