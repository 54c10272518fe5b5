"""The ranks of positives among negatives: average rank, mean reciprocal rank, Hits@K.

Each positive is ranked separately, against all negatives of its fold or against its own list; other positives do not
compete.
"""

from __future__ import annotations

import numpy as np

from linkwl.metrics.counting import Counts, check_k, check_scores, count_above, kth_largest
from linkwl.typing import BoolArray, FloatArray, IntArray, Scores


def average_rank(positive: Scores, negative: Scores, lists: IntArray | None = None) -> FloatArray:
    """The rank of each positive among the negatives, averaged over the order of ties: ``1 + better + tied / 2``.

    Args:
        positive: Raw scores of the positives.
        negative: Raw scores of the negatives.
        lists: Row offsets, if each positive has its own negatives: those of positive i are ``negative[lists[i] :
            lists[i + 1]]``.

    Raises:
        ValueError: If a positive has no negatives, or a score is NaN.

    Example:
        >>> average_rank(np.array([3.0, 1.0]), np.array([2.0, 1.0])).tolist()
        [1.0, 2.5]
    """
    positive, negative = check_scores(positive, negative)
    better, tied = count_above(positive, negative) if lists is None else _count_in_lists(positive, negative, lists)
    return 1 + better + tied / 2


def mean_reciprocal_rank(positive: Scores, negative: Scores, lists: IntArray | None = None) -> float:
    """The mean of ``1 / average_rank``: ties are averaged into one rank before the reciprocal is taken.

    By Jensen's inequality this is at most the mean over the order of ties, so tying never pays.

    Args:
        positive: Raw scores of the positives.
        negative: Raw scores of the negatives.
        lists: Row offsets, as in :func:`average_rank`.

    Raises:
        ValueError: If a positive has no negatives, or a score is NaN.

    Example:
        >>> mean_reciprocal_rank(np.array([3.0, 1.0]), np.array([2.0, 1.0]))
        0.7
    """
    return float(np.mean(1 / average_rank(positive, negative, lists)))


def hits_at_k(positive: Scores, negative: Scores, k: int, lists: IntArray | None = None) -> float:
    r"""The share of positives ranked among the first ``k``, averaged over the order of ties.

    .. math::
        \frac{1}{|P|} \sum_{p \in P} \operatorname{clip}\Big(\frac{k - better_p}{tied_p + 1}, 0, 1\Big)

    In one pool, only positives that tie with the k-th best negative get a fraction, the same for all, so the sum is one
    division of integers. A constant scorer gets exactly k / (num_negatives + 1), which is chance.

    Args:
        positive: Raw scores of the positives.
        negative: Raw scores of the negatives.
        k: A positive is a hit if fewer than ``k`` negatives are ranked above it.
        lists: Row offsets, as in :func:`average_rank`.

    Raises:
        ValueError: If a score is NaN, or a positive has fewer than ``k`` negatives: any model would hit it.

    Example:
        >>> hits_at_k(np.array([3.0, 1.0]), np.array([2.0, 1.0]), k=2)
        0.75
    """
    positive, negative = check_scores(positive, negative)
    if lists is not None:
        better, tied = _count_in_lists(positive, negative, lists)
        check_k(k, int(np.diff(lists).min()), "negatives in the shortest list")
        return float(np.clip((k - better) / (tied + 1), 0, 1).mean())
    threshold = kth_largest(negative, check_k(k, len(negative), "negatives"))
    above, at = int((negative > threshold).sum()), int((negative == threshold).sum())
    hit, shared = int((positive > threshold).sum()), int((positive == threshold).sum())
    return (hit * (at + 1) + shared * (k - above)) / (len(positive) * (at + 1))


def relation_hits_at_k(
    positive: Scores, corrupted: Scores, offsets: IntArray, k: int, *, is_pessimistic: bool = False
) -> float:
    """The share of facts whose relation is ranked among the first ``k``, against other relations of the same entities.

    Args:
        positive: Raw scores of the facts.
        corrupted: Raw scores of the same facts with other relations.
        offsets: Row offsets: the other relations of fact i are ``corrupted[offsets[i] : offsets[i + 1]]``. A fact with
            fewer than ``k`` of them is a hit for every model.
        k: A fact is a hit if fewer than ``k`` other relations are ranked above its own.
        is_pessimistic: Whether the relation of the fact loses every tie; by default hits are averaged over the order
            of ties, as in :func:`hits_at_k`.

    Raises:
        ValueError: If a score is NaN.

    Example:
        >>> relation_hits_at_k(np.array([1.0, 2.0]), np.array([1.0, 0.0, 3.0]), np.array([0, 2, 3]), k=1)
        0.25
    """
    positive, corrupted = check_scores(positive, corrupted)
    better, tied = _count_in_lists(positive, corrupted, offsets, least=0)
    if is_pessimistic:
        return float((better + tied < k).mean())
    return float(np.clip((k - better) / (tied + 1), 0, 1).mean())


def _count_in_lists(positive: Scores, negative: Scores, lists: IntArray, *, least: int = 1) -> Counts:
    """For each positive, the number of negatives of its list that are larger, and that are equal."""
    sizes = np.diff(lists)
    if len(sizes) != len(positive) or lists[0] != 0 or lists[-1] != len(negative) or sizes.min() < least:
        raise ValueError(
            f"`lists` must divide the {len(negative)} negatives into {len(positive)} parts, one or more for each "
            "positive."
        )
    own = np.repeat(positive, sizes)
    return Counts(*(_sums(found, lists) for found in (negative > own, negative == own)))


def _sums(found: BoolArray, lists: IntArray) -> IntArray:
    """The number of flags that are set in each list, which may be empty."""
    running = np.concatenate([[0], np.cumsum(found)])
    return running[lists[1:]] - running[lists[:-1]]
