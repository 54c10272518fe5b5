from __future__ import annotations

import pytest

from linkwl.models.space import Choice, LogUniform, Uniform
from linkwl.tuning import Trial
from linkwl.tuning.sampler import next_settings, wave_settings

pytest.importorskip("optuna")

SPACE = {"kind": Choice("a", None, (1, 2)), "group.share": Uniform(0.0, 0.5), "group.rate": LogUniform(1e-4, 1e-1)}
DEFAULTS = {"kind": "a", "group": {"share": 0.0, "rate": 0.01, "other": 3}}


def search(count, value):
    trials = [Trial(0, "default", {}, (value({"kind": "a", "group": {"share": 0.0, "rate": 0.01}}),))]
    for number in range(1, count):
        settings = next_settings(SPACE, DEFAULTS, trials, seed=0)
        trials.append(Trial(number, "drawn", settings, (value(settings),)))
    return trials


def test_settings_stay_within_the_space():
    for trial in search(15, lambda settings: settings["group"]["share"])[1:]:
        assert trial.settings["kind"] in ("a", None, (1, 2))
        assert 0 <= trial.settings["group"]["share"] <= 0.5
        assert 1e-4 <= trial.settings["group"]["rate"] <= 1e-1
        assert float(f"{trial.settings['group']['share']:.3g}") == trial.settings["group"]["share"]


def test_the_same_trials_give_the_same_next_one():
    trials = search(9, lambda settings: settings["group"]["share"])
    again = [next_settings(SPACE, DEFAULTS, trials[:n], seed=0) for n in range(1, 9)]
    assert again == [trial.settings for trial in trials[1:]]
    assert next_settings(SPACE, DEFAULTS, trials[:1], seed=1) != again[0]


def test_the_search_goes_where_values_are_high():
    """Uniform draws would choose the better kind for a third, and a quarter as the mean share."""
    found = search(60, lambda settings: settings["group"]["share"] - (settings["kind"] != "a"))
    late = [trial.settings for trial in found[30:]]
    assert sum(settings["kind"] == "a" for settings in late) > len(late) / 2
    assert sum(settings["group"]["share"] for settings in late) / len(late) > 0.35


def test_what_takes_too_long_counts_as_the_worst():
    trials = [Trial(0, "default", {}, (0.9,))]
    for number in range(1, 25):
        settings = next_settings(SPACE, DEFAULTS, trials, seed=0)
        slow = settings["kind"] == (1, 2)
        trials.append(Trial(number, "drawn", settings, () if slow else (0.9 + number / 100,), stopped="slow" * slow))
    late = [trial for trial in trials[12:] if trial.stopped]
    assert len(late) <= 2


def test_published_settings_outside_the_space_do_no_harm():
    outside = Trial(0, "published", {"kind": "published", "group": {"rate": 5.0}}, (0.9,))
    assert set(next_settings(SPACE, DEFAULTS, [outside], seed=0)) == {"kind", "group"}


def wave(done, count, *, seed=0, number=2, sampler="tpe"):
    return wave_settings(SPACE, DEFAULTS, done, count, seed=seed, wave=number, sampler=sampler)


@pytest.mark.parametrize("sampler", ["tpe", "random"])
def test_a_wave_depends_on_earlier_trials_its_number_and_the_seed_alone(sampler):
    done = search(8, lambda settings: settings["group"]["share"])
    four = wave(done, 4, sampler=sampler)
    assert wave(done, 4, sampler=sampler) == four
    assert wave(done, 2, sampler=sampler) == four[:2]  # so a wave that was cut short can be completed
    assert wave(done, 4, number=3, sampler=sampler) != four
    assert wave(done, 4, seed=1, sampler=sampler) != four
    assert len({str(settings) for settings in four}) == 4


def test_random_draws_do_not_look_at_the_trials():
    done = search(8, lambda settings: settings["group"]["share"])
    assert wave(done, 3, sampler="random") == wave([], 3, sampler="random")
    assert wave(done, 3) != wave([], 3)


def test_trials_that_ended_early_count_below_all_others():
    """Even if their first values are higher, as those of an easy split may be."""
    trials = [Trial(0, "default", {}, (0.5, 0.5))]
    for number in range(1, 40):
        settings = next_settings(SPACE, DEFAULTS, trials, seed=0)
        is_early = settings["kind"] == (1, 2)
        result = {"partial": (0.9,), "stopped": "early"} if is_early else {"values": (0.4, 0.4 + number / 1000)}
        trials.append(Trial(number, "drawn", settings, **result))
    assert sum(bool(trial.partial) for trial in trials[20:]) <= 4
