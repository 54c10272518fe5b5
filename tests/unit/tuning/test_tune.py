from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.protocols import PAPER
from linkwl.tuning import Budget, Study, tune

pytest.importorskip("optuna")
tune_module = import_module("linkwl.tuning.tune")


@pytest.fixture(scope="module")
def communities():
    generator = np.random.default_rng(0)
    member = np.arange(60) // 15
    chance = np.where(member[:, None] == member, 0.5, 0.02)
    pairs = np.argwhere(np.triu(generator.random((60, 60)) < chance, 1))
    return Graph.from_pairs(pairs, 60)


QUICK = {"rank": 4, "training": {"max_steps": 20}}


def test_published_settings_come_first_then_the_defaults(communities):
    study = tune(communities, "mf", budget=Budget(4, 5.0), published=QUICK)
    assert [trial.origin for trial in study.trials] == ["published", "default", "drawn", "drawn"]
    assert study.trials[0].settings == QUICK
    assert study.trials[1].settings == {}
    assert all(len(trial.values) == study.splits == 3 for trial in study.trials)
    assert study.is_over


def test_a_stopped_study_goes_on_with_the_same_trials(communities):
    whole = tune(communities, "mf", budget=Budget(4, 5.0))
    part = tune(communities, "mf", budget=Budget(2, 5.0))
    rest = tune(communities, "mf", budget=Budget(4, 5.0), before=Study.from_row(part.to_row()))
    assert [(t.settings, t.values) for t in rest.trials] == [(t.settings, t.values) for t in whole.trials]


def test_links_that_the_first_split_holds_out_play_no_part(communities):
    """Other test links, and none at all, give the same trials."""
    split = PAPER.apply(communities, 0)
    held_out = np.concatenate([split.valid.positives, split.test.positives])
    others = np.concatenate([split.valid.negatives, split.test.negatives])
    swapped = communities.without(held_out).with_(others)

    class SameTraining(type(PAPER)):
        def apply(self, graph, seed):
            return split if graph is swapped else super().apply(graph, seed)

    protocol = SameTraining(**{name: getattr(PAPER, name) for name in PAPER.__dataclass_fields__})
    found, expected = (tune(graph, "mf", protocol, budget=Budget(3, 5.0)) for graph in (swapped, communities))
    assert found.graph != expected.graph
    assert [(t.settings, t.values) for t in found.trials] == [(t.settings, t.values) for t in expected.trials]


def test_every_trial_is_measured_on_training_links_alone(communities):
    seen = []

    class Spy(type(PAPER)):
        def apply(self, graph, seed):
            seen.append(graph)
            return super().apply(graph, seed)

    spy = Spy(**{name: getattr(PAPER, name) for name in PAPER.__dataclass_fields__})
    tune(communities, "mf", spy, budget=Budget(2, 5.0))
    split = PAPER.apply(communities, 0)
    held_out = {tuple(edge) for fold in (split.valid, split.test) for edge in np.sort(fold.positives, axis=1).tolist()}
    assert seen[0] is communities
    assert len(seen) > 4
    assert all(not held_out & {tuple(edge) for edge in graph.edges.tolist()} for graph in seen[1:])


def test_a_trial_that_fails_is_recorded_and_the_study_goes_on(communities, monkeypatch):
    evaluate = tune_module.evaluate_models

    def fail(graph, models, *rest, **options):
        if models[0].config.rank != create_model("mf").config.rank:
            raise RuntimeError("no convergence")
        return evaluate(graph, models, *rest, **options)

    monkeypatch.setattr(tune_module, "evaluate_models", fail)
    study = tune(communities, "mf", budget=Budget(3, 5.0), published={"rank": 5})
    assert [trial.origin for trial in study.trials] == ["published", "default", "drawn"]
    assert study.trials[0].stopped == "RuntimeError: no convergence"
    assert study.best.origin in ("default", "drawn")
    assert study.best.values


def test_time_ends_a_study_but_never_before_the_defaults(communities):
    study = tune(communities, "mf", budget=Budget(20, 1e-6), published={"training": {"max_steps": 400}})
    assert [trial.origin for trial in study.trials] == ["published", "default"]
    assert study.trials[0].value is None
    assert "CPU seconds" in study.trials[0].stopped
    assert study.best.origin == "default"


def test_a_formula_has_nothing_to_tune(communities):
    with pytest.raises(InputError, match="cn has no settings to tune"):
        tune(communities, "cn")


def test_another_study_is_not_continued(communities):
    before = tune(communities, "mf", budget=Budget(1, 5.0))
    with pytest.raises(InputError, match="earlier study is of mf"):
        tune(communities, "vgae", before=before)


def test_it_saves_after_every_trial(communities):
    counts = []
    tune(communities, "mf", budget=Budget(3, 5.0), on_trial=lambda study: counts.append(len(study.trials)))
    assert counts == [1, 2, 3]
