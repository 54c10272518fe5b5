from __future__ import annotations

import json
from dataclasses import replace

import pytest

from linkwl.records import GraphRecord
from linkwl.tuning import Budget, Study, Trial

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
