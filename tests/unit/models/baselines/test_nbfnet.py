from __future__ import annotations

import numpy as np
import pytest

from fitting import fit, same_state, swapped
from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from linkwl.splits import Split
from network_cases import random_graph, some_pairs

SHORT = {"max_steps": 6, "patience": 6, "evaluate_every": 2, "max_batch": 16}


def started(graph, **settings):
    model = create_model("nbfnet", **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


def test_both_orders_of_a_pair_have_the_same_bits():
    graph = random_graph()
    scorer, pairs = started(graph).prepare(graph), some_pairs(graph)
    np.testing.assert_array_equal(scorer(pairs), scorer(pairs[:, ::-1]))


def test_every_weight_learns():
    graph = random_graph()
    model = create_model("nbfnet", layers=3, channels=8)
    model.start(graph, 0)
    targets = graph.check_pairs(np.concatenate([graph.edges, some_pairs(graph)]))
    model.logits(graph.without(graph.edges[::3]), targets).square().sum().backward()
    for name, weight in model.trained.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.any(), name


def test_what_is_farther_than_the_steps_does_not_count():
    path = Graph.from_pairs([(i, i + 1) for i in range(20)], num_nodes=21)
    # The scales of degrees depend on all of them, so the far end of the path is turned, not cut.
    turned = Graph.from_pairs([*((i, i + 1) for i in range(15)), (15, 20), (20, 19), (19, 18), (18, 17), (17, 16)], 21)
    model = started(path, layers=4)
    pair = np.array([(2, 4)])
    np.testing.assert_allclose(model(path, pair), model(turned, pair), rtol=1e-12)
    assert abs(model(path, pair) - model(path, np.array([(2, 5)]))) > 1e-9


def test_the_number_of_steps_suits_the_graph():
    grid = Graph.from_pairs([(i, i + step) for i in range(90) for step in (1, 10)], num_nodes=100)
    clique = Graph.from_pairs([(i, j) for i in range(12) for j in range(i)], num_nodes=12)
    assert create_model("nbfnet").measure(grid) == {"layers": 6}
    assert create_model("nbfnet").measure(clique) == {"layers": 4}
    assert create_model("nbfnet", layers=2).measure(clique) == {"layers": 2}
    model = started(clique)
    assert "4 steps" in model.describe(grid)  # the network has the number of its training graph
    assert np.isfinite(model(grid, [(0, 99)])).all()


def test_features_are_not_read():
    graph = random_graph()
    rich = graph.with_features(np.random.default_rng(0).normal(size=(graph.num_nodes, 3)))
    model, pairs = started(rich), some_pairs(graph)
    np.testing.assert_array_equal(model(rich, pairs), model(graph, pairs))


def test_the_cost_grows_with_layers_and_targets_and_memory_is_bounded():
    graph = load_airports()

    def cost(num_targets, **settings):
        return create_model("nbfnet", **settings).cost(graph, num_targets)

    assert cost(64, layers=2).memory < cost(64, layers=4).memory
    assert cost(64, layers=2).operations < cost(64, layers=4).operations
    assert cost(64).operations < cost(256).operations
    assert cost(10**6).memory < 4e9
    assert cost(64, channels=8).memory < cost(64).memory


def test_the_same_seed_gives_the_same_bits_and_held_out_labels_change_no_step(split):
    models = [create_model("nbfnet", layers=3, training=SHORT) for _ in range(3)]
    folds: list[Split] = [
        split,
        split,
        Split(split.train, swapped(split.valid), split.test, split.protocol, split.seed),
    ]
    histories = [fit(model, fold, 3) for model, fold in zip(models, folds, strict=True)]
    assert same_state(models[0], models[1])
    assert histories[0].losses == histories[1].losses == histories[2].losses


def test_a_step_does_not_see_the_links_that_it_predicts(split, monkeypatch):
    model = create_model("nbfnet", layers=3, channels=8, training=SHORT)
    seen, logits = [], model.logits

    def spy(observed, queries):
        seen.append((observed, queries, model.trained.training))
        return logits(observed, queries)

    monkeypatch.setattr(model, "logits", spy)
    fit(model, split)
    steps = [(observed, queries) for observed, queries, is_training in seen if is_training]
    assert len(steps) == SHORT["max_steps"]
    for observed, queries in steps:
        assert split.train.observed.has_edges(queries).sum() == SHORT["max_batch"]
        assert not observed.has_edges(queries).any()


@pytest.mark.thorough
def test_training_learns(split):
    model = create_model("nbfnet", layers=3, channels=16, training={"max_steps": 60, "evaluate_every": 20})
    assert fit(model, split).best_valid > 0.85


def test_published_settings():
    settings = bundled_settings("nbfnet", "cora", "paper")
    model = create_model("nbfnet", **settings)
    assert (model.config.layers, model.config.channels) == (6, 32)
    assert settings["training"]["learning_rate"] == 0.005
    assert bundled_settings("nbfnet", "pubmed", "paper")["training"]["max_batch"] == 16
