"""The time that training will still take, from the steps that were measured."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

_STEPS = 30
"""Number of last steps whose mean time is taken: the first ones compile kernels, and say little."""


class StepClock:
    """Measures steps.

    Args:
        clock: The time in seconds.

    Example:
        >>> times = iter([0.0, 2.0, 4.0])
        >>> clock = StepClock(lambda: next(times))
        >>> clock.seconds_left(1, 10), clock.seconds_left(2, 10), clock.seconds_left(3, 10)
        (None, 16.0, 14.0)
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[int, float]] = deque(maxlen=_STEPS + 1)

    def seconds_left(self, step: int, steps: int) -> float | None:
        """The time until the last step, after a step; None after the first one."""
        self._seen.append((step, self._clock()))
        (first, start), (last, now) = self._seen[0], self._seen[-1]
        return None if last == first else (now - start) / (last - first) * (steps - step)
