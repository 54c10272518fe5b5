"""The settings that come with the package are those that were best in the records of their selection."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from linkwl.datasets import CATALOGUE, benchmark_names
from linkwl.models.bundled import bundled_settings
from linkwl.models.registry import model_ids

ROOT = Path(__file__).parents[2]
TUNED = [(model, name) for model in model_ids("network") for name in benchmark_names()]
MODELS = [path.stem for path in sorted((ROOT / "results" / "selection").iterdir())]


@pytest.fixture
def selection(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module("selection")


@pytest.mark.parametrize(("model", "dataset"), TUNED)
def test_tuned_settings_are_the_best_of_their_record(selection, model, dataset):
    record = selection.load_selections(ROOT / "results" / "selection", model)[dataset]
    assert record.is_complete
    assert bundled_settings(model, dataset, "tuned") == record.chosen.settings


@pytest.mark.parametrize("model", MODELS)
def test_every_trial_is_of_a_candidate(selection, model):
    for dataset, record in selection.load_selections(ROOT / "results" / "selection", model).items():
        assert (record.model, dataset in CATALOGUE) == (model, True)
        listed = selection.candidates(model, has_features=dataset in ("cora", "citeseer", "pubmed"))
        assert all(trial.settings in listed for trial in record.trials)
