from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.models import create_model
from linkwl.models.batch import Batch
from linkwl.nn.von_mises_fisher import divergence_from_uniform
from network_cases import random_graph, some_pairs


def started(graph, **settings):
    model = create_model("svgae", **settings)
    model.start(graph, seed=0)
    model.trained.double()
    return model


@pytest.mark.parametrize("settings", [{}, {"variant": "paper"}, {"nodes": "encoded"}])
def test_scores_are_cosines_times_the_temperature(settings):
    graph = random_graph()
    model, pairs = started(graph, **settings), some_pairs(graph)
    assert np.abs(model(graph, pairs)).max() <= 5 + 1e-6
    before = model(graph, pairs)
    with torch.no_grad():
        model.trained.log_temperature.add_(np.log(2))
    np.testing.assert_allclose(model(graph, pairs), 2 * before, rtol=1e-9, atol=1e-12)
    inside = np.arange(graph.num_nodes)[graph.degree > 0]
    np.testing.assert_allclose(model(graph, np.stack([inside, inside], axis=1)), 10, rtol=1e-6)


def test_samples_are_on_the_sphere_and_the_divergence_is_that_of_their_concentration():
    graph = random_graph()
    model = started(graph, latent=16)
    network, read = model.trained.train(), model._read(graph)
    posterior = network.encode(read)
    np.testing.assert_allclose(posterior.z.norm(dim=1).detach(), 1, atol=1e-9)
    hidden = network.plain(read.adjacency, None)
    kappa = 1 + torch.nn.functional.softplus(network.concentration(hidden, read.adjacency)[:, 0])
    assert torch.allclose(posterior.divergence, divergence_from_uniform(kappa, 16))
    assert (posterior.divergence > 0).all()


def test_every_weight_learns():
    graph = random_graph()
    model = started(graph)
    negatives = np.array([(0, 39), (5, 38), (7, 36)], dtype=np.int32)
    model.trained.train()
    torch.manual_seed(0)
    model.loss(Batch(graph.without(graph.edges[:8]), graph.edges[:8], negatives, 700)).backward()
    for name, weight in model.trained.named_parameters():
        assert torch.isfinite(weight.grad).all(), name
        assert weight.grad.any(), name
