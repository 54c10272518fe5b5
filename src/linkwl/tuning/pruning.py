"""Ends trials early whose first values are low: successive halving over the hidden splits.

All trials are measured on the same splits, so that their means over the first splits can be compared. A trial gets its
next split only if its mean so far is not below the median of the earlier trials that came as far. The thresholds of a
wave come from earlier waves alone: they depend neither on the order in which trials end nor on the number of workers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median

from linkwl.tuning.study import Trial

_ENOUGH = 4
"""Earlier trials with as many splits, below which no trial is ended."""


def thresholds(done: Sequence[Trial], splits: int) -> tuple[float, ...]:
    """The mean that a trial needs after each split but the last in order to continue; minus infinity for any.

    Args:
        done: All trials of earlier waves.
        splits: Number of splits of a whole trial.

    Example:
        >>> trials = [Trial(k, "drawn", {}, (value, value + 0.1)) for k, value in enumerate([0.5, 0.6, 0.7, 0.8, 0.9])]
        >>> thresholds(trials, 2)
        (0.7,)
    """
    found = []
    for count in range(1, splits):
        means = [fmean(values[:count]) for values in map(_values, done) if len(values) >= count]
        found.append(median(means) if len(means) >= _ENOUGH else -math.inf)
    return tuple(found)


def is_hopeless(values: Sequence[float], needed: Sequence[float]) -> bool:
    """Whether a trial with these first values has to end.

    Args:
        values: The values of its first splits, at least one.
        needed: See :func:`thresholds`.
    """
    return len(values) <= len(needed) and fmean(values) < needed[len(values) - 1]


def _values(trial: Trial) -> tuple[float, ...]:
    return trial.values or trial.partial
