"""How well probabilities say how often pairs are links: Brier score, calibration error, reliability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.metrics.counting import check_scores
from linkwl.typing import FloatArray, Scores

BINS = 10


class Reliability(NamedTuple):
    """Pairs by their probability, in bins of equal width; empty bins are left out."""

    told: FloatArray
    """The mean probability in each bin."""
    true: FloatArray
    """The share of links in each bin."""
    share: FloatArray
    """The share of all pairs that is in each bin; adds up to one."""


def brier_score(positive: Scores, negative: Scores, *, prior: float = 0.5) -> float:
    """The mean squared distance of probabilities from what came true: 0 is perfect, 0.25 is always saying one half.

    Args:
        positive: Probabilities of the pairs that are links.
        negative: Probabilities of the pairs that are not.
        prior: The share of links among all pairs, whatever it is among those given: links weigh as much together.

    Raises:
        ValueError: If either is empty or holds what is no probability.

    Example:
        >>> brier_score(np.array([0.8]), np.array([0.4]))
        0.1
    """
    positive, negative = _check(positive, negative, prior)
    return float(prior * ((1 - positive) ** 2).mean() + (1 - prior) * (negative**2).mean())


def reliability(positive: Scores, negative: Scores, *, prior: float = 0.5, bins: int = BINS) -> Reliability:
    """Among pairs told much the same probability, which share are links?

    Args:
        positive: Probabilities of the pairs that are links.
        negative: Probabilities of the pairs that are not.
        prior: The share of links among all pairs, whatever it is among those given.
        bins: How many, from 0 to 1.

    Raises:
        ValueError: If either is empty or holds what is no probability.
    """
    positive, negative = _check(positive, negative, prior)
    told = np.concatenate([positive, negative])
    weight = np.repeat([prior / len(positive), (1 - prior) / len(negative)], [len(positive), len(negative)])
    place = np.minimum((told * bins).astype(np.int64), bins - 1)
    share = np.bincount(place, weights=weight, minlength=bins)
    links = np.bincount(place[: len(positive)], weights=weight[: len(positive)], minlength=bins)
    sums = np.bincount(place, weights=weight * told, minlength=bins)
    is_used = share > 0
    total: FloatArray = share[is_used].astype(np.float64)
    return Reliability(sums[is_used] / total, links[is_used] / total, total)


def calibration_error(positive: Scores, negative: Scores, *, prior: float = 0.5, bins: int = BINS) -> float:
    """The expected calibration error: how far the share of links is from the probability told, over all bins.

    Args:
        positive: Probabilities of the pairs that are links.
        negative: Probabilities of the pairs that are not.
        prior: The share of links among all pairs, whatever it is among those given.
        bins: How many, from 0 to 1.

    Raises:
        ValueError: If either is empty or holds what is no probability.

    Example:
        >>> calibration_error(np.array([0.75, 0.75, 0.75]), np.array([0.75]), prior=0.75)
        0.0
    """
    told, true, share = reliability(positive, negative, prior=prior, bins=bins)
    return float((share * np.abs(told - true)).sum())


def _check(positive: Scores, negative: Scores, prior: float) -> tuple[Scores, Scores]:
    if not 0 < prior < 1:
        raise ValueError(f"`prior` must lie between 0 and 1, got {prior}.")
    positive, negative = check_scores(positive, negative)
    for name, values in (("positive", positive), ("negative", negative)):
        if not 0 <= values.min() <= values.max() <= 1:
            raise ValueError(f"`{name}` must hold probabilities, got {values.min()} .. {values.max()}.")
    return positive, negative
