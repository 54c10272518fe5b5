from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fitting import fit, same_state, swapped
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.metrics import find_metric
from linkwl.models import create_model
from linkwl.models.baselines import logistic
from linkwl.models.registry import model_ids
from linkwl.protocols import PAPER, TrainingData
from linkwl.splits import Fold, Targets
from linkwl.training import Trainer, evaluate_split

QUICK = {"folds": 3, "max_edges": 10_000}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(scope="module")
def fitted(split):
    model = create_model("logistic", **QUICK)
    fit(model, split)
    return model


def test_it_learns(split, fitted):
    assert evaluate_split(fitted, split, PAPER).metrics["auc"] > 0.9


@pytest.mark.parametrize("log", [True, False])
def test_score_is_the_formula_on_the_heuristics_of_the_registry(split, log):
    model = create_model("logistic", **QUICK, log=log)
    fit(model, split)
    observed, pairs = split.test.observed, [(3, 11), (0, 5)]
    names = model_ids("heuristic", task="pairs")
    x = np.stack([create_model(name)(observed, pairs) for name in names], axis=1)
    state = model.state()
    f = np.log(1 + x / state["unit"]) if log else x
    expected = (f - state["mean"]) / state["spread"] @ state["slope"] + state["intercept"][0]
    np.testing.assert_allclose(model(observed, pairs), expected)


def test_rows_are_standardised_and_settings_reach_the_heuristics(split, monkeypatch):
    rows = []
    search = logistic.search_logistic
    monkeypatch.setattr(
        logistic, "search_logistic", lambda x, *rest, **more: rows.append(x) or search(x, *rest, **more)
    )
    for settings in ({}, {"beta": 0.003}, {"alpha": 0.5}, {"gamma": 0.5}):
        fit(create_model("logistic", **QUICK, **settings), split)
    np.testing.assert_allclose(rows[0].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(rows[0].std(axis=0), 1)
    for changed, column in zip(rows[1:], (5, 6, 7), strict=True):
        differs = np.abs(changed - rows[0]).max(axis=0) > 1e-6
        assert np.flatnonzero(differs).tolist() == [column]


def test_edges_are_hidden_from_the_graph_that_scores_them(split, monkeypatch):
    seen = []
    table = logistic._table

    def watched(scorers, pairs):
        seen.append((scorers[0].observed, pairs))
        return table(scorers, pairs)

    monkeypatch.setattr(logistic, "_table", watched)
    fit(create_model("logistic", **QUICK), split)
    train = split.train.observed
    assert len(seen) == 3
    for graph, pairs in seen:
        links = pairs[train.has_edges(pairs)]
        assert not graph.has_edges(links).any()
        assert graph.num_edges == train.num_edges - len(links)
        assert not split.reserved.has_edges(pairs[~train.has_edges(pairs)]).any()
    assert sum(train.has_edges(pairs).sum() for _, pairs in seen) == train.num_edges


def test_held_out_labels_do_not_matter(split, fitted):
    model = create_model("logistic", **QUICK)
    fit(model, replace(split, valid=swapped(split.valid), test=swapped(split.test)))
    assert same_state(model, fitted)


def test_more_negatives_do_not_shift_the_log_odds(split):
    means = []
    for negatives in (1, 5):
        model = create_model("logistic", **QUICK, negatives=negatives)
        fit(model, split)
        means.append(model(split.test.observed, split.test.targets.queries).mean())
    assert abs(means[0] - means[1]) < 0.7  # log 5 would be 1.6


def test_a_strong_penalty_makes_small_coefficients(split, fitted):
    model = create_model("logistic", **QUICK, c=1e-5)
    fit(model, split)
    assert np.abs(model.state()["slope"]).max() < np.abs(fitted.state()["slope"]).max() / 10


def test_large_graphs_do_without_simrank(split, fitted):
    model = create_model("logistic", **QUICK, simrank_nodes=100)
    assert model.describe(split.train.observed) == "7 heuristics, without SimRank because of the size"
    fit(model, split)
    assert model.shape == {"num_scores": 7}
    assert np.isfinite(model(split.test.observed, [(0, 5)])).all()
    assert fitted.describe(split.train.observed) == "8 heuristics"


def test_saved_and_loaded(tmp_path):
    predictor = LinkPredictor("logistic", settings=QUICK).fit(load_airports(), folder=tmp_path / "m")
    pairs = [("JNU", "WRG"), ("ORD", "SFB")]
    loaded = LinkPredictor.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(pairs), predictor.decision_function(pairs))


def test_another_graph_can_be_scored(fitted):
    other = Graph.from_pairs([(0, 1), (1, 2), (0, 2), (2, 3)], num_nodes=6)
    assert np.isfinite(fitted(other, [(0, 3), (4, 5)])).all()


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (0, 2), (1, 2)], [(0, 1), (2, 3)]])
def test_tiny_graphs(edges):
    graph = Graph.from_pairs(edges, num_nodes=4)
    fold = Fold(graph, Targets(graph.edges, np.empty((0, 2), dtype=np.int32)))
    model = create_model("logistic")
    model.fit(TrainingData(fold, fold, graph, find_metric("auc")), Trainer(0))
    assert np.isfinite(model(graph, [(0, 3), (1, 2)])).all()


def test_damaged_state_is_refused(fitted):
    state = fitted.state()
    with pytest.raises(ValueError, match="missing or unknown: 'slope'"):
        fitted.clone().load_state({name: state[name] for name in state if name != "slope"}, fitted.shape)
    with pytest.raises(ValueError, match="must be positive"):
        fitted.clone().load_state(state | {"spread": np.zeros(8)}, fitted.shape)
    with pytest.raises(ValueError, match="must be 7 or 8, or twice that, got 3"):
        fitted.clone().load_state(state, {"num_scores": 3})


def test_with_weights_every_score_is_there_twice(split):
    plain = load_airports()
    weight = np.random.default_rng(0).uniform(0.5, 4, plain.num_edges)
    graph = Graph.from_pairs(plain.edges, plain.num_nodes, weight=weight)
    model = create_model("logistic", folds=3, max_edges=100)
    fit(model, PAPER.apply(graph, seed=0))
    assert model.shape == {"num_scores": 16}
    equal = replace(graph, weight=np.ones(len(graph.col)))
    assert not np.array_equal(model(graph, plain.edges[:50]), model(equal, plain.edges[:50]))
    with pytest.raises(InputError, match="was trained with the weights of the edges"):
        model.prepare(plain)
