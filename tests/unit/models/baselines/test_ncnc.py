from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.datasets import load_airports
from linkwl.models import create_model
from linkwl.models.baselines import ncnc
from linkwl.models.bundled import bundled_settings
from linkwl.sparse.neighbour_overlap import neighbour_overlap
from network_cases import random_graph, some_pairs


def started(graph, **settings):
    model = create_model("ncnc", **settings)
    model.start(graph, seed=0)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in model.trained.double().parameters():
            weight += 0.2 * torch.randn(weight.shape, dtype=torch.float64, generator=generator)
    model.trained.eval()
    return model


def plain_logits(model, graph, pairs):
    """The formula, pair by pair, with neighbours as sets; the weights of neighbours have no gradient."""
    network, settings = model.trained, model.config.completion
    h = torch.cat(network.encoder(model._adjacency(graph), model._features(graph)), dim=1)
    near = [set(graph.neighbours(v).tolist()) for v in range(graph.num_nodes)]

    def read(p, q, weights):
        common = h.new_zeros(h.shape[1])
        for u, weight in weights.items():
            common = common + weight * h[u]
        return network.readout((h[p] * h[q])[None], common[None])[0]

    logits = []
    for p, q in pairs.tolist():
        weights = dict.fromkeys(near[p] & near[q], 1.0)
        for u, end in [(u, q) for u in near[p] - near[q] - {q}] + [(u, p) for u in near[q] - near[p] - {p}]:
            score = read(u, end, dict.fromkeys(near[u] & near[end], 1.0)).detach()
            weights[u] = settings.weight * torch.sigmoid(settings.scale * (score - settings.offset))
        logits.append(read(p, q, weights))
    return torch.stack(logits)


@pytest.mark.parametrize("completion", [{}, {"weight": 0.4, "scale": 3.0, "offset": 0.3}])
def test_the_formula_in_value_and_gradient(completion, monkeypatch):
    monkeypatch.setattr(ncnc, "_BLOCK", 7)  # many blocks
    graph = random_graph()
    model = started(graph, completion={"max_per_end": 100, **completion})
    pairs = graph.check_pairs(some_pairs(graph))
    fast, slow = model.logits(graph, pairs), plain_logits(model, graph, pairs)
    torch.testing.assert_close(fast, slow, rtol=1e-9, atol=1e-9)
    weights = list(model.trained.parameters())
    gradients = [torch.autograd.grad(x.square().sum(), weights) for x in (fast, slow)]
    for got, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-7, atol=1e-7)


def test_without_completion_it_is_ncn():
    graph = random_graph()
    pairs = some_pairs(graph)
    plain = create_model("ncn")
    complete = started(graph)
    for nothing in ({"weight": 0.0}, {"max_per_end": 0}):
        model = create_model("ncnc", completion=nothing)
        model.load_state(complete.state() | _floats(complete), complete.shape)
        plain.load_state(model.state(), model.shape)
        np.testing.assert_allclose(model(graph, pairs), plain(graph, pairs), rtol=1e-5, atol=1e-5)
    assert np.abs(complete(graph, pairs) - plain(graph, pairs)).max() > 1e-3


def _floats(model):
    return {name: array.astype(np.float32) for name, array in model.state().items() if array.dtype == np.float64}


def test_weights_are_shares_of_one():
    graph = load_airports()
    model = started(graph, completion={"weight": 0.5})
    overlap = neighbour_overlap(graph.rowptr, graph.col, graph.edges[:60], 32)
    network = model.trained
    weight = network.weights(network.encode(model._read(graph)), overlap)
    is_common = torch.from_numpy(overlap.missing < 0)
    assert (weight[is_common] == 1).all()
    assert (weight[~is_common] < 0.5).all()
    assert (weight[~is_common] > 0).all()
    assert not weight.requires_grad


def test_fewer_completed_nodes_cost_less():
    graph = load_airports()
    few, many = (create_model("ncnc", completion={"max_per_end": most}) for most in (2, 50))
    assert few.pair_cost(graph, 200).memory < many.pair_cost(graph, 200).memory
    assert create_model("ncn").pair_cost(graph, 200).memory < few.pair_cost(graph, 200).memory
    assert "completion.max_per_end" in few.remedy


def test_published_settings():
    settings = bundled_settings("ncnc", "pubmed", "paper")
    assert settings["completion"]["weight"] == 0.3
    assert settings["training"]["max_batch"] == 2048
