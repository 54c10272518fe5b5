from __future__ import annotations

import json
import signal
import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from linkwl.datasets import benchmark_names, load_airports
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.models.registry import model_ids
from linkwl.protocols import PAPER
from linkwl.training import evaluate_models

PROJECT = Path(__file__).resolve().parents[3]

TINY = {"training": {"max_steps": 4, "patience": 4, "evaluate_every": 2}, "encoder": {"channels": 4}}
SLOW = {**TINY, "training": {**TINY["training"], "learning_rate": 1e-6}}


class Untouchable:
    """A fold that must not be looked at."""

    def __getattr__(self, name):
        raise AssertionError(f"a fold that is held out was asked for its {name}")


@pytest.fixture
def selection(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT / "benchmarks"))
    return import_module("selection")


@pytest.fixture
def select(selection, monkeypatch):
    """Selects among two candidates on the airports; what a split holds out cannot be looked at."""
    graph = load_airports()
    monkeypatch.setattr(selection, "load_dataset", lambda name: replace(graph, name=name))
    monkeypatch.setattr(selection, "candidates", lambda model, has_features: [SLOW, TINY])

    class Sealed:
        selection = PAPER.selection

        def to_json(self):
            return PAPER.to_json()

        def apply(self, graph, seed):
            return replace(PAPER.apply(graph, seed), valid=Untouchable(), test=Untouchable())

    sealed, evaluate = Sealed(), selection.evaluate_models
    monkeypatch.setattr(selection, "PAPER", sealed)
    monkeypatch.setattr(
        selection, "evaluate_models", lambda known, models, _, seeds: evaluate(known, models, PAPER, seeds)
    )
    return selection.select


def test_the_best_on_hidden_links_is_chosen_and_what_the_split_holds_out_stays_closed(select, tmp_path):
    found = select("local-2wl", "airports", tmp_path, seeds=(0, 1))
    assert [trial.settings for trial in found.trials] == [SLOW, TINY]
    assert all(len(trial.values) == len(trial.steps) == len(trial.seconds) == 2 for trial in found.trials)
    means = [sum(trial.values) for trial in found.trials]
    assert found.chosen is found.trials[means.index(max(means))]
    known = PAPER.apply(load_airports(), 1).train.observed
    run = evaluate_models(known, [create_model("local-2wl", **TINY)], PAPER, [1]).runs[0]
    assert found.trials[1].values[1] == run.metrics["auc"]


def test_what_is_in_the_record_is_not_run_again(selection, select, tmp_path, monkeypatch):
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    file = tmp_path / "local-2wl.jsonl"
    row = json.loads(file.read_text())
    assert row["chosen"] == selection.load_selections(tmp_path, "local-2wl")["airports"].chosen.settings
    assert [len(trial["hidden_auc"]) for trial in row["trials"]] == [1, 1]
    calls, fit = [], selection.try_settings
    monkeypatch.setattr(selection, "try_settings", lambda *args: calls.append(args[-1]) or fit(*args))
    select("local-2wl", "airports", tmp_path, seeds=(0, 1))
    assert calls == [1, 1]


def test_a_run_that_is_killed_loses_no_trial(selection, select, tmp_path, monkeypatch):
    """The splits are one more than before: the first candidate's is run, then the power goes."""
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    calls, fit = [], selection.try_settings

    def one_more(*args):
        if calls:
            raise KeyboardInterrupt
        calls.append(args[-1])
        return fit(*args)

    monkeypatch.setattr(selection, "try_settings", one_more)
    with pytest.raises(KeyboardInterrupt):
        select("local-2wl", "airports", tmp_path, seeds=(0, 1))
    file = tmp_path / "local-2wl.jsonl"
    assert [len(trial.values) for trial in selection.load_selections(tmp_path, "local-2wl")["airports"].trials] == [
        2,
        1,
    ]
    assert json.loads(file.read_text())["chosen"] is None


