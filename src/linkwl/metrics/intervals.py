"""How far a figure of a small test can be trusted: 95 % intervals of AUC and of Hits@K."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from linkwl.metrics.counting import check_scores, count_above
from linkwl.typing import Scores

LEVEL = 0.95
_TINY = 1e-12


class Interval(NamedTuple):
    """Bounds between 0 and 1."""

    low: float
    high: float


def auc_variance(positive: Scores, negative: Scores) -> float:
    r"""The variance of :func:`~linkwl.metrics.auc` over the draw of both samples, after DeLong; ties count one half.

    .. math::
        \frac{1}{|P|} \operatorname{var}_{p \in P} V_p + \frac{1}{|N|} \operatorname{var}_{n \in N} V_n

    where :math:`V_p` is the share of negatives below a positive, and :math:`V_n` that of positives above a negative.
    O(n log n). NaN if a sample has one score: nothing is known of its variance.

    Reference: DeLong, DeLong and Clarke-Pearson, Comparing the areas under two or more correlated receiver operating
    characteristic curves, Biometrics 44, 1988.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> auc_variance(np.array([3.0, 1.0]), np.array([2.0, 0.0]))
        0.125
    """
    positive, negative = check_scores(positive, negative)
    if min(len(positive), len(negative)) < 2:
        return math.nan
    total = 0.0
    for scores, others in ((positive, negative), (negative, positive)):
        above, tied = count_above(scores, others)
        total += float(np.var((above + tied / 2) / len(others), ddof=1)) / len(scores)
    return total


def auc_interval(positive: Scores, negative: Scores, *, level: float = LEVEL) -> Interval:
    """The interval of the AUC: normal on the scale of its log-odds, with the variance of :func:`auc_variance`.

    Scores that separate perfectly, or nearly so that the variance vanishes, have no such interval. Then it holds all
    values whose distance from the AUC is within the error that Hanley and McNeil give for them, as Newcombe proposes.

    The scores count as independent draws. Links that share nodes are not quite that, so the interval is a lower bound
    of the uncertainty.

    Reference: Qin and Hotilovac, Comparison of non-parametric confidence intervals for the area under the ROC curve,
    Statistical Methods in Medical Research 17, 2008; Newcombe, Confidence intervals for an effect size measure based on
    the Mann-Whitney statistic, part 2, Statistics in Medicine 25, 2006.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.
        level: The share of such intervals that hold the true value.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> low, high = auc_interval(np.array([3.0, 1.0, 4.0, 5.0]), np.array([2.0, 0.0, 1.0, 2.5]))
        >>> round(low, 3), round(high, 3)
        (0.31, 0.985)
    """
    positive, negative = check_scores(positive, negative)
    lost, tied = count_above(positive, negative)
    value = 1 - float((lost + tied / 2).mean()) / len(negative)
    variance = auc_variance(positive, negative)
    z = float(norm.ppf((1 + level) / 2))
    if not variance > 0 or not 0 < value < 1:
        return _score_interval(value, len(positive), len(negative), z)
    centre = math.log(value / (1 - value))
    margin = z * math.sqrt(variance) / (value * (1 - value))
    return Interval(_logistic(centre - margin), _logistic(centre + margin))


def share_interval(share: float, count: int, *, level: float = LEVEL) -> Interval:
    """The interval of a share of ``count`` independent trials, after Wilson; Hits@K is such a share.

    Args:
        share: The share that was found.
        count: Number of trials.
        level: The share of such intervals that hold the true value.

    Raises:
        ValueError: If there are no trials, or the share is none.

    Example:
        >>> low, high = share_interval(0.9, 10)
        >>> round(low, 3), round(high, 3)
        (0.596, 0.982)
    """
    if count < 1 or not 0 <= share <= 1:
        raise ValueError(f"`share` must be that of one or more trials, got {share} of {count}.")
    z = float(norm.ppf((1 + level) / 2))
    middle = share + z * z / (2 * count)
    margin = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    scale = 1 + z * z / count
    return Interval(max(0.0, (middle - margin) / scale), min(1.0, (middle + margin) / scale))


def _score_interval(value: float, num_positive: int, num_negative: int, z: float) -> Interval:
    """All values that are at most z of their own standard errors away, Hanley and McNeil's with equal samples."""
    each = (num_positive + num_negative) / 2

    def excess(other: float) -> float:
        spread = 1 + (each - 1) * ((1 - other) / (2 - other) + other / (1 + other))
        return (value - other) ** 2 - z * z * other * (1 - other) * spread / (num_positive * num_negative)

    # Negative at the value itself, but for 0 and 1, beside which it is; positive at the other end.
    low = 0.0 if value == 0 else float(brentq(excess, 0.0, min(value, 1 - _TINY)))
    high = 1.0 if value == 1 else float(brentq(excess, max(value, _TINY), 1.0))
    return Interval(low, high)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > 0 else 1 - 1 / (1 + math.exp(x))
