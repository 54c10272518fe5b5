from __future__ import annotations

import math
import pickle
from importlib import import_module

import numpy as np
import pytest
import torch

from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.protocols import PAPER
from linkwl.training import evaluate_models
from linkwl.tuning import Trial
from linkwl.tuning.trial import TrialTask, TrialWork, run_trial
from studies import communities

trial_module = import_module("linkwl.tuning.trial")
QUICK = {"rank": 4, "training": {"max_steps": 15}}


@pytest.fixture(scope="module")
def work():
    return TrialWork(PAPER.apply(communities(), 0).train.observed, "mf", PAPER, "auc")


def test_a_trial_is_a_measurement_by_the_protocol_on_each_split(work):
    trial = run_trial(work, TrialTask(Trial(3, "drawn", QUICK), (0, 2), math.inf))
    runs = evaluate_models(work.known, [create_model("mf", **QUICK)], PAPER, [0, 2]).runs
    assert trial.values == tuple(run.metrics["auc"] for run in runs)
    assert (trial.number, trial.settings, trial.stopped, trial.partial) == (3, QUICK, "", ())


def test_low_values_end_it_and_are_kept(work):
    task = TrialTask(Trial(3, "drawn", QUICK), (0, 1, 2), math.inf, needed=(0.0, 1.01))
    trial = run_trial(work, task)
    assert trial.value is None
    assert len(trial.partial) == 2
    assert trial.stopped == "ended after 2 splits, below the median of earlier trials"


def test_a_mean_of_metrics_selects_by_their_mean(work):
    mean = TrialWork(work.known, "mf", PAPER, "auc+ap")
    trial = run_trial(mean, TrialTask(Trial(0, "drawn", QUICK), (0,), math.inf))
    metrics = evaluate_models(work.known, [create_model("mf", **QUICK)], PAPER, [0]).runs[0].metrics
    assert trial.values[0] == pytest.approx((metrics["auc"] + metrics["ap"]) / 2)


def test_threads_are_limited_for_the_trial_alone(work, monkeypatch):
    seen = []
    monkeypatch.setattr(trial_module, "evaluate_models", lambda *_, **__: seen.append(torch.get_num_threads()))
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        for threads in (1, None):
            limited = TrialWork(work.known, "mf", PAPER, "auc", threads=threads)
            run_trial(limited, TrialTask(Trial(0, "drawn", QUICK), (0,), math.inf))
            assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
    assert seen == [1, 3]


def test_defaults_that_fail_are_an_error_and_others_a_record(work):
    bad = {"training": {"max_steps": -1}}
    assert "max_steps" in run_trial(work, TrialTask(Trial(1, "drawn", bad), (0,), math.inf)).stopped
    with pytest.raises(InputError, match="max_steps"):
        run_trial(work, TrialTask(Trial(1, "default", bad), (0,), math.inf))


def test_what_is_sent_to_a_worker_has_no_held_out_link():
    graph = communities()
    split = PAPER.apply(graph, 0)
    sent = pickle.loads(pickle.dumps(TrialWork(split.train.observed, "mf", PAPER, "auc")))
    held_out = np.concatenate([split.valid.positives, split.test.positives])
    assert not sent.known.contains(held_out).any()
