from __future__ import annotations

import numpy as np
import pytest

from fitting import fit
from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from network_cases import featured_graph, random_graph


def started(graph, **settings):
    model = create_model("seal", **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.mark.parametrize("kind", ["none", "dense", "sparse"])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_a_link_is_scored_as_if_it_were_not_there(hops, kind):
    graph = random_graph() if kind == "none" else featured_graph(random_graph(), kind)
    model = started(graph, hops=hops)
    for i in range(0, graph.num_edges, 5):
        edge = graph.edges[i : i + 1]
        np.testing.assert_allclose(model(graph, edge), model(graph.without(edge), edge), rtol=1e-9)


def test_the_shape_is_that_of_the_train_graph():
    graph = random_graph()
    shape = create_model("seal").measure(graph)
    assert shape["num_features"] == 0
    assert shape["length"] >= 10
    assert shape["max_label"] > 1
    assert create_model("seal", hops=1).measure(graph)["length"] <= shape["length"]


@pytest.mark.thorough
def test_training_learns(split):
    model = create_model("seal", hops=1, training={"max_steps": 150, "evaluate_every": 50})
    assert fit(model, split, 0).best_valid > 0.85


def test_published_settings():
    settings = bundled_settings("seal", "usair", "paper")
    assert settings["training"]["learning_rate"] == 1e-4
    assert settings["training"]["max_steps"] == 3616
    assert bundled_settings("seal", "pb", "paper")["hops"] == 1
    assert not bundled_settings("seal", "citeseer", "paper")["features"]
