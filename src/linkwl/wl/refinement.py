"""A test in progress: colours that are refined a round at a time until nothing new is told apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from numpy.typing import NDArray

from linkwl.wl.case import Case


class Refinement(ABC):
    """One test on several cases at once.

    All cases take every round together, so their colours of the same round can be compared. Two links are told apart
    in the first round in which their colours differ, and stay apart.
    """

    id: ClassVar[str]
    unit: ClassVar[str]
    """What the test colours: ``node``, ``pair`` or ``link``."""
    keeps_pairs: ClassVar[bool] = False
    """Whether it keeps a colour for each of the n x n pairs, in :meth:`matrix`."""

    num_classes: int
    """Distinct colours over all cases."""
    num_coloured: int
    """How many things have a colour."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = list(cases)
        self.round = 0

    @abstractmethod
    def step(self) -> None:
        """One synchronous round: every colour becomes (old colour, colours heard)."""

    @abstractmethod
    def count(self, case: int) -> int:
        """Classes of the test's units in one case."""

    @abstractmethod
    def links(self, case: int, *, masked: bool = False) -> NDArray[Any]:
        """The colours of the case's links, which compare across cases; ``masked`` blanks a link's own edge."""

    def nodes(self, case: int) -> NDArray[Any]:
        """The colours of the nodes."""
        raise NotImplementedError

    def matrix(self, case: int) -> NDArray[Any]:
        """The colours of all pairs, shape ``(n, n)``."""
        raise NotImplementedError

    @property
    def error_bound(self) -> float:
        """The chance that the next round tells too little apart; it never tells too much apart."""
        return 0.0

    @classmethod
    @abstractmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """Bytes that a run takes, at most."""


def until_stable(refinement: Refinement) -> Iterator[int]:
    """Yields the number of classes in rounds 0, 1, ... up to the first that the next round does not split further.

    The number is counted over all cases together. Each on its own may pause while links of two cases are still to be
    told apart: the ends of the paths on 3 and 4 nodes differ in round 3, though neither path changes after round 1.
    """
    count = refinement.num_classes
    yield count
    while count < refinement.num_coloured:
        refinement.step()
        if refinement.num_classes == count:
            return
        count = refinement.num_classes
        yield count
