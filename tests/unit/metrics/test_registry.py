from __future__ import annotations

import numpy as np
import pytest

from linkwl.errors import UnknownNameError
from linkwl.metrics import TargetScores, auc, average_precision, find_metric, hits_at_k, mean_reciprocal_rank

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
