"""How well scores separate links from other pairs: AUC, average precision, precision at K, accuracy."""

from __future__ import annotations

import numpy as np

from linkwl.metrics.counting import check_k, check_scores, count_above, kth_largest
from linkwl.typing import Scores


def auc(positive: Scores, negative: Scores) -> float:
    r"""The probability that a link scores above another pair; a tie counts one half.

    .. math::
        \frac{1}{|P||N|} \sum_{p \in P} \sum_{n \in N} [s_p > s_n] + \tfrac12 [s_p = s_n]

    Wins and ties are counted as integers and divided once, so there is no rounding: a constant scorer gets exactly 0.5.
    O(n log n).

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> auc(np.array([3.0, 1.0]), np.array([1.0, 0.0]))
        0.875
    """
    positive, negative = check_scores(positive, negative)
    lost, tied = count_above(positive, negative)
    pairs = len(positive) * len(negative)
    return (2 * pairs - int((2 * lost + tied).sum())) / (2 * pairs)


def average_precision(positive: Scores, negative: Scores) -> float:
    r"""Precision at the score of each link, averaged over the links; tied pairs enter together.

    .. math::
        \frac{1}{|P|} \sum_{p \in P} \frac{|\{q \in P: s_q \ge s_p\}|}{|\{q \in P \cup N: s_q \ge s_p\}|}

    This is the area under the precision-recall steps, as in ``sklearn.metrics.average_precision_score``.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> average_precision(np.array([3.0, 1.0]), np.array([2.0, 0.0]))
        0.8333333333333333
    """
    positive, negative = check_scores(positive, negative)
    links = sum(count_above(positive, positive))
    others = sum(count_above(positive, negative))
    return float(np.mean(links / (links + others)))


def precision_at_k(positive: Scores, negative: Scores, k: int) -> float:
    """The share of links among the ``k`` best scores, averaged over the order of ties.

    All pairs above the k-th largest score are included; those that tie with it share the remaining places. A constant
    scorer gets the share of links among all pairs.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.
        k: Number of best scores to consider.

    Raises:
        ValueError: If either is empty or holds a NaN, or there are fewer than ``k`` scores.

    Example:
        >>> precision_at_k(np.array([3.0, 1.0]), np.array([1.0, 0.0]), k=2)
        0.75
    """
    positive, negative = check_scores(positive, negative)
    scores = np.concatenate([positive, negative])
    threshold = kth_largest(scores, check_k(k, len(scores), "scores"))
    places_left = k - int((scores > threshold).sum())
    links_above, links_tied = int((positive > threshold).sum()), int((positive == threshold).sum())
    tied = int((scores == threshold).sum())
    return (links_above * tied + places_left * links_tied) / (k * tied)


def accuracy(positive: Scores, negative: Scores, threshold: float = 0.0) -> float:
    """The share of pairs on the right side: links above the threshold, other pairs at or below it.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.
        threshold: The decision; for log-odds, 0 is a probability of one half.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> accuracy(np.array([3.0, 0.0]), np.array([-1.0, 0.0]))
        0.75
    """
    positive, negative = check_scores(positive, negative)
    right = int((positive > threshold).sum()) + int((negative <= threshold).sum())
    return right / (len(positive) + len(negative))


def best_threshold(positive: Scores, negative: Scores) -> float:
    """The threshold that maximises :func:`accuracy`; the lowest if several do.

    It lies halfway between two neighbouring scores, or below all of them.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> best_threshold(np.array([3.0, 1.0]), np.array([0.0, 2.0]))
        0.5
    """
    positive, negative = check_scores(positive, negative)
    values = np.unique(np.concatenate([positive, negative]))
    lost, _ = count_above(values, positive)
    wrong, _ = count_above(values, negative)
    # At the threshold values[i], the scores above it are accepted; before the first one, all are.
    gain = np.concatenate([[len(positive) - len(negative)], lost - wrong])
    best = int(np.argmax(gain))
    if best == 0:
        return float(np.nextafter(values[0], -np.inf))
    low, high = float(values[best - 1]), float(values[min(best, len(values) - 1)])
    middle = low + (high - low) / 2
    return middle if low <= middle < high else low
