from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl.metrics import average_rank, hits_at_k, mean_reciprocal_rank, relation_hits_at_k

few_scores = st.lists(st.integers(0, 3), min_size=1, max_size=5).map(lambda values: np.array(values, dtype=np.float64))
many_scores = st.lists(st.integers(-3, 3), min_size=1, max_size=40).map(lambda values: np.array(values) / 7)


def ranks_in_all_orders(score, negative):
    """The rank of one link for each order in which it and the negatives may be listed before a stable sort."""
    scores = np.append(negative, score)
    link = len(negative)
    for order in permutations(range(len(scores))):
        yield 1 + sorted(order, key=lambda pair: -scores[pair]).index(link)


def test_by_hand():
    positive, negative = np.array([3.0, 1.0, -1.0]), np.array([2.0, 1.0, 1.0, 0.0])
    assert average_rank(positive, negative).tolist() == [1, 3, 5]
    assert mean_reciprocal_rank(positive, negative) == pytest.approx((1 + 1 / 3 + 1 / 5) / 3)
    assert hits_at_k(positive, negative, k=1) == pytest.approx(1 / 3)
    assert hits_at_k(positive, negative, k=2) == pytest.approx((1 + 1 / 3) / 3)
    assert hits_at_k(positive, negative, k=3) == pytest.approx((1 + 2 / 3) / 3)
    assert hits_at_k(positive, negative, k=4) == pytest.approx(2 / 3)


@given(few_scores, few_scores, st.data())
def test_ties_count_as_the_mean_over_all_their_orders(positive, negative, data):
    k = data.draw(st.integers(1, len(negative)))
    ranks = [list(ranks_in_all_orders(score, negative)) for score in positive]
    assert average_rank(positive, negative) == pytest.approx(np.mean(ranks, axis=1))
    assert hits_at_k(positive, negative, k) == pytest.approx(np.mean(np.array(ranks) <= k))


