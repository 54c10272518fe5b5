from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from linkwl import Graph, InputError, LinkPredictor, create_model

NAMES = ["2wl", "local-2wl", "2fwl", "local-2fwl"]
VARIANTS = [
    *((name, {}) for name in NAMES),
    ("2wl", {"pairs": {"branch": "perceptron"}}),
    ("2fwl", {"pairs": {"branch": "perceptron"}}),
    ("local-2fwl", {"pairs": {"neighbourhood": "either"}}),
    ("local-2wl", {"encoder": {"conv": "sage"}}),
    ("local-2wl", {"encoder": {"conv": "appnp"}}),
]


def weighted(is_directed=False, seed=0) -> Graph:
    generator = np.random.default_rng(seed)
    pairs = generator.integers(0, 40, (160, 2))
    return Graph.from_pairs(pairs, 40, is_directed=is_directed, weight=generator.uniform(0.1, 9, 160))


def fresh(name, settings, graph):
    model = create_model(name, **settings)
    model.start(graph, seed=0)
    model.trained.double()
    return model


def scores(model, graph):
    pairs = np.random.default_rng(1).integers(0, 40, (200, 2)).astype(np.int32)
    return model(graph, pairs)


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize(("name", "settings"), VARIANTS)
def test_weights_count_by_their_ratios(name, settings, is_directed):
    graph = weighted(is_directed)
    model = fresh(name, settings, graph)
    found = scores(model, graph)
    np.testing.assert_allclose(scores(model, replace(graph, weight=7 * graph.weight)), found, rtol=1e-6, atol=1e-7)
    equal = replace(graph, weight=np.full_like(graph.weight, 3))
    plain = fresh(name, settings, graph.unweighted())  # the same seed, and so the same weights of the network
    unweighted = scores(plain, graph.unweighted())
    np.testing.assert_allclose(scores(model, equal), unweighted, rtol=1e-6, atol=1e-7)
    assert np.abs(found - unweighted).max() > 1e-4
    np.testing.assert_array_equal(scores(plain, graph), unweighted)  # trained without: they are ignored


@pytest.mark.parametrize("name", NAMES)
def test_an_undirected_pair_scores_the_same_both_ways(name):
    graph = weighted()
    model = fresh(name, {}, graph)
    pairs = graph.edges[:30]
    np.testing.assert_array_equal(model(graph, pairs), model(graph, pairs[:, ::-1]))


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_every_weight_learns(name, is_directed):
    graph = weighted(is_directed)
    model = fresh(name, {}, graph)
    model.logits(graph, np.random.default_rng(1).integers(0, 40, (60, 2))).square().sum().backward()
    grads = [weight.grad for weight in model.trained.parameters()]
    assert all(grad is not None and torch.isfinite(grad).all() for grad in grads)


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_without_weights_is_refused(name):
    graph = weighted()
    model = fresh(name, {}, graph)
    with pytest.raises(InputError, match=f"{name} was trained with the weights of the edges, and graph has none"):
        model(graph.unweighted(), graph.edges)


def test_a_saved_model(tmp_path):
    graph = weighted()
    settings = {"training": {"max_steps": 5}}
    predictor = LinkPredictor("local-2wl", settings=settings).fit(graph, folder=tmp_path / "model")
    again = LinkPredictor.load(tmp_path / "model")
    pairs = [(0, 1), (2, 3)]
    np.testing.assert_array_equal(again.decision_function(pairs), predictor.decision_function(pairs))