@pytest.mark.parametrize("what", ["settings", "graph", "protocol", "seeds", "measured_on"])
def test_what_was_measured_otherwise_is_measured_again(selection, select, tmp_path, monkeypatch, what):
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    file = tmp_path / "local-2wl.jsonl"
    values = json.loads(file.read_text())
    if what == "settings":  # a default that was another
        for trial in values["trials"]:
            trial["config"]["training"]["average"] = 0.5
    elif what == "graph":
        values["graph"]["digest"] = "other"
    elif what == "protocol":
        values["protocol"]["test_ratio"] = 0.2
    elif what == "measured_on":  # a record of an earlier release
        del values["measured_on"]
        for trial in values["trials"]:
            trial["valid_auc"] = trial.pop("hidden_auc")
    else:
        values["seeds"] = [7]
    file.write_text(json.dumps(values))
    calls, fit = [], selection.try_settings
    monkeypatch.setattr(selection, "try_settings", lambda *args: calls.append(args[-1]) or fit(*args))
    select("local-2wl", "airports", tmp_path, seeds=(0,))
    assert calls == [0, 0]


def test_ctrl_c_leaves_no_trial_that_looks_finished(selection, select, tmp_path, monkeypatch):
    def interrupting(known, models, protocol, seeds):
        return evaluate_models(known, models, PAPER, seeds, on_step=lambda _: signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr(selection, "evaluate_models", interrupting)
    with pytest.raises(KeyboardInterrupt):
        select("local-2wl", "airports", tmp_path, seeds=(0,))
    assert not (tmp_path / "local-2wl.jsonl").exists()


def test_the_choice_is_written_as_settings(selection, select, tmp_path):
    configs = tmp_path / "src" / "linkwl" / "configs"
    configs.mkdir(parents=True)
    for dataset in ("airports", "usair"):
        selection.main("2wl", dataset, tmp_path)
    written = tomllib.loads((configs / "2wl.toml").read_text())
    records = selection.load_selections(tmp_path / "results" / "selection", "2wl")
    assert list(records) == ["airports", "usair"]
    (entry,) = written["tuned"]
    assert sorted(entry.pop("datasets")) == ["airports", "usair"]
    assert entry == records["usair"].chosen.settings == records["airports"].chosen.settings


@pytest.mark.parametrize("model", model_ids("network"))
def test_the_files_of_settings_are_as_they_would_be_written(selection, model):
    text = (PROJECT / "src" / "linkwl" / "configs" / f"{model}.toml").read_text()
    for dataset in benchmark_names():
        assert selection.with_tuned(text, dataset, bundled_settings(model, dataset)) == text


def test_other_settings_are_written_among_the_rest(selection):
    text = (PROJECT / "src" / "linkwl" / "configs" / "2wl.toml").read_text()
    settings = {"gates": "on", "encoder": {"channels": 3, "activation": False}, "training": {"learning_rate": 0.01}}
    before, after = (tomllib.loads(part) for part in (text, selection.with_tuned(text, "pb", settings)))
    assert after["paper"] == before["paper"]
    assert {"datasets": ["pb"]} | settings in after["tuned"]
    assert sum("pb" in entry["datasets"] for entry in after["tuned"]) == 1
    assert selection.with_tuned(selection.with_tuned(text, "pb", settings), "pb", bundled_settings("2wl", "pb")) == text


def test_a_candidate_that_costs_too_much_is_left_out(selection, select, tmp_path, monkeypatch):
    monkeypatch.setattr(selection, "MAX_OPERATIONS", 0.0)
    assert [trial.settings for trial in select("local-2wl", "airports", tmp_path, seeds=(0,)).trials] == [SLOW]


@pytest.mark.parametrize("has_features", [False, True])
@pytest.mark.parametrize("model", model_ids("network"))
def test_candidates_are_settings_of_their_model(selection, model, has_features):
    listed = selection.candidates(model, has_features=has_features)
    assert len(listed) >= 3
    for settings in listed:
        create_model(model, **settings)
