from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from fitting import fit, same_state, swapped
from graphs import relabelled
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from linkwl.splits import Split
from network_cases import random_graph, some_pairs

SHORT = {"max_steps": 12, "patience": 12, "evaluate_every": 4, "max_batch": 32}


def started(graph, **settings):
    model = create_model("walkpool", **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


def with_features(graph, kind):
    generator = np.random.default_rng(0)
    table = generator.normal(size=(graph.num_nodes, 6)) * (generator.random((graph.num_nodes, 6)) < 0.5)
    return graph.with_features(sp.csr_array(table) if kind == "sparse" else table)


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.mark.parametrize("kind", ["none", "dense", "sparse"])
@pytest.mark.parametrize("settings", [{"hops": 1}, {"labels": False}, {"layers": 0, "walk_length": 2}])
def test_a_link_is_scored_as_if_it_were_not_there(settings, kind):
    graph = random_graph() if kind == "none" else with_features(random_graph(), kind)
    model = started(graph, **settings)
    for i in range(0, graph.num_edges, 5):
        edge = graph.edges[i : i + 1]
        np.testing.assert_allclose(model(graph, edge), model(graph.without(edge), edge), rtol=1e-9)


def test_edges_outside_of_the_subgraph_do_not_count():
    graph = random_graph(60, 70, seed=3)
    model = started(graph, hops=1)
    pair = graph.edges[:1]
    near = {*pair[0].tolist(), *(int(v) for p in pair[0] for v in graph.neighbours(p))}
    far = np.array([edge for edge in graph.edges.tolist() if not near & set(edge)])
    assert len(far) > 5
    np.testing.assert_allclose(model(graph.without(far), pair), model(graph, pair), rtol=1e-9)
    other = graph.without(np.array([(pair[0, 0], v) for v in graph.neighbours(pair[0, 0])]))
    assert abs(model(other, pair) - model(graph, pair)) > 1e-9


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_features_are_read_unless_the_setting_says_no(kind):
    graph = random_graph()
    rich, pairs = with_features(graph, kind), some_pairs(graph)
    model = started(rich)
    turned = rich.with_features(rich.features[::-1])
    assert (np.abs(model(rich, pairs) - model(turned, pairs)) > 1e-9).mean() > 0.8
    name = np.random.default_rng(2).permutation(graph.num_nodes)
    copy = relabelled(graph, name).with_features(rich.features[np.argsort(name)])
    np.testing.assert_allclose(model(copy, name[pairs]), model(rich, pairs), rtol=1e-9, atol=1e-9)
    with pytest.raises(InputError, match="trained with 6 features per node, and graph has none"):
        model(graph, pairs)
    plain = started(rich, features=False)
    np.testing.assert_array_equal(plain(rich, pairs), plain(graph, pairs))


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


def test_the_cost_grows_with_the_subgraphs():
    graph = load_airports()
    one, two, limited = (
        create_model("walkpool", **settings).cost(graph, 64).memory
        for settings in ({"hops": 1}, {"hops": 2, "max_per_hop": 10**6}, {"hops": 2, "max_per_hop": 10})
    )
    assert one < two
    assert limited < two


def test_the_same_seed_gives_the_same_bits_and_held_out_labels_change_no_step(split):
    models = [create_model("walkpool", max_per_hop=10, training=SHORT) for _ in range(3)]
    folds: list[Split] = [
        split,
        split,
        Split(split.train, swapped(split.valid), split.test, split.protocol, split.seed),
    ]
    histories = [fit(model, fold, 3) for model, fold in zip(models, folds, strict=True)]
    assert same_state(models[0], models[1])
    assert histories[0].losses == histories[1].losses == histories[2].losses


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
