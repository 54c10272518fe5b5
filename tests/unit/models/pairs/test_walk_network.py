"""The network of `walk-2fwl`."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import torch

from linkwl.models import create_model
from linkwl.models.batch import Batch
from linkwl.protocols import PAPER, TrainingData
from network_cases import random_graph, some_pairs


def started(graph, **settings):
    model = create_model("walk-2fwl", **settings)
    model.start(graph, 0)
    return model


def with_features(graph):
    features = np.random.default_rng(0).normal(size=(graph.num_nodes, 5)).astype(np.float32)
    return replace(graph, features=features)


def test_each_kind_of_members_reads_its_own_rows():
    graph = random_graph()
    pairs = some_pairs(graph)
    model = started(graph, gates="on")
    logits = model.logits(graph, pairs)
    assert logits.shape == (12, len(pairs))
    assert started(graph).logits(graph, pairs).shape == (8, len(pairs))
    assert started(graph, position="off").logits(graph, pairs).shape == (4, len(pairs))
    assert started(with_features(graph)).logits(with_features(graph), pairs).shape == (12, len(pairs))
    heads = [model.trained.readout, model.trained.position_readout, model.trained.gated_readout]
    for k, rows in enumerate(logits.split(4)):
        for j, head in enumerate(heads):
            assert all(gradient.any() == (j == k) for gradient in _gradients(rows, head))


def _gradients(rows, module):
    return torch.autograd.grad(
        rows.sum(), list(module.parameters()), retain_graph=True, allow_unused=True, materialize_grads=True
    )


@pytest.mark.parametrize("gates", ["on", "off"])
@pytest.mark.parametrize("is_directed", [False, True])
def test_the_loss_of_rows_is_the_loss_of_the_pairs(gates, is_directed):
    graph = with_features(random_graph(is_directed=is_directed))
    data = TrainingData.of(PAPER.apply(graph, seed=0), PAPER)
    model = create_model("walk-2fwl", gates=gates, position="on")
    batches = model.batches(data, 0)
    assert batches is not None
    model.start(data.train.observed, 0)
    model.trained.double().eval()
    for batch in islice(batches, 5):
        assert batch.near is not None
        plain = Batch(batch.observed, batch.positives, batch.negatives, batch.num_absent, batch.near)
        found, expected = model.loss(batch), model.loss(plain)
        assert found.item() == pytest.approx(expected.item(), abs=1e-10)
        weights = list(model.trained.parameters())
        pairs = zip(torch.autograd.grad(found, weights), torch.autograd.grad(expected, weights), strict=True)
        assert all(torch.allclose(a, b, atol=1e-10) for a, b in pairs)


def test_some_rows_are_the_rows_of_some_pairs():
    graph = with_features(random_graph())
    model, pairs = started(graph, position="on"), torch.from_numpy(some_pairs(graph).astype(np.int64))
    network, read = model.trained, model._read(graph)
    chosen = np.array([5, 0, 7])
    found, expected = network.rows(read, pairs).take(chosen), network.rows(read, pairs[chosen])
    for name in ("pairs", "local", "position", "content"):
        torch.testing.assert_close(getattr(found, name), getattr(expected, name), rtol=0, atol=0)
