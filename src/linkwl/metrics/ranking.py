"""Where links stand among the other pairs: average rank, mean reciprocal rank, Hits@K.

Each link is ranked alone against *all* negatives of its fold, as in OGB; other links do not compete.
"""

from __future__ import annotations

import numpy as np

from linkwl.metrics.counting import check_k, check_scores, count_above, kth_largest
from linkwl.typing import FloatArray, Scores


def average_rank(positive: Scores, negative: Scores) -> FloatArray:
    """The rank of each link among the negatives, averaged over the order of ties: ``1 + better + tied / 2``.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> average_rank(np.array([3.0, 1.0]), np.array([2.0, 1.0])).tolist()
        [1.0, 2.5]
    """
    better, tied = count_above(*check_scores(positive, negative))
    return 1 + better + tied / 2


def mean_reciprocal_rank(positive: Scores, negative: Scores) -> float:
    """The mean of ``1 / average_rank``: ties first settle into one rank, then the reciprocal is taken.

    By Jensen's inequality this is at most the mean over the order of ties, so tying never pays.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.

    Raises:
        ValueError: If either is empty or holds a NaN.

    Example:
        >>> mean_reciprocal_rank(np.array([3.0, 1.0]), np.array([2.0, 1.0]))
        0.7
    """
    return float(np.mean(1 / average_rank(positive, negative)))


def hits_at_k(positive: Scores, negative: Scores, k: int) -> float:
    r"""The share of links ranked among the first ``k``, averaged over the order of ties.

    .. math::
        \frac{1}{|P|} \sum_{p \in P} \operatorname{clip}\Big(\frac{k - better_p}{tied_p + 1}, 0, 1\Big)

    Only links that tie with the k-th best negative get a fraction, and they all get the same one, so the sum is one
    division of whole numbers. A constant scorer gets exactly k / (num_negatives + 1), which is chance.

    Args:
        positive: Raw scores of the pairs that are links.
        negative: Raw scores of the pairs that are not.
        k: A link is hit if fewer than ``k`` negatives are ranked above it.

    Raises:
        ValueError: If either is empty or holds a NaN, or there are fewer than ``k`` negatives: every link would be
            hit, whatever the model.

    Example:
        >>> hits_at_k(np.array([3.0, 1.0]), np.array([2.0, 1.0]), k=2)
        0.75
    """
    positive, negative = check_scores(positive, negative)
    threshold = kth_largest(negative, check_k(k, len(negative), "negatives"))
    better, tied = int((negative > threshold).sum()), int((negative == threshold).sum())
    hit, shared = int((positive > threshold).sum()), int((positive == threshold).sum())
    return (hit * (tied + 1) + shared * (k - better)) / (len(positive) * (tied + 1))
