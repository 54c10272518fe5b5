from __future__ import annotations

import math

from linkwl.tuning import Trial
from linkwl.tuning.pruning import is_hopeless, thresholds


def trial(*values, partial=()):
    return Trial(0, "drawn", {}, values, partial=partial)


def test_the_threshold_is_the_median_of_the_means_so_far():
    done = [
        trial(0.5, 0.7, 0.1),
        trial(0.6, 0.6, 0.1),
        trial(0.7, 0.9, 0.1),
        trial(0.8, 0.2, 0.1),
        trial(0.9, 0.9, 0.1),
    ]
    first, second = thresholds(done, 3)
    assert first == 0.7
    assert second == 0.6  # of 0.6, 0.6, 0.8, 0.5, 0.9


def test_trials_that_ended_early_count_as_far_as_they_came():
    done = [trial(0.5, 0.7), trial(0.6, 0.6), trial(partial=(0.1,)), trial(partial=(0.2,)), Trial(9, "drawn", {})]
    assert thresholds(done, 2) == (0.35,)
    assert thresholds(done, 3) == (0.35, -math.inf)  # two are too few


def test_few_trials_and_single_splits_end_none():
    assert thresholds([trial(0.5)] * 3, 2) == (-math.inf,)
    assert thresholds([trial(0.5)] * 9, 1) == ()
    assert not is_hopeless([0.1], ())


def test_only_values_below_the_threshold_end_a_trial():
    needed = (0.7, 0.6)
    assert is_hopeless([0.6], needed)
    assert not is_hopeless([0.7], needed)
    assert is_hopeless([0.7, 0.4], needed)
    assert not is_hopeless([0.7, 0.5], needed)
    assert not is_hopeless([0.7, 0.5, 0.0], needed)  # it is whole
