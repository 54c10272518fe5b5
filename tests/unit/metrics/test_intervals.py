from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest, brunnermunzel, norm

from linkwl.metrics import auc, auc_interval, auc_variance, share_interval


def samples(seed, num_positive, num_negative, *, digits=3, shift=1.0):
    """Normal scores, rounded so that some tie."""
    generator = np.random.default_rng(seed)
    positive, negative = generator.normal(shift, 1, num_positive), generator.normal(0, 1.5, num_negative)
    return np.round(positive, digits), np.round(negative, digits)


@pytest.mark.parametrize("digits", [6, 1, 0])
@pytest.mark.parametrize("sizes", [(5, 9), (40, 25), (300, 700)])
def test_the_variance_is_that_of_the_brunner_munzel_test(sizes, digits):
    """Its statistic is the distance of the AUC from one half in standard errors; scipy computes it from ranks."""
    positive, negative = samples(1, *sizes, digits=digits)
    statistic = brunnermunzel(negative, positive).statistic
    error = math.sqrt(auc_variance(positive, negative))
    assert (auc(positive, negative) - 0.5) / error == pytest.approx(statistic, rel=1e-10)


@pytest.mark.parametrize(("hits", "count"), [(0, 7), (7, 7), (3, 10), (180, 200)])
def test_the_interval_of_a_share_is_that_of_scipy(hits, count):
    expected = binomtest(hits, count).proportion_ci(method="wilson")
    assert share_interval(hits / count, count) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("sizes", "shift"), [((15, 15), 1.0), ((60, 60), 3.0), ((10, 200), 2.0)])
def test_nineteen_of_twenty_intervals_hold_the_true_value(sizes, shift):
    true = norm.cdf(shift / math.hypot(1, 1.5))  # of two normal distributions
    held = 0
    for seed in range(600):
        low, high = auc_interval(*samples(seed, *sizes, digits=9, shift=shift))
        held += low <= true <= high
    # Were the level exact, the share would be off by more than three standard errors once in 400 draws; with ten links
    # it need not be exact.
    assert held / 600 == pytest.approx(0.95, abs=3 * math.sqrt(0.95 * 0.05 / 600) + 0.02)


def test_scores_that_separate_perfectly_are_not_certain():
    few, many = (auc_interval(np.arange(n) + 1.0 + n, np.arange(n) * 1.0) for n in (5, 500))
    assert few.high == many.high == 1
    assert 0.5 < few.low < 0.85
    assert 0.99 < many.low < 1
    turned = auc_interval(np.arange(5) * 1.0, np.arange(5) + 6.0)
    assert turned.low == 0
    assert turned.high == pytest.approx(1 - few.low)


def test_perfect_separation_has_hanley_and_mcneils_error():
    """The lower bound is as far from 1 as the standard error there says, by the formula of their paper."""
    low, _ = auc_interval(np.ones(12), np.zeros(12))
    q1, q2 = low / (2 - low), 2 * low**2 / (1 + low)
    variance = (low * (1 - low) + 11 * (q1 - low**2) + 11 * (q2 - low**2)) / 144
    assert (1 - low) / math.sqrt(variance) == pytest.approx(norm.ppf(0.975), rel=1e-6)


def test_one_link_says_almost_nothing():
    low, high = auc_interval(np.array([1.0]), np.array([0.0, 2.0, 0.5]))
    assert low < 0.2
    assert high > 0.9
    assert math.isnan(auc_variance(np.array([1.0]), np.array([0.0, 2.0])))


def test_a_constant_scorer_is_somewhere_around_one_half():
    low, high = auc_interval(np.zeros(20), np.zeros(20))
    assert low < 0.5 < high
    assert low == pytest.approx(1 - high)


def test_a_higher_level_is_wider():
    scores = samples(3, 30, 30)
    narrow, wide = auc_interval(*scores, level=0.5), auc_interval(*scores, level=0.99)
    assert wide.low < narrow.low < auc(*scores) < narrow.high < wide.high


def test_what_is_no_share_is_refused():
    with pytest.raises(ValueError, match="share"):
        share_interval(1.2, 4)
    with pytest.raises(ValueError, match="share"):
        share_interval(0.2, 0)
