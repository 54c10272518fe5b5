from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from fitting import fit, same_state, swapped
from graphs import relabelled
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER
from linkwl.splits import Split
from network_cases import random_graph, some_pairs

SHORT = {"max_steps": 12, "patience": 12, "evaluate_every": 4}


def started(graph, name="ncn", **settings):
    """The model in float64, no weight of it zero, so that every part of a formula counts."""
    model = create_model(name, **settings)
    model.start(graph, seed=0)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in model.trained.double().parameters():
            weight += 0.2 * torch.randn(weight.shape, dtype=torch.float64, generator=generator)
    model.trained.eval()
    return model


def with_features(graph, kind):
    generator = np.random.default_rng(0)
    table = generator.normal(size=(graph.num_nodes, 6)) * (generator.random((graph.num_nodes, 6)) < 0.5)
    return graph.with_features(sp.csr_array(table) if kind == "sparse" else table)


def plain_logits(model, graph, pairs):
    """The formula, pair by pair, with neighbours as sets."""
    network = model.trained
    depths = network.encoder(model._adjacency(graph), model._features(graph))
    h = torch.cat(depths, dim=1) if network.reads_every_depth else depths[-1]
    near = [set(graph.neighbours(v).tolist()) for v in range(graph.num_nodes)]
    logits = []
    for p, q in pairs.tolist():
        common = h.new_zeros(h.shape[1])
        for u in near[p] & near[q]:
            common = common + h[u]
        logits.append(network.readout((h[p] * h[q])[None], common[None])[0])
    return torch.stack(logits)


@pytest.mark.parametrize("kind", ["none", "dense", "sparse"])
@pytest.mark.parametrize("nodes", ["every", "last"])
@pytest.mark.parametrize("scale", ["log", "plain"])
def test_the_formula_in_value_and_gradient(kind, nodes, scale):
    graph = random_graph() if kind == "none" else with_features(random_graph(), kind)
    model = started(graph, readout={"nodes": nodes, "scale": scale})
    pairs = graph.check_pairs(some_pairs(graph))
    fast, slow = model.logits(graph, pairs), plain_logits(model, graph, pairs)
    torch.testing.assert_close(fast, slow, rtol=1e-9, atol=1e-9)
    weights = list(model.trained.parameters())
    gradients = [torch.autograd.grad(x.square().sum(), weights) for x in (fast, slow)]
    for got, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-7, atol=1e-7)
    assert all(gradient.any() for gradient in gradients[0])


def test_common_neighbours_tell_pairs_apart_that_a_graph_convolution_does_not():
    """On a cycle all nodes look alike, and only pairs at distance two share a neighbour."""
    cycle = Graph.from_pairs([(v, (v + 1) % 6) for v in range(6)], num_nodes=6)
    near, far, other = started(cycle)(cycle, [(0, 2), (0, 3), (1, 4)])
    assert abs(near - far) > 1e-6
    assert abs(far - other) < 1e-9


def test_neighbours_are_dropped_in_training_alone():
    graph = load_airports()
    model = started(graph, readout={"neighbour_dropout": 0.5, "dropout": 0.0}, encoder={"dropout": 0.0})
    pairs = graph.edges[:50].copy()
    with torch.no_grad():
        calm = [model.logits(graph, pairs) for _ in range(2)]
        encoding = model.trained.encode(model._read(graph))
        model.trained.train()
        noisy = [model.trained.score(encoding, torch.from_numpy(pairs).long()) for _ in range(2)]
    assert torch.equal(*calm)
    assert not torch.equal(*noisy)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("name", ["ncn", "ncnc", "buddy"])
def test_features_are_read(name, kind):
    graph = random_graph()
    rich, pairs = with_features(graph, kind), some_pairs(graph)
    model = started(rich, name)
    turned = rich.with_features(rich.features[::-1])
    assert (np.abs(model(rich, pairs) - model(turned, pairs)) > 1e-9).mean() > 0.8
    number = np.random.default_rng(2).permutation(graph.num_nodes)
    copy = relabelled(graph, number).with_features(rich.features[np.argsort(number)])
    np.testing.assert_allclose(model(copy, number[pairs]), model(rich, pairs), rtol=1e-9, atol=1e-9)
    with pytest.raises(InputError, match="trained with 6 features per node, and graph has none"):
        model(graph, pairs)


@pytest.mark.parametrize("name", ["ncn", "ncnc", "buddy"])
def test_the_same_seed_gives_the_same_bits_and_held_out_labels_change_no_step(name):
    split = PAPER.apply(load_airports(), seed=0)
    models = [create_model(name, training=SHORT) for _ in range(3)]
    folds: list[Split] = [
        split,
        split,
        Split(split.train, swapped(split.valid), split.test, split.protocol, split.seed),
    ]
    histories = [fit(model, fold, 3) for model, fold in zip(models, folds, strict=True)]
    assert same_state(models[0], models[1])
    assert histories[0].losses == histories[1].losses == histories[2].losses


@pytest.mark.parametrize("name", ["ncn", "ncnc", "buddy"])
def test_training_learns(name):
    model = create_model(name, training={"max_steps": 40, "evaluate_every": 10})
    assert fit(model, PAPER.apply(load_airports(), seed=0)).best_valid > 0.9


def test_the_cost_grows_with_the_common_neighbours():
    dense, thin = (Graph.from_pairs(np.random.default_rng(0).integers(0, 80, (m, 2)), 80) for m in (1500, 100))
    model = create_model("ncn")
    assert model.pair_cost(thin, 100).memory < model.pair_cost(dense, 100).memory
    assert model.pair_cost(dense, 100).memory < model.pair_cost(dense, 1000).memory


def test_published_settings():
    settings = bundled_settings("ncn", "cora", "paper")
    assert settings["encoder"]["channels"] == 256
    assert settings["training"]["max_batch"] == 1152
    assert create_model("ncn", **bundled_settings("ncn", "citeseer", "paper")).config.readout.layers == 2
