"""The tuned settings of other systems are the best of their studies, which are about the networks of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwl.datasets import CATALOGUE
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.models.registry import find_row, model_ids, recreate_model
from linkwl.tuning.sampler import next_settings
from linkwl.tuning.study import load_studies

PINNED_OPTUNA = "5.0.0"
TUNING = Path(__file__).parents[2] / "results" / "tuning"
STUDIES = [
    study for path in sorted(TUNING.glob("*.jsonl")) for study in load_studies(TUNING, path.stem).values()
]  # empty only if there is no folder


def test_there_are_studies():
    assert STUDIES


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: f"{study.model}-{study.graph.name}")
def test_tuned_settings_are_the_best_of_their_study(study):
    assert study.graph.name in CATALOGUE
    assert study.best is not None
    assert bundled_settings(study.model, study.graph.name, "tuned") == study.best.settings
    assert any(trial.origin == "default" and trial.values for trial in study.trials)
    assert [trial.number for trial in study.trials] == list(range(len(study.trials)))
    assert recreate_model(study.model, None, study.defaults).config == create_model(study.model).config
    for trial in study.trials:
        create_model(study.model, **trial.settings)  # every setting still exists
        assert bool(trial.values) != bool(trial.stopped)
        assert len(trial.values) in (0, study.splits)


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: f"{study.model}-{study.graph.name}")
def test_published_settings_are_trial_0(study):
    published = bundled_settings(study.model, study.graph.name, "paper")
    first = study.trials[0]
    assert (first.origin, first.settings) == (("published", published) if published else ("default", {}))


@pytest.mark.thorough
@pytest.mark.parametrize("study", STUDIES, ids=lambda study: f"{study.model}-{study.graph.name}")
def test_a_study_would_draw_the_same_settings_today(study):
    """So that records of earlier releases can be continued, and compared with new ones."""
    optuna = pytest.importorskip("optuna")
    if optuna.__version__ != PINNED_OPTUNA:
        pytest.skip(f"the records were made with Optuna {PINNED_OPTUNA}")
    space = find_row(study.model).load_class().search_space
    for trial in study.trials[-3:]:
        if trial.origin == "drawn":
            assert next_settings(space, study.defaults, study.trials[: trial.number], seed=0) == trial.settings


def test_what_is_tuned_has_a_study():
    tuned = {
        (model, name)
        for model in model_ids("baseline", task="pairs")
        for name in CATALOGUE
        if bundled_settings(model, name, "tuned")
    }
    assert tuned <= {(study.model, study.graph.name) for study in STUDIES}
