"""Tests whose colours are 64-bit words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from linkwl.wl.case import Case
from linkwl.wl.distinct import count_distinct
from linkwl.wl.mixing import COLLISION, Words, round_keys
from linkwl.wl.refinement import Refinement


class WordRefinement(Refinement):
    """A test whose colours are words, one array of them per case.

    A round maps each word to its own mixed word plus a word for what is heard. If the partition is not stable, some two
    units with the same word hear different things. The round stops too early only if what these two hear collides
    (probability :meth:`_missed_split`, for keys drawn for this round), or if different words collide (probability at
    most 2^-64 for any two classes). :attr:`error_bound` is the sum of the two, with mixing taken as random. Units whose
    words collide in some round have heard different things, since mixing is a permutation of the old words, and
    separate again in the next round.
    """

    _scratch: Words | None = None
    """An array large enough to sort all words, if the test has one."""

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
        """Probability that two different multisets give the same word."""

    def count(self, case: int) -> int:
        """Number of distinct words in one case."""
        return self.num_classes if len(self.cases) == 1 else count_distinct([self._words[case]])

    @property
    def error_bound(self) -> float:
        """Probability of a missed split or of a collision of two classes."""
        return self._missed_split() + self.num_classes**2 / 2 * COLLISION

    def _largest_degree(self) -> int:
        return max((int(case.graph.degree.max(initial=1)) for case in self.cases), default=1)
