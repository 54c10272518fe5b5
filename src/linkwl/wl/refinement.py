"""A running test: colours are refined round by round until the partition is stable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from numpy.typing import NDArray

from linkwl.wl.case import Case


class Refinement(ABC):
    """One test on several cases at once.

    All cases run each round together, so their colours of the same round can be compared. Two links are distinguished
    in the first round in which their colours differ, and in all later rounds.
    """

    id: ClassVar[str]
    unit: ClassVar[str]
    """What the test colours: ``node``, ``pair`` or ``link``."""
    keeps_pairs: ClassVar[bool] = False
    """Whether it keeps a colour for each of the n x n pairs, in :meth:`matrix`."""

    num_classes: int
    """Distinct colours over all cases."""
    num_coloured: int
    """Number of coloured units over all cases."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = list(cases)
        self.round = 0

    @abstractmethod
    def step(self) -> None:
        """One synchronous round: every colour becomes (old colour, colours heard)."""

    @abstractmethod
    def count(self, case: int) -> int:
        """Number of classes of the test's units in one case."""

    @abstractmethod
    def links(self, case: int, *, masked: bool = False) -> NDArray[Any]:
        """The colours of the case's links, comparable across cases; ``masked`` blanks a link's own edge."""

    def nodes(self, case: int) -> NDArray[Any]:
        """The colours of the nodes."""
        raise NotImplementedError

    def matrix(self, case: int) -> NDArray[Any]:
        """The colours of all pairs, shape ``(n, n)``."""
        raise NotImplementedError

    @property
    def error_bound(self) -> float:
        """Probability that the next round is too coarse; it is never too fine."""
        return 0.0

    @classmethod
    @abstractmethod
    def memory(cls, cases: Sequence[Case]) -> int:
        """Upper bound on the memory of a run, in bytes."""


def until_stable(refinement: Refinement) -> Iterator[int]:
    """Yields the number of classes in rounds 0, 1, ... up to the first that the next round does not split further.

    Classes are counted over all cases together. A single case may pause while links of two cases are not yet
    distinguished: the ends of the paths on 3 and 4 nodes differ in round 3, though neither path changes after round 1.
    """
    count = refinement.num_classes
    yield count
    while count < refinement.num_coloured:
        refinement.step()
        if refinement.num_classes == count:
            return
        count = refinement.num_classes
        yield count
