from __future__ import annotations

import json
from dataclasses import replace

import pytest

from linkwl.records import GraphRecord
from linkwl.tuning import Budget, Confirmation, Search, Study, Trial
from studies import study_of_twelve

STUDY = Study("gcn", GraphRecord("ring", 40, 40, "d"), "h", {"id": "paper"}, "auc", 2, Budget(3, 1.0), {"channels": 8})


def with_trials(*trials):
    return replace(STUDY, trials=trials)


def test_the_best_trial_has_the_highest_mean_and_stopped_ones_have_none():
    study = with_trials(
        Trial(0, "published", {"a": 1}, stopped="stopped after 30 CPU seconds"),
        Trial(1, "default", {}, (0.6, 0.8)),
        Trial(2, "drawn", {"a": 2}, (0.9, 0.5)),
        Trial(3, "drawn", {"a": 3}, (0.8, 0.9)),
    )
    assert study.best.number == 3
    assert study.trials[0].value is None
    assert with_trials(study.trials[0]).best is None
    assert with_trials(*study.trials[:3]).best.number == 1  # the first of equal ones


def test_a_record_comes_back_as_it_was():
    study = with_trials(Trial(0, "default", {"training": {"rate": 0.1}}, (0.5, 0.75), 3.5))
    row = json.loads(json.dumps(study.to_row()))
    assert Study.from_row(row) == study
    assert row["best"] == {"training": {"rate": 0.1}}


@pytest.mark.parametrize(
    ("trials", "is_over"),
    [
        ((), False),
        ((Trial(0, "published", {}, (0.5,), 90.0),), False),  # the time is over, but the defaults were not tried
        ((Trial(0, "default", {}, (0.5,), 10.0),), False),
        ((Trial(0, "default", {}, (0.5,), 60.0),), True),
        (tuple(Trial(n, "default", {}, (0.5,)) for n in range(3)), True),
    ],
)
def test_a_study_ends_with_its_budget(trials, is_over):
    assert with_trials(*trials).is_over is is_over


def test_studies_of_other_links_are_not_joined():
    assert STUDY.is_of(replace(STUDY, budget=Budget(50, 9.0)))
    assert not STUDY.is_of(replace(STUDY, hidden="others"))
    assert not STUDY.is_of(replace(STUDY, metric="ap"))
    assert not STUDY.is_of(replace(STUDY, defaults={"channels": 16}))


def test_a_budget_allows_a_trial():
    with pytest.raises(ValueError, match="must allow a trial"):
        Budget(0)
    with pytest.raises(ValueError, match="must allow a trial"):
        Budget(1, 0.0)


def test_searches_confirmations_and_early_ends_come_back():
    study = study_of_twelve()
    assert Study.from_row(json.loads(json.dumps(study.to_row()))) == study


def test_records_without_waves_are_of_trials_one_after_the_other():
    row = STUDY.to_row()
    for name in ("search", "seed", "confirmation"):
        del row[name]
    early = Study.from_row(row | {"trials": [{"number": 0, "origin": "default", "settings": {}, "values": [0.5]}]})
    assert early.search == Search("tpe", 1, False)
    assert early.trials[0].partial == ()
    assert early.is_of(replace(STUDY, seed=7))


def test_another_search_is_another_study():
    assert not STUDY.is_of(replace(STUDY, search=Search(width=4)))
    assert not replace(STUDY, seed=0).is_of(replace(STUDY, seed=1))


def test_trials_that_end_out_of_order_are_in_order_and_a_gap_is_not_the_end():
    study = STUDY
    for number, origin in ((2, "drawn"), (0, "default"), (3, "drawn")):
        study = study.with_trial(Trial(number, origin, {}, (0.5,)))
    assert [trial.number for trial in study.trials] == [0, 2, 3]
    assert not study.is_over
    assert study.with_trial(Trial(1, "drawn", {}, (0.5,))).is_over


def test_a_trial_that_ended_early_is_never_the_best():
    early = Trial(1, "drawn", {}, partial=(0.99,), stopped="early")
    assert with_trials(Trial(0, "default", {}, (0.5,)), early).best.number == 0


def test_the_difference_on_fresh_splits_is_paired():
    found = Confirmation(1, (100, 101, 102), (0.95, 0.94, 0.96), (0.92, 0.91, 0.94), 0.1)
    assert found.difference.mean == pytest.approx(0.0267, abs=1e-4)
    assert found.difference.is_clear
    assert not replace(found, overlap=None).difference.is_clear


def test_a_search_names_a_sampler_and_a_width():
    with pytest.raises(ValueError, match="must be one of tpe, random"):
        Search("grid")
    with pytest.raises(ValueError, match="must be at least 1"):
        Search(width=0)
