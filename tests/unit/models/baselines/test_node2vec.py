from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fitting import fit, same_state, swapped
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.errors import InputError, MemoryLimitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.baselines import node2vec
from linkwl.protocols import PAPER
from linkwl.training import evaluate_split

QUICK = {"channels": 16, "walks": 4, "length": 20, "parts": 2}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(scope="module")
def fitted(split):
    model = create_model("node2vec", **QUICK)
    fit(model, split)
    return model


def test_it_learns(split, fitted):
    assert evaluate_split(fitted, split, PAPER).metrics["auc"] > 0.75


def test_score_is_the_mean_of_the_formula(split, fitted):
    state = fitted.state()
    z, w, b = (state[name].astype(np.float64) for name in ("vectors", "slope", "intercept"))
    expected = np.mean([w[k] @ (z[k, 3] * z[k, 11]) + b[k] for k in range(2)])
    assert fitted(split.test.observed, [(3, 11)])[0] == pytest.approx(expected)


@pytest.mark.parametrize("parts", [1, 3])
def test_edges_are_hidden_from_the_walks_that_classify_them(split, monkeypatch, parts):
    graphs, classified = [], []
    embed, products = node2vec.Node2Vec._embed, node2vec._products

    def watched_embed(self, graph, generator):
        graphs.append(graph)
        return embed(self, graph, generator)

    def watched_products(z, pairs):
        classified.append(pairs)
        return products(z, pairs)

    monkeypatch.setattr(node2vec.Node2Vec, "_embed", watched_embed)
    monkeypatch.setattr(node2vec, "_products", watched_products)
    fit(create_model("node2vec", **QUICK | {"parts": parts}), split)
    train = split.train.observed
    assert len(graphs) == len(classified) == parts
    for graph, pairs in zip(graphs, classified, strict=True):
        links = pairs[train.has_edges(pairs)]
        assert graph.has_edges(links).all() if parts == 1 else not graph.has_edges(links).any()
        assert graph.num_edges == train.num_edges - (0 if parts == 1 else len(links))
        assert not split.reserved.has_edges(pairs[~train.has_edges(pairs)]).any()
    assert sum(train.has_edges(pairs).sum() for pairs in classified) == train.num_edges


def test_same_seed_same_bits_on_any_number_of_threads(split, fitted, monkeypatch):
    for seed, threads in ((0, "1"), (0, "3"), (1, "3")):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        model = create_model("node2vec", **QUICK)
        fit(model, split, seed)
        assert same_state(model, fitted) == (seed == 0)


def test_held_out_labels_do_not_matter(split, fitted):
    model = create_model("node2vec", **QUICK)
    fit(model, replace(split, valid=swapped(split.valid), test=swapped(split.test)))
    assert same_state(model, fitted)


def test_nodes_without_edges_get_the_mean_vector():
    model = create_model("node2vec", **QUICK)
    graph = Graph.from_pairs([(0, 1), (1, 2)], num_nodes=5)
    z = model._embed(graph, np.random.default_rng(0))
    np.testing.assert_allclose(z[3:], np.tile(z[:3].mean(axis=0), (2, 1)), rtol=1e-6)


def test_saved_and_loaded(tmp_path):
    predictor = LinkPredictor("node2vec", settings=QUICK).fit(load_airports(), folder=tmp_path / "m")
    pairs = [("JNU", "WRG"), ("ORD", "SFB")]
    loaded = LinkPredictor.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(pairs), predictor.decision_function(pairs))
    with pytest.raises(InputError, match="node2vec knows only the nodes it was trained on"):
        loaded.decision_function([(0, 1)], graph=Graph.from_pairs([(0, 1)], num_nodes=3))


def test_damaged_state_is_refused(fitted):
    state = dict(fitted.state())
    with pytest.raises(ValueError, match="missing or unknown: 'slope'"):
        fitted.clone().load_state({name: state[name] for name in ("vectors", "intercept")}, fitted.shape)
    with pytest.raises(ValueError, match="'slope' of `state` must be float32"):
        fitted.clone().load_state(state | {"slope": state["slope"][:, 1:]}, fitted.shape)


def test_vectors_that_do_not_fit_into_memory_are_refused(split, monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 10_000)
    with pytest.raises(MemoryLimitError, match="lower 'walks', 'channels' or 'parts'"):
        fit(create_model("node2vec", **QUICK), split)
