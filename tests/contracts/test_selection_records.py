"""The settings that come with the package are those that were best in the records of their selection."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from linkwl.datasets import CATALOGUE, benchmark_names
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.models.registry import model_ids

ROOT = Path(__file__).parents[2]
TUNED = [(model, name) for model in model_ids("network", "own") for name in benchmark_names()]


@pytest.fixture
def selection(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module("selection")


@pytest.mark.parametrize(("model", "dataset"), TUNED)
def test_tuned_settings_are_the_best_of_their_record(selection, model, dataset):
    record = selection.load_selections(ROOT / "results" / "selection", model)[dataset]
    assert record.is_complete
    assert bundled_settings(model, dataset, "tuned") == record.chosen.settings


@pytest.mark.parametrize("model", [path.stem for path in sorted((ROOT / "results" / "selection").iterdir())])
def test_every_trial_is_of_a_candidate(selection, model):
    for dataset, record in selection.load_selections(ROOT / "results" / "selection", model).items():
        assert (record.model, dataset in CATALOGUE) == (model, True)
        has_features = dataset in ("cora", "citeseer", "pubmed")
        listed = selection.candidates(model, has_features=has_features)
        trials = [trial for trial in record.trials if trial.settings.get("head") != "boosting"]  # trees were removed
        assert all(trial.settings in listed for trial in trials)


def test_removed_settings_are_no_reason_to_try_again(selection):
    for record in selection.load_selections(ROOT / "results" / "selection", "walk-2fwl").values():
        settings = [trial.settings for trial in record.trials if trial.settings.get("head") != "boosting"]
        configs = [create_model(record.model, **each).config.model_dump(mode="json") for each in settings]
        trials = [selection.Trial(each, config) for each, config in zip(settings, configs, strict=True)]
        again = replace(record, trials=trials)
        again.go_on_from(record)
        assert again.is_complete
        assert again.chosen.values == record.chosen.values
