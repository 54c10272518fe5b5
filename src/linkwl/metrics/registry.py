"""Every metric by its name, applied to the scores of a fold's targets."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import NamedTuple

import numpy as np

from linkwl.errors import UnknownNameError
from linkwl.metrics.classification import accuracy, auc, average_precision, precision_at_k
from linkwl.metrics.ranking import hits_at_k, mean_reciprocal_rank, relation_hits_at_k
from linkwl.typing import IntArray, Scores

_AT_K = re.compile(r"(hits|precision|relation-hits)@([1-9]\d{0,8})")
_PESSIMISTIC = "-pessimistic"


class RelationScores(NamedTuple):
    """The scores of the queries that differ from a positive in the relation alone."""

    scores: Scores
    offsets: IntArray
    """Row offsets: those of positive i are ``scores[offsets[i] : offsets[i + 1]]``."""


class TargetScores(NamedTuple):
    """The scores of positives and negatives; with ``lists``, each positive has its own negatives."""

    positive: Scores
    negative: Scores
    lists: IntArray | None = None
    """Row offsets: the negatives of positive i are ``negative[lists[i] : lists[i + 1]]``; None for one pool."""
    pools: IntArray | None = None
    """Row offsets of several pools of negatives; metrics are averaged over them."""
    relations: RelationScores | None = None
    """The scores of other relations, for triples."""
    threshold: float = 0.0
    """Scores above it are predicted links."""


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
    min_relations: int = 0
    """How many other relations some positive must have."""
    meaning: str = ""
    """Its definition, as the end of a sentence that starts with the title and `is`."""


def find_metric(name: str) -> Metric:
    """The metric with this name.

    ``auc``, ``ap``, ``acc``, ``mrr``, ``hits@K`` and ``precision@K`` compare positives with negatives;
    ``relation-hits@K`` and ``relation-hits@K-pessimistic`` compare them with other relations. Names joined by ``+``
    are the mean of these metrics. ``auc``, ``ap``, ``acc`` and ``precision@K`` compare positives with all negatives,
    even if each positive has its own list.

    Raises:
        UnknownNameError: If there is none.

    Example:
        >>> find_metric("hits@50").title
        'Hits@50'
        >>> find_metric("acc+auc").title
        'mean of ACC and AUC'
    """
    if name in _PLAIN:
        return _PLAIN[name]
    if "+" in name:
        return _mean(name)
    is_pessimistic = name.endswith(_PESSIMISTIC)
    if match := _AT_K.fullmatch(name.removesuffix(_PESSIMISTIC)):
        kind, k = match[1], int(match[2])
        if kind == "relation-hits":
            return _relation_hits(name, k, is_pessimistic)
        if kind == "hits" and not is_pessimistic:
            return Metric(name, f"Hits@{k}", partial(_ranked, partial(hits_at_k, k=k)), min_negatives=k)
        if kind == "precision" and not is_pessimistic:
            return Metric(name, f"P@{k}", partial(_pooled, partial(precision_at_k, k=k)), min_targets=k)
    raise UnknownNameError("metric", name, [*_PLAIN, "hits@100", "precision@100", "relation-hits@3"])


def _mean(name: str) -> Metric:
    parts = [find_metric(part) for part in name.split("+")]
    titles = [part.title for part in parts]
    return Metric(
        name,
        f"mean of {', '.join(titles[:-1])} and {titles[-1]}",
        lambda scores: fmean(part.measure(scores) for part in parts),
        min_negatives=max(part.min_negatives for part in parts),
        min_targets=max(part.min_targets for part in parts),
        min_relations=max(part.min_relations for part in parts),
    )


def _relation_hits(name: str, k: int, is_pessimistic: bool) -> Metric:
    def measure(scores: TargetScores) -> float:
        if scores.relations is None:
            raise ValueError(f"`{name}` needs the scores of other relations, and these targets have none.")
        return relation_hits_at_k(scores.positive, *scores.relations, k, is_pessimistic=is_pessimistic)

    title = f"relation Hits@{k}{' (pessimistic)' if is_pessimistic else ''}"
    return Metric(name, title, measure, min_relations=k)


def _pooled(measure: Callable[..., float], scores: TargetScores, **settings: float) -> float:
    """A measure of positives and all negatives, averaged over the pools of negatives."""
    if scores.pools is None:
        return measure(scores.positive, scores.negative, **settings)
    parts = np.split(scores.negative, scores.pools[1:-1])
    return fmean(measure(scores.positive, part, **settings) for part in parts)


def _ranked(measure: Callable[..., float], scores: TargetScores) -> float:
    """A measure of positives, each among its own list of negatives if there are lists."""
    if scores.lists is None:
        return _pooled(measure, scores)
    return measure(scores.positive, scores.negative, lists=scores.lists)


_PLAIN = {
    metric.id: metric
    for metric in (
        Metric(
            "auc",
            "AUC",
            partial(_pooled, auc),
            meaning="the probability that a hidden link scores above another pair; 50 % is chance",
        ),
        Metric(
            "ap",
            "AP",
            partial(_pooled, average_precision),
            meaning="the precision at the rank of each hidden link, averaged",
        ),
        Metric(
            "acc",
            "ACC",
            lambda scores: _pooled(accuracy, scores, threshold=scores.threshold),
            meaning="the share of hidden links and other pairs on the right side of one threshold",
        ),
        Metric(
            "mrr",
            "MRR",
            partial(_ranked, mean_reciprocal_rank),
            meaning="the mean of one divided by the rank of each hidden link",
        ),
    )
}
