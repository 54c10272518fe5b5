"""The settings that come with the package are those that validation targets chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwl.benchmark.selection import Selection, candidates
from linkwl.datasets import CATALOGUE
from linkwl.models.bundled import bundled_settings
from linkwl.models.registry import model_ids

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "results" / "selection").glob("*/*.json"))
TUNED = sorted((ROOT / "src" / "linkwl" / "configs" / "tuned").glob("*/*.toml"))


def test_every_network_has_settings_for_every_benchmark():
    named = {(path.parent.name, path.stem) for path in TUNED}
    assert named == {(model, name) for model in model_ids("network", "own") for name in CATALOGUE if name != "airports"}


@pytest.mark.parametrize("path", TUNED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_tuned_settings_are_the_best_on_validation_targets(path):
    record = Selection.load(ROOT / "results" / "selection" / path.parent.name / f"{path.stem}.json")
    assert bundled_settings(path.parent.name, path.stem, "tuned") == record.chosen.settings
    assert all(len(trial.valid_auc) == len(record.seeds) for trial in record.trials)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_trial_is_of_a_candidate(path):
    record = Selection.load(path)
    has_features = path.stem in ("cora", "citeseer", "pubmed")
    assert path.stem in CATALOGUE
    assert all(trial.settings in candidates(record.model, has_features=has_features) for trial in record.trials)
