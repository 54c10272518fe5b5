"""How well predicted probabilities match the share of links: Brier score, calibration error, reliability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.metrics.counting import check_scores
from linkwl.typing import FloatArray, Scores

BINS = 10


class Reliability(NamedTuple):
    """Pairs grouped by predicted probability, in bins of equal width; empty bins are omitted."""

    predicted: FloatArray
    """The mean predicted probability in each bin."""
    true: FloatArray
    """The share of links in each bin."""
    share: FloatArray
    """The share of all pairs in each bin; adds up to one."""


def brier_score(positive: Scores, negative: Scores, *, prior: float = 0.5) -> float:
    """The mean squared error of the probabilities: 0 is perfect, a constant prediction of one half gives 0.25.

    Args:
        positive: Probabilities of the pairs that are links.
        negative: Probabilities of the pairs that are not.
        prior: The share of links among all pairs; the given links get this total weight, however many they are.

    Raises:
        ValueError: If either is empty or holds a value that is not a probability.

    Example:
        >>> brier_score(np.array([0.8]), np.array([0.4]))
        0.1
    """
    positive, negative = _check(positive, negative, prior)
    return float(prior * ((1 - positive) ** 2).mean() + (1 - prior) * (negative**2).mean())


def reliability(positive: Scores, negative: Scores, *, prior: float = 0.5, bins: int = BINS) -> Reliability:
    """The share of links among pairs with about the same predicted probability.

    Args:
        positive: Probabilities of the pairs that are links.
        negative: Probabilities of the pairs that are not.
        prior: The share of links among all pairs; the given pairs are weighted accordingly.
        bins: Number of bins between 0 and 1.

    Raises:
        ValueError: If either is empty or holds a value that is not a probability.
    """
    positive, negative = _check(positive, negative, prior)
    predicted = np.concatenate([positive, negative])
    weight = np.repeat([prior / len(positive), (1 - prior) / len(negative)], [len(positive), len(negative)])
    bin_of = np.minimum((predicted * bins).astype(np.int64), bins - 1)
    share = np.bincount(bin_of, weights=weight, minlength=bins)
    links = np.bincount(bin_of[: len(positive)], weights=weight[: len(positive)], minlength=bins)
    sums = np.bincount(bin_of, weights=weight * predicted, minlength=bins)
    is_used = share > 0
    total: FloatArray = share[is_used].astype(np.float64)
    return Reliability(sums[is_used] / total, links[is_used] / total, total)


def calibration_error(positive: Scores, negative: Scores, *, prior: float = 0.5, bins: int = BINS) -> float:
    """The expected calibration error: the mean distance of the share of links from the predicted probability.

    Args:
        positive: Probabilities of the pairs that are links.
        negative: Probabilities of the pairs that are not.
        prior: The share of links among all pairs; the given pairs are weighted accordingly.
        bins: Number of bins between 0 and 1.

    Raises:
        ValueError: If either is empty or holds a value that is not a probability.

    Example:
        >>> calibration_error(np.array([0.75, 0.75, 0.75]), np.array([0.75]), prior=0.75)
        0.0
    """
    predicted, true, share = reliability(positive, negative, prior=prior, bins=bins)
    return float((share * np.abs(predicted - true)).sum())


def _check(positive: Scores, negative: Scores, prior: float) -> tuple[Scores, Scores]:
    if not 0 < prior < 1:
        raise ValueError(f"`prior` must lie between 0 and 1, got {prior}.")
    positive, negative = check_scores(positive, negative)
    for name, values in (("positive", positive), ("negative", negative)):
        if not 0 <= values.min() <= values.max() <= 1:
            raise ValueError(f"`{name}` must hold probabilities, got {values.min()} .. {values.max()}.")
    return positive, negative