@given(many_scores, many_scores, st.data())
def test_hits_equal_the_formula(positive, negative, data):
    k = data.draw(st.integers(1, len(negative)))
    better = (negative > positive[:, None]).sum(axis=1)
    tied = (negative == positive[:, None]).sum(axis=1)
    expected = np.mean(np.clip((k - better) / (tied + 1), 0, 1))
    assert hits_at_k(positive, negative, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("num_negatives", [1, 10, 5003])
@pytest.mark.parametrize("num_positives", [1, 3, 4999])
def test_constant_scorer_gets_no_free_hits(num_positives, num_negatives):
    positive, negative = np.zeros(num_positives), np.zeros(num_negatives)
    for k in {1, num_negatives}:
        assert hits_at_k(positive, negative, k) == k / (num_negatives + 1)
    assert mean_reciprocal_rank(positive, negative) == pytest.approx(1 / (1 + num_negatives / 2))


def test_without_ties_hits_are_those_of_ogb():
    rng = np.random.default_rng(0)
    positive, negative = rng.normal(1, 1, 200), rng.normal(0, 1, 300)
    for k in (1, 20, 300):
        assert hits_at_k(positive, negative, k) == np.mean(positive > np.sort(negative)[-k])


@pytest.mark.parametrize("k", [0, 3])
def test_too_few_negatives_are_refused(k):
    with pytest.raises(ValueError, match=rf"`k` must lie in 1 .. 2, the number of negatives, got {k}"):
        hits_at_k(np.array([1.0]), np.array([0.0, 0.0]), k=k)


@pytest.mark.parametrize("metric", [average_rank, mean_reciprocal_rank, lambda p, n: hits_at_k(p, n, k=1)])
def test_empty_and_missing_scores_are_refused(metric):
    for positive, negative in (([], [0.0]), ([0.0], []), ([np.nan], [0.0]), ([0.0], [np.nan])):
        with pytest.raises(ValueError, match="`(positive|negative)` must"):
            metric(np.array(positive), np.array(negative))


def test_infinities_have_their_place():
    assert average_rank(np.array([np.inf, -np.inf]), np.array([np.inf, 0.0])).tolist() == [1.5, 3]


@pytest.fixture
def lists():
    """Positives with lists of one to six negatives, many of them tied."""
    generator = np.random.default_rng(0)
    sizes = generator.integers(1, 7, 40)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return generator.integers(0, 4, 40).astype(float), generator.integers(0, 4, offsets[-1]).astype(float), offsets


def test_ranks_in_lists_are_those_of_each_list_alone(lists):
    positive, negative, offsets = lists
    alone = [
        average_rank(positive[i : i + 1], negative[start:stop])[0] for i, (start, stop) in enumerate(pairwise(offsets))
    ]
    np.testing.assert_array_equal(average_rank(positive, negative, offsets), alone)
    assert mean_reciprocal_rank(positive, negative, offsets) == np.mean(1 / np.array(alone))
    hits = [
        hits_at_k(positive[i : i + 1], negative[start:stop], 1) for i, (start, stop) in enumerate(pairwise(offsets))
    ]
    assert hits_at_k(positive, negative, 1, offsets) == pytest.approx(np.mean(hits))


def test_a_constant_scorer_gets_chance_in_lists():
    offsets = np.arange(0, 51, 10)
    assert hits_at_k(np.zeros(5), np.zeros(50), 3, offsets) == pytest.approx(3 / 11)
    assert average_rank(np.zeros(5), np.zeros(50), offsets).tolist() == [6.0] * 5


@pytest.mark.parametrize("offsets", [[0, 2, 6], [0, 2, 2, 6], [1, 2, 4, 6], [0, 2, 4, 5]])
def test_lists_that_do_not_divide_the_negatives_are_refused(offsets):
    with pytest.raises(ValueError, match="`lists` must divide the 6 negatives into 3 parts"):
        average_rank(np.zeros(3), np.zeros(6), np.array(offsets))


def test_a_list_with_too_few_negatives_is_refused():
    with pytest.raises(ValueError, match="negatives in the shortest list"):
        hits_at_k(np.zeros(2), np.zeros(6), 3, np.array([0, 2, 6]))


def test_relation_hits_by_hand():
    positive = np.array([2.0, 1.0, 0.0])
    others = np.array([3.0, 2.0, 0.0, 1.0, 1.0])  # two of the first fact, three of the second, none of the third
    offsets = np.array([0, 2, 5, 5])
    assert relation_hits_at_k(positive, others, offsets, 1) == pytest.approx((0 + 1 / 3 + 1) / 3)
    assert relation_hits_at_k(positive, others, offsets, 1, is_pessimistic=True) == pytest.approx(1 / 3)
    assert relation_hits_at_k(positive, others, offsets, 2) == pytest.approx((1 / 2 + 2 / 3 + 1) / 3)
    assert relation_hits_at_k(positive, others, offsets, 2, is_pessimistic=True) == pytest.approx(1 / 3)
    assert relation_hits_at_k(positive, others, offsets, 3, is_pessimistic=True) == 1.0


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=6), st.integers(1, 4), st.integers(0, 99))
def test_relation_hits_equal_the_mean_over_orders_of_ties(lists, k, seed):
    positive = np.random.default_rng(seed).integers(0, 4, len(lists)).astype(float)
    corrupted = np.array([score for scores in lists for score in scores], dtype=float)
    if len(corrupted) == 0:
        return
    offsets = np.concatenate([[0], np.cumsum([len(scores) for scores in lists])])
    expected, pessimistic = [], []
    for own, scores in zip(positive, lists, strict=True):
        better, tied = sum(s > own for s in scores), sum(s == own for s in scores)
        expected.append(np.mean([better + place < k for place in range(tied + 1)]))
        pessimistic.append(better + tied < k)
    assert relation_hits_at_k(positive, corrupted, offsets, k) == pytest.approx(np.mean(expected))
    assert relation_hits_at_k(positive, corrupted, offsets, k, is_pessimistic=True) == np.mean(pessimistic)
