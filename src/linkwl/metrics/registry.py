"""Every metric by its name, applied to the scores of a fold's targets."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from linkwl.errors import UnknownNameError
from linkwl.metrics.classification import auc, average_precision, precision_at_k
from linkwl.metrics.ranking import hits_at_k, mean_reciprocal_rank
from linkwl.typing import IntArray, Scores

_AT_K = re.compile(r"(hits|precision)@([1-9]\d{0,8})")


class TargetScores(NamedTuple):
    """The scores of positives and negatives; with ``lists``, each positive has its own negatives."""

    positive: Scores
    negative: Scores
    lists: IntArray | None = None
    """Row offsets: the negatives of positive i are ``negative[lists[i] : lists[i + 1]]``; None for one pool."""


@dataclass(frozen=True)
class Metric:
    """A number between 0 and 1, larger is better."""

    id: str
    """The name in records: ``auc``, ``mrr``, ``hits@100``."""
    title: str
    """The name in tables and sentences."""
    measure: Callable[[TargetScores], float]
    min_negatives: int = 1
    """How many negatives it needs, in the pool or in each list."""
    min_targets: int = 1
    """How many positives and negatives it needs together."""
    meaning: str = ""
    """Its definition, as the end of a sentence that starts with the title and `is`."""


def find_metric(name: str) -> Metric:
    """The metric with this name: ``auc``, ``ap``, ``mrr``, ``hits@K`` or ``precision@K``.

    ``auc``, ``ap`` and ``precision@K`` compare positives with all negatives, even if each positive has its own list.

    Raises:
        UnknownNameError: If there is none.

    Example:
        >>> find_metric("hits@50").title
        'Hits@50'
    """
    if name in _PLAIN:
        return _PLAIN[name]
    if match := _AT_K.fullmatch(name):
        kind, k = match[1], int(match[2])
        if kind == "hits":
            return Metric(name, f"Hits@{k}", lambda scores: hits_at_k(*scores[:2], k, scores.lists), min_negatives=k)
        return Metric(name, f"P@{k}", lambda scores: precision_at_k(*scores[:2], k), min_targets=k)
    raise UnknownNameError("metric", name, [*_PLAIN, "hits@100", "precision@100"])


_PLAIN = {
    metric.id: metric
    for metric in (
        Metric(
            "auc",
            "AUC",
            lambda scores: auc(*scores[:2]),
            meaning="the probability that a hidden link scores above another pair; 50 % is chance",
        ),
        Metric(
            "ap",
            "AP",
            lambda scores: average_precision(*scores[:2]),
            meaning="the precision at the rank of each hidden link, averaged",
        ),
        Metric(
            "mrr",
            "MRR",
            lambda scores: mean_reciprocal_rank(*scores),
            meaning="the mean of one divided by the rank of each hidden link",
        ),
    )
}
