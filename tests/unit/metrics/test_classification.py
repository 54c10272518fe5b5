from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, average_precision_score, roc_auc_score

from linkwl.metrics import accuracy, auc, average_precision, best_threshold, precision_at_k

# Few distinct values, so that most examples hold ties within and across the two kinds.
tied_scores = st.lists(st.integers(-3, 3), min_size=1, max_size=40).map(lambda values: np.array(values) / 7)


def labelled(positive, negative):
    return np.repeat([1, 0], [len(positive), len(negative)]), np.concatenate([positive, negative])


def test_auc_by_hand():
    assert auc(np.array([3.0, 1.0]), np.array([2.0, 0.0])) == 0.75
    assert auc(np.array([3.0, 1.0]), np.array([1.0, 0.0])) == 0.875
    assert auc(np.array([0.0]), np.array([1.0])) == 0.0


@pytest.mark.parametrize(("num_positives", "num_negatives"), [(1, 1), (3, 7), (1237, 9973)])
def test_constant_scorer_is_at_chance(num_positives, num_negatives):
    positive, negative = np.full(num_positives, 0.1), np.full(num_negatives, 0.1)
    assert auc(positive, negative) == 0.5
    share = num_positives / (num_positives + num_negatives)
    assert average_precision(positive, negative) == pytest.approx(share, rel=1e-14)
    assert precision_at_k(positive, negative, k=2) == share


@given(tied_scores, tied_scores)
def test_agrees_with_scikit_learn(positive, negative):
    assert auc(positive, negative) == pytest.approx(roc_auc_score(*labelled(positive, negative)), abs=1e-12)
    expected = average_precision_score(*labelled(positive, negative))
    assert average_precision(positive, negative) == pytest.approx(expected, abs=1e-12)


@given(tied_scores, tied_scores)
def test_auc_changes_sides_exactly(positive, negative):
    assert auc(positive, negative) == auc(-negative, -positive)
    assert auc(positive, negative) + auc(negative, positive) == pytest.approx(1, abs=1e-15)


def test_average_precision_by_hand():
    assert average_precision(np.array([3.0, 1.0]), np.array([2.0, 0.0])) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(np.array([2.0, 2.0]), np.array([2.0, 0.0])) == pytest.approx(2 / 3)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=6), st.data())
def test_precision_at_k_is_the_mean_over_all_orders_of_ties(values, data):
    num_positives = data.draw(st.integers(1, len(values) - 1))
    k = data.draw(st.integers(1, len(values)))
    scores = np.array(values, dtype=np.float64)
    precisions = []
    for order in permutations(range(len(scores))):
        best = sorted(order, key=lambda pair: -scores[pair])[:k]  # a stable sort keeps the order of ties
        precisions.append(sum(pair < num_positives for pair in best) / k)
    assert precision_at_k(scores[:num_positives], scores[num_positives:], k) == pytest.approx(np.mean(precisions))


def test_infinities_have_their_place():
    assert auc(np.array([np.inf, 0.0]), np.array([-np.inf, np.inf])) == 0.625
    assert precision_at_k(np.array([np.inf]), np.array([-np.inf, 0.0]), k=1) == 1


def test_float32_and_plain_lists_are_taken():
    assert auc(np.array([0.3], dtype=np.float32), np.array([0.1, 0.3], dtype=np.float32)) == 0.75
    assert auc([2], [1]) == 1


@pytest.mark.parametrize("metric", [auc, average_precision, lambda p, n: precision_at_k(p, n, k=1)])
@pytest.mark.parametrize(
    ("positive", "negative", "sentence"),
    [
        ([], [1.0], "`positive` must be a one-dimensional array of at least one score"),
        ([1.0], [], "`negative` must be a one-dimensional array of at least one score"),
        ([[1.0]], [1.0], r"`positive` must be a one-dimensional array .* got \(1, 1\)"),
        ([1.0], [1.0, np.nan], "`negative` must hold numbers, got NaN in 1 of 2 scores"),
    ],
)
def test_scores_that_cannot_be_compared_are_refused(metric, positive, negative, sentence):
    with pytest.raises(ValueError, match=sentence):
        metric(np.array(positive), np.array(negative))


@pytest.mark.parametrize("k", [0, -1, 4])
def test_precision_at_k_refuses_an_impossible_k(k):
    with pytest.raises(ValueError, match=r"`k` must lie in 1 .. 3, the number of scores, got"):
        precision_at_k(np.array([1.0]), np.array([0.0, 2.0]), k=k)


@given(tied_scores, tied_scores, st.integers(-4, 4).map(lambda value: value / 7))
def test_accuracy_equals_scikit_learn(positive, negative, threshold):
    predicted = np.concatenate([positive, negative]) > threshold
    labels = np.repeat([True, False], [len(positive), len(negative)])
    assert accuracy(positive, negative, threshold) == pytest.approx(accuracy_score(labels, predicted), abs=1e-15)


@given(tied_scores, tied_scores)
def test_no_threshold_is_more_accurate_than_the_best(positive, negative):
    best = best_threshold(positive, negative)
    reached = accuracy(positive, negative, best)
    values = np.unique(np.concatenate([positive, negative]))
    others = np.concatenate([[values[0] - 1], values, (values[1:] + values[:-1]) / 2])
    found = np.array([accuracy(positive, negative, float(other)) for other in others])
    assert reached == found.max()
    lower = (values > best).sum() < (values[:, None] > others).sum(axis=0)  # accepts more scores
    assert (found[lower] < reached).all()


def test_the_best_threshold_by_hand():
    assert best_threshold(np.array([3.0, 4.0]), np.array([1.0, 2.0])) == 2.5
    assert best_threshold(np.array([3.0]), np.array([1.0, 5.0])) == 2.0  # at 5 all are rejected, which is as good
    assert best_threshold(np.array([1.0, 1.0]), np.array([1.0])) < 1.0  # nothing but to accept all
    assert best_threshold(np.array([1.0]), np.array([1.0, 1.0])) == 1.0
    assert best_threshold(np.array([np.inf]), np.array([1.0])) == 1.0
    close = np.nextafter(1.0, 2.0)
    assert best_threshold(np.array([close]), np.array([1.0])) == 1.0
