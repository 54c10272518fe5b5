from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_rel

from linkwl.metrics import paired_difference


def test_without_overlap_it_is_the_paired_t_test_of_scipy():
    generator = np.random.default_rng(0)
    first, second = generator.normal(0.9, 0.02, 8), generator.normal(0.89, 0.02, 8)
    found, expected = paired_difference(first, second, overlap=0.0), ttest_rel(first, second)
    interval = expected.confidence_interval(0.95)
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.mean - found.margin, found.mean + found.margin) == pytest.approx((interval.low, interval.high))


def test_overlap_widens_the_interval_by_the_ratio_of_variances():
    first, second = [0.9, 0.92, 0.91, 0.95], [0.9, 0.9, 0.9, 0.9]
    plain, corrected = (paired_difference(first, second, overlap=overlap) for overlap in (0.0, 0.5))
    assert corrected.mean == plain.mean
    assert corrected.margin / plain.margin == pytest.approx(math.sqrt((1 / 4 + 0.5) / (1 / 4)))
    assert corrected.p_value > plain.p_value


def test_false_alarms_under_random_subsampling_are_rare():
    """Means of overlapping subsamples of one population: the plain test rejects far too often, the corrected rarely."""
    generator = np.random.default_rng(1)
    alarms = {0.0: 0, 10 / 90: 0}
    for _ in range(400):
        population = generator.normal(size=100)
        scores = [population[generator.permutation(100)[:10]].mean() + population.mean() for _ in range(10)]
        for overlap in alarms:
            alarms[overlap] += paired_difference(scores, [0.0] * 10, overlap=overlap).is_clear
    assert alarms[10 / 90] < alarms[0.0] / 1.5


def test_one_split_tells_nothing():
    found = paired_difference([0.9], [0.5], overlap=0.1)
    assert found.mean == pytest.approx(0.4)
    assert not found.is_clear
    assert found.p_value == 1.0


def test_equal_scores_do_not_differ():
    found = paired_difference([0.9, 0.8], [0.9, 0.8], overlap=0.1)
    assert (found.mean, found.margin, found.is_clear) == (0.0, 0.0, False)


def test_models_need_the_same_splits():
    with pytest.raises(ValueError, match="same splits, got 2 and 1"):
        paired_difference([0.9, 0.8], [0.9], overlap=0.1)
