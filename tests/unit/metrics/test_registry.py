from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, average_precision_score, roc_auc_score

from linkwl.errors import UnknownNameError
from linkwl.metrics import (
    RelationScores,
    TargetScores,
    auc,
    average_precision,
    find_metric,
    hits_at_k,
    mean_reciprocal_rank,
)

POSITIVE, NEGATIVE = np.array([3.0, 1.0, 2.0]), np.array([2.5, 1.0, 0.0, 1.5, 2.0, 2.0])
LISTS = np.array([0, 2, 4, 6])


def test_metrics_of_one_pool():
    scores = TargetScores(POSITIVE, NEGATIVE)
    assert find_metric("auc").measure(scores) == auc(POSITIVE, NEGATIVE)
    assert find_metric("ap").measure(scores) == average_precision(POSITIVE, NEGATIVE)
    assert find_metric("mrr").measure(scores) == mean_reciprocal_rank(POSITIVE, NEGATIVE)
    assert find_metric("hits@2").measure(scores) == hits_at_k(POSITIVE, NEGATIVE, 2)


def test_metrics_of_lists():
    scores = TargetScores(POSITIVE, NEGATIVE, LISTS)
    assert find_metric("mrr").measure(scores) == pytest.approx(np.mean([1, 1 / 2, 1 / 2]))
    assert find_metric("hits@1").measure(scores) == pytest.approx(np.mean([1, 0, 1 / 3]))
    assert find_metric("auc").measure(scores) == auc(POSITIVE, NEGATIVE)


def test_titles_and_needs():
    assert [find_metric(name).title for name in ("auc", "mrr", "hits@100", "precision@10")] == [
        "AUC",
        "MRR",
        "Hits@100",
        "P@10",
    ]
    assert find_metric("hits@100").min_negatives == 100
    assert find_metric("auc").min_negatives == 1


@pytest.mark.parametrize("name", ["acu", "hits", "hits@", "hits@0", "hits@-1", "hits@x", ""])
def test_unknown_metrics_are_refused(name):
    with pytest.raises(UnknownNameError, match="unknown metric"):
        find_metric(name)


def test_metrics_are_averaged_over_pools():
    generator = np.random.default_rng(0)
    positive, negative, pools = generator.random(20), generator.random(60), np.array([0, 10, 30, 60])
    scores = TargetScores(positive, negative, pools=pools, threshold=0.4)
    labels = [np.repeat([1, 0], [20, size]) for size in np.diff(pools)]
    found = [np.concatenate([positive, part]) for part in np.split(negative, pools[1:-1])]
    expected = {
        "auc": [roc_auc_score(y, s) for y, s in zip(labels, found, strict=True)],
        "ap": [average_precision_score(y, s) for y, s in zip(labels, found, strict=True)],
        "acc": [accuracy_score(y, s > 0.4) for y, s in zip(labels, found, strict=True)],
        "hits@5": [hits_at_k(positive, s[20:], 5) for s in found],
    }
    for name, values in expected.items():
        assert find_metric(name).measure(scores) == pytest.approx(np.mean(values), abs=1e-12)


def test_the_mean_of_metrics():
    scores = TargetScores(np.array([3.0, 1.0]), np.array([1.0, 0.0]), threshold=2.0)
    mean = find_metric("auc+acc")
    assert mean.measure(scores) == pytest.approx((0.875 + 0.75) / 2)
    assert mean.id == "auc+acc"
    assert find_metric("acc+hits@7+relation-hits@2").min_negatives == 7
    assert find_metric("acc+hits@7+relation-hits@2").min_relations == 2
    assert find_metric("acc+auc+relation-hits@3").title == "mean of ACC, AUC and relation Hits@3"


def test_relation_hits_need_other_relations():
    metric = find_metric("relation-hits@3")
    assert (metric.title, metric.min_relations) == ("relation Hits@3", 3)
    scores = TargetScores(np.array([1.0]), np.array([0.0]))
    with pytest.raises(ValueError, match="`relation-hits@3` needs the scores of other relations"):
        metric.measure(scores)
    ties = RelationScores(np.array([1.0, 1.0, 1.0]), np.array([0, 3]))
    assert metric.measure(scores._replace(relations=ties)) == 0.75
    assert find_metric("relation-hits@3-pessimistic").measure(scores._replace(relations=ties)) == 0.0


@pytest.mark.parametrize(
    "name", ["hits@3-pessimistic", "precision@3-pessimistic", "relation-hits", "auc+", "auc+nothing"]
)
def test_names_that_mean_nothing(name):
    with pytest.raises(UnknownNameError, match="unknown metric"):
        find_metric(name)
