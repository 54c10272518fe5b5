"""What a training step will take, estimated before it is tried."""

from __future__ import annotations

from dataclasses import dataclass

from linkwl.memory import check_memory, size_text
from linkwl.threads import num_threads

# What one core of a plain laptop does in a second, small kernels and their overhead included.
_OPERATIONS_PER_SECOND = 4e9
_SECONDS_PER_STEP = 0.01


FLOAT = 4
KEPT = 10
"""Arrays that a block keeps for the gradient, or makes on the way, each as large as its output."""
PASSES = 3
"""A product is computed once forward and twice backward."""
FETCH = 64
"""Multiplications in the time that a row from a random place in memory takes to arrive."""


@dataclass(frozen=True)
class Cost:
    """Memory and work of one training step; estimates for the right order of magnitude, not more."""

    memory: float = 0.0
    """Bytes at the peak."""
    operations: float = 0.0
    """Multiplications, with those of the gradient."""

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.memory + other.memory, self.operations + other.operations)

    @property
    def seconds(self) -> float:
        """Time of the step on this many threads, roughly."""
        return _SECONDS_PER_STEP + self.operations / (_OPERATIONS_PER_SECOND * num_threads())


@dataclass(frozen=True)
class Plan:
    """What training is expected to take."""

    what: str
    """The work, to name it in a sentence."""
    cost: Cost
    max_steps: int
    remedy: str
    """What to do if it does not fit, as the rest of a sentence."""

    @property
    def text(self) -> str:
        """The plan in a few words."""
        seconds = self.cost.seconds
        return (
            f"{self.what}: about {size_text(self.cost.memory)} of memory and {_time_text(seconds)} a step, "
            f"{_time_text(seconds * self.max_steps)} for all {self.max_steps:,} steps"
        )

    def check(self, *, limit: float | None = None) -> None:
        """Refuses what would not fit.

        Args:
            limit: Bytes that may be taken; the memory that is free now if left out.

        Raises:
            MemoryLimitError: If more is needed than there is.
        """
        check_memory(self.cost.memory, self.what, self.remedy, limit=limit)


def _time_text(seconds: float) -> str:
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms"
