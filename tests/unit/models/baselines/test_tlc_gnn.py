from __future__ import annotations

import numpy as np
import pytest
import torch

from fitting import fit, same_state, swapped
from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from linkwl.sparse.vicinity_images import RESOLUTION, Vicinity, vicinity_images
from linkwl.splits import Split
from network_cases import random_graph, some_pairs

SHORT = {"max_steps": 12, "patience": 12, "evaluate_every": 4}


def started(graph, **settings):
    model = create_model("tlc-gnn", **settings)
    model.start(graph, 0)
    model.trained.double()
    return model


def with_features(graph):
    return graph.with_features(np.random.default_rng(0).normal(size=(graph.num_nodes, 6)))


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.mark.parametrize("rich", [False, True])
@pytest.mark.parametrize("settings", [{}, {"logarithm": False, "unit_ball": True, "decoder": "fermi-dirac"}])
def test_scores_are_the_formula(settings, rich):
    graph = with_features(random_graph()) if rich else random_graph()
    model, pairs = started(graph, **settings), some_pairs(graph)
    network, config = model.trained.eval(), model.config
    with torch.no_grad():
        adjacency = model._adjacency(graph)
        x = network.encoder(adjacency, model._features(graph))[-1]
        h = network.conv(x, adjacency).relu()
        if config.unit_ball:
            h = h / h.norm(dim=1, keepdim=True).clamp(min=1)
        images = vicinity_images(graph.rowptr, graph.col, pairs, Vicinity(2, 50, True), bandwidth=config.bandwidth)
        assert images.any(axis=1).mean() > 0.3
        image = torch.from_numpy(np.log1p(images) if config.logarithm else images)
        both = torch.cat([(h[pairs[:, 0]] - h[pairs[:, 1]]) ** 2, image], dim=1)
        y = network.out(torch.nn.functional.leaky_relu(network.hidden(both), 0.2))[:, 0]
        expected = y if config.decoder == "logit" else 2 - y.abs().clamp(max=40)
    np.testing.assert_allclose(model(graph, pairs), expected.numpy(), rtol=1e-9, atol=1e-12)


def test_the_image_never_shows_the_link_of_its_pair():
    graph = random_graph()
    model = started(graph)
    encoding = model.trained.encode(model._read(graph))
    edges = torch.from_numpy(graph.edges.astype(np.int64))
    images = encoding.images.at(edges)
    assert images.shape == (graph.num_edges, RESOLUTION**2)
    for i in range(0, graph.num_edges, 7):
        rest = model.trained.encode(model._read(graph.without(graph.edges[i : i + 1])))
        assert torch.equal(rest.images.at(edges[i : i + 1])[0], images[i])


def test_images_that_are_kept_are_those_of_the_pairs_that_are_asked():
    graph = random_graph()
    model, pairs = started(graph), some_pairs(graph)
    look = model.watch(graph)
    for asked in (pairs, pairs[::2], pairs[::-1], pairs):
        for _ in range(2):
            np.testing.assert_allclose(look(asked), model(graph, asked), rtol=1e-9)


def test_every_weight_learns():
    graph = with_features(random_graph())
    model = create_model("tlc-gnn")
    model.start(graph, 0)
    model.logits(graph, some_pairs(graph)).square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in model.trained.parameters())


def test_the_same_seed_gives_the_same_bits_and_held_out_labels_change_no_step(split):
    models = [create_model("tlc-gnn", hops=1, training=SHORT) for _ in range(3)]
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
    model = create_model("tlc-gnn", hops=1, training={"max_steps": 60, "evaluate_every": 20})
    assert fit(model, split, 0).best_valid > 0.85


def test_the_cost_grows_with_the_targets():
    graph = load_airports()
    model = create_model("tlc-gnn")
    assert model.cost(graph, 10).memory < model.cost(graph, 10_000).memory
    assert model.cost(graph, 10).operations < model.cost(graph, 10_000).operations


def test_published_settings():
    settings = bundled_settings("tlc-gnn", "cora", "paper")
    assert (settings["hops"], settings["roots"], settings["dropout"]) == (1, False, 0.8)
    assert settings["encoder"]["channels"] == 100
    assert bundled_settings("tlc-gnn", "pubmed", "paper")["hops"] == 2
    create_model("tlc-gnn", **settings)
