from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from fitting import fit, same_state, swapped
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.errors import InputError, MemoryLimitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.baselines import mf
from linkwl.protocols import PAPER
from linkwl.sparse.factor_draws import FactorDraws, draw_factors
from linkwl.training import evaluate_split

GIBBS = {"inference": "gibbs", "rank": 5}
QUICK = {"rank": 8, "training": {"max_steps": 60}}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


def test_score_is_the_formula():
    model = create_model("mf", rank=3)
    graph = Graph.from_pairs([(0, 1)], num_nodes=4)
    model.start(graph, seed=0)
    with torch.no_grad():
        model.trained.offset.fill_(0.5)
        model.trained.weight.copy_(torch.arange(4.0))
    v = model.trained.factors.detach().numpy()
    assert model(graph, [(1, 3)])[0] == pytest.approx(0.5 + 1 + 3 + v[1] @ v[3], abs=1e-6)


def test_stacked_draws_score_as_the_mean_of_the_draws(split, monkeypatch):
    drawn: list[FactorDraws] = []

    def draw(*arguments, **options):
        drawn.append(draw_factors(*arguments, **options))
        return drawn[0]

    monkeypatch.setattr(mf, "draw_factors", draw)
    model = create_model("mf", inference="gibbs", rank=2, draws=7)
    fit(model, split)
    found = drawn[0]
    p, q = 3, 11
    mean = np.mean((found.factors[p] * found.factors[q]).sum(axis=1))
    expected = found.offset - 0.5 + found.weight[p] + found.weight[q] + mean
    assert model(split.test.observed, [(p, q)])[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("settings", [QUICK, GIBBS])
def test_it_learns(split, settings):
    model = create_model("mf", **settings)
    fit(model, split)
    assert evaluate_split(model, split, PAPER).metrics["auc"] > 0.85


@pytest.mark.parametrize("settings", [QUICK, GIBBS])
def test_same_seed_same_bits_and_another_seed_others(split, settings):
    models = [create_model("mf", **settings) for _ in range(3)]
    for model, seed in zip(models, (1, 1, 2), strict=True):
        fit(model, split, seed)
    assert same_state(models[0], models[1])
    assert not same_state(models[0], models[2])


def test_held_out_labels_do_not_matter(split):
    other = replace(split, valid=swapped(split.valid), test=swapped(split.test))
    models = [create_model("mf", **GIBBS) for _ in range(2)]
    for model, folds in zip(models, (split, other), strict=True):
        fit(model, folds)
    assert same_state(*models)
    histories = [fit(create_model("mf", **QUICK), folds) for folds in (split, other)]
    assert histories[0].losses == histories[1].losses


def test_the_penalty_shrinks(split):
    sizes = []
    for penalty in (0.0, 1.0):
        training = {"max_steps": 100, "keep": "last", "average": 0.0}
        model = create_model("mf", penalty=penalty, training=training)
        fit(model, split)
        sizes.append(float(np.square(model.state()["factors"]).sum()))
    assert sizes[1] < sizes[0] / 2


@pytest.mark.parametrize("settings", [QUICK, GIBBS])
def test_saved_and_loaded(tmp_path, settings):
    predictor = LinkPredictor("mf", settings=settings).fit(load_airports(), folder=tmp_path / "m")
    pairs = [("JNU", "WRG"), ("ORD", "SFB")]
    loaded = LinkPredictor.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(pairs), predictor.decision_function(pairs))
    with pytest.raises(InputError, match="mf knows only the nodes it was trained on"):
        loaded.decision_function([(0, 1)], graph=Graph.from_pairs([(0, 1)], num_nodes=3))


def test_draws_that_do_not_fit_into_memory_are_refused(split, monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 10_000)
    with pytest.raises(MemoryLimitError, match="lower 'rank' or 'draws'"):
        fit(create_model("mf", **GIBBS), split)
