from __future__ import annotations

import numpy as np
import pytest
import torch

from fitting import fit
from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from network_cases import featured_graph, random_graph, some_pairs


def started(graph, **settings):
    model = create_model("walkpool", **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.mark.parametrize("kind", ["none", "dense", "sparse"])
@pytest.mark.parametrize("settings", [{"hops": 1}, {"labels": False}, {"layers": 0, "walk_length": 2}])
def test_a_link_is_scored_as_if_it_were_not_there(settings, kind):
    graph = random_graph() if kind == "none" else featured_graph(random_graph(), kind)
    model = started(graph, **settings)
    for i in range(0, graph.num_edges, 5):
        edge = graph.edges[i : i + 1]
        np.testing.assert_allclose(model(graph, edge), model(graph.without(edge), edge), rtol=1e-9)


def test_labels_are_read_if_the_setting_says_so():
    graph = random_graph()
    pairs = some_pairs(graph)
    assert "labels.weight" not in started(graph, labels=False).state()
    model = started(graph)
    before = model(graph, pairs)
    with torch.no_grad():
        model.trained.labels.weight[1] += 1.0  # of the ends
    assert (np.abs(model(graph, pairs) - before) > 1e-9).mean() > 0.8


def test_pooled_numbers_of_the_train_graph_are_standardised():
    graph = load_airports()
    state = started(graph).state()
    assert (state["spread"] > 0).all()
    assert np.abs(state["center"]).max() > 1e-3


def test_every_weight_learns():
    graph = random_graph()
    model = create_model("walkpool")
    model.start(graph, 0)
    model.logits(graph, some_pairs(graph)).square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in model.trained.parameters())


@pytest.mark.thorough
def test_training_learns(split):
    model = create_model("walkpool", hops=1, training={"max_steps": 100, "evaluate_every": 50})
    assert fit(model, split, 0).best_valid > 0.85


def test_published_settings():
    settings = bundled_settings("walkpool", "usair", "paper")
    assert settings["training"]["learning_rate"] == 5e-5
    assert settings["walk_length"] == 8
    assert settings["training"]["max_steps"] == 5650
    assert bundled_settings("walkpool", "power", "paper")["hops"] == 3
    assert bundled_settings("walkpool", "cora", "paper") == {}
