from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.distributions import Normal, kl_divergence
from torch.nn import functional as F

from linkwl.models import create_model
from linkwl.models.baselines.variational import VisibleBatches
from linkwl.models.batch import Batch
from linkwl.splits import Fold, Targets
from network_cases import random_graph, some_pairs


def started(graph, **settings):
    model = create_model("vgae", **settings)
    model.start(graph, seed=0)
    model.trained.double()
    return model


def propagation(graph):
    """The normalised adjacency as a table."""
    table = (graph.to_scipy().toarray() != 0).astype(float) + np.eye(graph.num_nodes)
    scale = table.sum(1) ** -0.5
    return torch.from_numpy(scale[:, None] * table * scale)


def published(model, graph):
    """Means and deviations by dense matrices."""
    weights, a = model.trained.state_dict(), propagation(graph)
    hidden = (a @ weights["plain.identities"]).relu()
    mean = a @ hidden @ weights["mean.linear.weight"].T
    return mean, (a @ hidden @ weights["log_deviation.linear.weight"].T).exp()


def test_scores_are_inner_products_of_the_means():
    graph = random_graph()
    model, pairs = started(graph, variant="paper", encoder={"channels": 32}, latent=16), some_pairs(graph)
    mean, _ = published(model, graph)
    assert mean.shape == (graph.num_nodes, 16)
    expected = (mean[pairs[:, 0]] * mean[pairs[:, 1]]).sum(1)
    np.testing.assert_allclose(model(graph, pairs), expected, atol=1e-12)


def test_the_published_loss():
    graph = random_graph()
    model = started(graph, variant="paper")
    targets = Targets(graph.edges, np.empty((0, 2), dtype=np.int32))
    batch = next(VisibleBatches(Fold(graph, targets), graph, 1, seed=0))
    model.trained.train()
    torch.manual_seed(5)
    loss = model.loss(batch)
    mean, deviation = published(model, graph)
    torch.manual_seed(5)
    z = mean + deviation * torch.randn_like(mean)
    n, table = graph.num_nodes, torch.from_numpy((graph.to_scipy().toarray() != 0).astype(float))
    entries = table.sum()
    error = F.binary_cross_entropy_with_logits(z @ z.T, table + torch.eye(n), pos_weight=(n * n - entries) / entries)
    divergence = kl_divergence(Normal(mean, deviation), Normal(0.0, 1.0)).sum(1).mean()
    expected = n * n / (2 * (n * n - entries)) * error + divergence / n
    assert loss.item() == pytest.approx(expected.item(), abs=1e-12)
    loss.backward()
    assert all(weight.grad.any() for weight in model.trained.parameters())


def test_our_loss_reads_the_batch():
    graph = random_graph()
    model = started(graph.without(graph.edges[:8]))
    negatives = np.array([(0, 39), (5, 38), (7, 36)], dtype=np.int32)
    batch = Batch(graph.without(graph.edges[:8]), graph.edges[:8], negatives, 700)
    model.trained.train()
    torch.manual_seed(5)
    loss = model.loss(batch)
    torch.manual_seed(5)
    posterior = model.trained.encode(model._read(batch.observed))
    logits = model.trained.score(posterior, torch.from_numpy(batch.queries.astype(np.int64)))
    error = F.binary_cross_entropy_with_logits(logits, torch.from_numpy(batch.labels).double())
    expected = error + posterior.divergence.mean() / graph.num_nodes
    assert loss.item() == pytest.approx(expected.item(), abs=1e-12)
    loss.backward()
    assert all(weight.grad.any() for weight in model.trained.parameters())


def test_only_training_samples():
    graph = random_graph()
    model = started(graph)
    network, read = model.trained, model._read(graph)
    assert not torch.equal(network.train().encode(read).z, network.encode(read).z)
    assert torch.equal(network.eval().encode(read).z, network.encode(read).z)


def test_all_pairs_cost_more_in_the_published_variant():
    graph = random_graph(4000, 9000)
    ours, paper = (started(graph, variant=variant).cost(graph, 10) for variant in ("ours", "paper"))
    assert paper.operations > 10 * ours.operations
    assert paper.memory < 1e9
