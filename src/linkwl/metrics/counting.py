"""Counts of scores above and equal to a score, the basis of every metric."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.typing import IntArray, Scores


class Counts(NamedTuple):
    """For each score: the number of scores above it, and equal to it; int64."""

    above: IntArray
    tied: IntArray


def count_above(scores: Scores, others: Scores) -> Counts:
    """For each score, the number of ``others`` that are larger, and that are equal; O(n log n)."""
    ascending = np.sort(others)
    below = np.searchsorted(ascending, scores, side="left")
    up_to = np.searchsorted(ascending, scores, side="right")
    return Counts(len(others) - up_to, up_to - below)


def kth_largest(scores: Scores, k: int) -> float:
    """The k-th largest score, counted from 1; O(n)."""
    place = len(scores) - k
    return float(np.partition(scores, place)[place])


def check_scores(positive: Scores, negative: Scores) -> tuple[Scores, Scores]:
    """Checks that the scores are comparable; returns both as float64.

    Raises:
        ValueError: If either is empty, not one-dimensional or holds a NaN; infinities are allowed.
    """
    return _checked("positive", positive), _checked("negative", negative)


def check_k(k: int, available: int, kind: str) -> int:
    """Checks that ``k`` lies in 1 .. available, and returns it.

    Raises:
        ValueError: If it does not.
    """
    if not 1 <= k <= available:
        raise ValueError(f"`k` must lie in 1 .. {available}, the number of {kind}, got {k}.")
    return int(k)


def _checked(argument: str, scores: Scores) -> Scores:
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim != 1 or len(array) == 0:
        raise ValueError(f"`{argument}` must be a one-dimensional array of at least one score, got {array.shape}.")
    if missing := int(np.isnan(array).sum()):
        raise ValueError(
            f"`{argument}` must hold numbers, got NaN in {missing} of {len(array)} scores; "
            "a model that diverged gives such scores, try a smaller learning rate."
        )
    return array
