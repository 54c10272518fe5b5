from __future__ import annotations

import json
import signal
import tomllib
from dataclasses import replace

import pytest

from linkwl.benchmark import selection
from linkwl.benchmark.selection import Selection, candidates, main, select, to_toml
from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.splits import PAPER

TINY = {"training": {"max_steps": 4, "patience": 4, "evaluate_every": 2}, "encoder": {"channels": 4}}
SLOW = {**TINY, "training": {**TINY["training"], "learning_rate": 1e-6}}


class Untouchable:
    """A fold that must not be looked at."""

    def __getattr__(self, name):
        raise AssertionError(f"the test fold was asked for its {name}")


@pytest.fixture(autouse=True)
def airports(monkeypatch):
    graph = load_airports()
    monkeypatch.setattr(selection, "load_dataset", lambda name: replace(graph, name=name))
    monkeypatch.setattr(selection, "candidates", lambda model, has_features: [SLOW, TINY])

    class Sealed:
        def to_json(self):
            return PAPER.to_json()

        def apply(self, graph, seed):
            split = PAPER.apply(graph, seed)
            sealed = replace(split, test=Untouchable())
            sealed.__dict__["reserved"] = split.reserved  # cached, so that it is not made of the folds
            return sealed

    monkeypatch.setattr(selection, "PAPER", Sealed())


def test_the_best_on_validation_targets_is_chosen_and_the_test_fold_stays_closed(tmp_path):
    found = select("local-2wl", "airports", tmp_path, seeds=(0, 1))
    assert [trial.settings for trial in found.trials] == [SLOW, TINY]
    assert all(len(trial.valid_auc) == len(trial.steps) == len(trial.seconds) == 2 for trial in found.trials)
    means = [sum(trial.valid_auc) for trial in found.trials]
    assert found.chosen is found.trials[means.index(max(means))]


def test_what_is_in_the_record_is_not_run_again(tmp_path, monkeypatch):
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    file = tmp_path / "local-2wl" / "airports.json"
    assert json.loads(file.read_text())["chosen"] == Selection.load(file).chosen.settings
    calls, fit = [], selection.fit
    monkeypatch.setattr(selection, "fit", lambda *args, seed: calls.append(seed) or fit(*args, seed=seed))
    select("local-2wl", "airports", tmp_path, seeds=(0, 1))
    assert calls == [1, 1]


def test_a_run_that_is_killed_loses_no_trial(tmp_path, monkeypatch):
    """The splits are one more than before: the first candidate's is run, then the power goes."""
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    calls, fit = [], selection.fit

    def one_more(*args, seed):
        if calls:
            raise KeyboardInterrupt
        calls.append(seed)
        return fit(*args, seed=seed)

    monkeypatch.setattr(selection, "fit", one_more)
    with pytest.raises(KeyboardInterrupt):
        select("local-2wl", "airports", tmp_path, seeds=(0, 1))
    file = tmp_path / "local-2wl" / "airports.json"
    assert [len(trial.valid_auc) for trial in Selection.load(file).trials] == [2, 1]
    assert json.loads(file.read_text())["chosen"] is None


@pytest.mark.parametrize("what", ["settings", "graph", "protocol", "seeds"])
def test_what_was_measured_otherwise_is_measured_again(tmp_path, monkeypatch, what):
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    file = tmp_path / "local-2wl" / "airports.json"
    values = json.loads(file.read_text())
    if what == "settings":  # a default that was another
        for trial in values["trials"]:
            trial["config"]["training"]["average"] = 0.5
    elif what == "graph":
        values["graph"]["digest"] = "other"
    elif what == "protocol":
        values["protocol"]["test_ratio"] = 0.2
    else:
        values["seeds"] = [7]
    file.write_text(json.dumps(values))
    calls, fit = [], selection.fit
    monkeypatch.setattr(selection, "fit", lambda *args, seed: calls.append(seed) or fit(*args, seed=seed))
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    assert calls == [0, 0]


def test_ctrl_c_leaves_no_trial_that_looks_finished(tmp_path, monkeypatch):
    fit = selection.fit

    def interrupted(*args, seed):
        return fit(*args, seed=seed, on_step=lambda _: signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr(selection, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        select("local-2wl", "airports", tmp_path, seeds=(0,))
    assert not (tmp_path / "local-2wl" / "airports.json").exists()


def test_the_choice_is_written_as_settings(tmp_path):
    main("2wl", "airports", tmp_path)
    written = tmp_path / "src" / "linkwl" / "configs" / "tuned" / "2wl" / "airports.toml"
    record = tmp_path / "results" / "selection" / "2wl" / "airports.json"
    assert tomllib.loads(written.read_text()) == Selection.load(record).chosen.settings


def test_a_candidate_that_costs_too_much_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(selection, "MAX_OPERATIONS", 0.0)
    assert [trial.settings for trial in select("local-2wl", "airports", tmp_path, seeds=(0,)).trials] == [SLOW]


def test_toml_comes_back():
    settings = {"encoder": {"channels": 3, "conv": "sage", "activation": False}, "training": {"learning_rate": 0.01}}
    assert tomllib.loads(to_toml(settings)) == settings


@pytest.mark.parametrize("has_features", [False, True])
@pytest.mark.parametrize("model", ["2wl", "local-2wl", "2fwl", "local-2fwl"])
def test_candidates_are_settings_of_their_model(model, has_features):
    listed = candidates(model, has_features=has_features)
    assert len(listed) >= 3
    for settings in listed:
        create_model(model, **settings)
