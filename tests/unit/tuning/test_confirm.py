from __future__ import annotations

from dataclasses import replace

import pytest

from linkwl.engine import InlineEngine
from linkwl.models import create_model
from linkwl.protocols import PAPER
from linkwl.training import evaluate_models
from linkwl.tuning import Budget, Study, Trial
from linkwl.tuning.confirm import FIRST_FRESH_SEED, confirm
from linkwl.tuning.trial import TrialWork
from studies import communities

QUICK = {"rank": 4, "training": {"max_steps": 15}}


@pytest.fixture(scope="module")
def work():
    return TrialWork(PAPER.apply(communities(), 0).train.observed, "mf", PAPER, "auc")


@pytest.fixture
def study(work):
    graph = communities()
    trials = (Trial(0, "default", {}, (0.5,)), Trial(1, "drawn", QUICK, (0.9,)))
    return Study("mf", graph.record, work.known.digest, PAPER.to_json(), "auc", 1, Budget(), {}, trials)


class CountingEngine(InlineEngine):
    count = 0

    def run(self, function, tasks, shared):
        self.count += len(tasks)
        yield from super().run(function, tasks, shared)


def test_the_winner_and_the_defaults_are_measured_on_the_same_fresh_splits(study, work):
    found = confirm(study, work, InlineEngine(), 2).confirmation
    assert found.trial == 1
    assert found.seeds == (FIRST_FRESH_SEED, FIRST_FRESH_SEED + 1)
    assert min(found.seeds) >= study.splits
    for values, settings in ((found.best, QUICK), (found.default, {})):
        runs = evaluate_models(work.known, [create_model("mf", **settings)], PAPER, found.seeds).runs
        assert values == tuple(run.metrics["auc"] for run in runs)
    assert found.overlap == pytest.approx(0.1 / 0.85)
    assert found.difference.mean == pytest.approx((sum(found.best) - sum(found.default)) / 2)


def test_it_is_done_once_for_each_winner(study, work):
    engine = CountingEngine()
    done = confirm(study, work, engine, 1)
    assert engine.count == 2
    assert confirm(done, work, engine, 1) is done
    assert engine.count == 2
    better = done.with_trial(Trial(2, "drawn", {"rank": 5}, (0.95,)))
    assert confirm(better, work, engine, 1).confirmation.trial == 2
    assert engine.count == 4


def test_defaults_that_win_are_measured_alone(study, work):
    engine = CountingEngine()
    found = confirm(replace(study, trials=study.trials[:1]), work, engine, 1).confirmation
    assert engine.count == 1
    assert found.best == found.default


def test_nothing_to_measure_changes_nothing(study, work):
    assert confirm(study, work, InlineEngine(), 0) is study
    assert confirm(replace(study, trials=()), work, InlineEngine(), 3).confirmation is None


def test_splits_that_hide_the_same_links_allow_no_interval(study, work):
    fixed = replace(study, protocol=study.protocol | {"split": "temporal"})
    found = confirm(fixed, work, InlineEngine(), 2).confirmation
    assert found.overlap is None
    assert not found.difference.is_clear
