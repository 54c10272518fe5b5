from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.graph import Graph
from linkwl.nn import bellman_ford
from linkwl.nn.bellman_ford import BellmanFord, BellmanFordConv, degree_scales
from linkwl.sparse.bellman_ford import DegreeOrder, SweepPlan
from network_cases import random_graph, some_pairs

GRAPHS = {
    "many degrees": random_graph(),
    "dense": random_graph(16, 70, seed=1),
    "path": Graph.from_pairs([(i, i + 1) for i in range(14)], num_nodes=16),
    "empty": Graph.from_pairs([], num_nodes=4),
    "one node": Graph.from_pairs([], num_nodes=1),
}


def plain(network, graph, pairs):
    """The published network: all states of all sources, (source, node, channels), and all messages of each."""
    adjacent = torch.from_numpy(graph.to_scipy().toarray() > 0) | torch.eye(graph.num_nodes, dtype=torch.bool)
    count = (adjacent.sum(1) + 1)[None, :, None]
    scale = count.double().log() / count.double().log().mean()
    start = torch.eye(graph.num_nodes, dtype=torch.float64)[:, :, None] * network.query
    h = start
    for step in network.steps:
        sent = (h * step.relation)[:, None].expand(-1, graph.num_nodes, -1, -1)  # (source, receiver, sender, channels)
        messages = torch.cat([sent, start[:, :, None]], dim=2)
        is_sent = torch.cat([adjacent, torch.ones(graph.num_nodes, 1, dtype=torch.bool)], dim=1)[None, :, :, None]
        mean = (messages * is_sent).sum(2) / count
        variance = ((messages * is_sent) ** 2).sum(2) / count - mean**2
        aggregates = [
            mean,
            messages.masked_fill(~is_sent, -torch.inf).amax(2),
            messages.masked_fill(~is_sent, torch.inf).amin(2),
            variance.clamp(min=1e-6).sqrt(),
        ]
        x = torch.cat(aggregates, dim=-1)
        h = h + step.norm(step.linear(torch.cat([h, x, x * scale, x / scale.clamp(min=0.01)], dim=-1))).relu()
    first, second = torch.from_numpy(np.asarray(pairs, dtype=np.int64)).T
    mean = (h[first, second] + h[second, first]) / 2
    return network.readout(torch.cat([mean, network.query.expand_as(mean)], dim=1))[:, 0]


def some_network(layers):
    torch.manual_seed(layers)
    return BellmanFord(channels=5, layers=layers, hidden=4).double()


def logits(network, graph, pairs):
    return network(SweepPlan.of(graph.rowptr, graph.col, len(network.steps)), pairs)


def gradients(network, values):
    return torch.autograd.grad(values.square().sum(), list(network.parameters()))


@pytest.mark.parametrize("layers", [1, 3, 6])
@pytest.mark.parametrize("name", GRAPHS)
def test_is_the_network_on_all_states_in_value_and_gradient(name, layers):
    graph, network = GRAPHS[name], some_network(layers)
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (30, 2))
    values, expected = logits(network, graph, pairs), plain(network, graph, pairs)
    torch.testing.assert_close(values, expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(gradients(network, values), gradients(network, expected), rtol=1e-9, atol=1e-9)


def test_blocks_that_are_computed_again_for_the_gradient_change_nothing(monkeypatch):
    graph, network = GRAPHS["many degrees"], some_network(3)
    pairs = some_pairs(graph)
    values = logits(network, graph, pairs)
    expected = gradients(network, values)
    monkeypatch.setattr(bellman_ford, "BYTES_PER_BLOCK", 1)  # a block per source
    again = logits(network, graph, pairs)
    torch.testing.assert_close(again, values, rtol=0, atol=1e-12)
    torch.testing.assert_close(gradients(network, again), expected, rtol=1e-9, atol=1e-9)
    with torch.no_grad():
        torch.testing.assert_close(logits(network, graph, pairs), values, rtol=0, atol=1e-12)


def test_the_maps_are_those_of_the_scaled_aggregates():
    conv = BellmanFordConv(3).double()
    scales, x = torch.tensor([[1.0, 0.5, 2.0], [1.0, 4.0, 0.25]], dtype=torch.float64), torch.randn(12).double()
    for scale, map_ in zip(scales, conv.maps(scales), strict=True):
        scaled = torch.cat([torch.zeros(3).double(), *(factor * x for factor in scale)])
        torch.testing.assert_close(x @ map_, conv.linear(scaled) - conv.linear.bias)


def test_the_scales_of_degrees():
    scales = degree_scales(DegreeOrder.of(np.array([0, 6, 6])))  # 2, 8 and 8 messages
    mean = (np.log(2) + 2 * np.log(8)) / 3
    np.testing.assert_allclose(scales, [[1, np.log(k) / mean, mean / np.log(k)] for k in (2, 8)])


def test_nodes_beyond_the_last_step_look_alike():
    network, path = some_network(3), GRAPHS["path"]
    near, far, farther = logits(network, path, np.array([(5, 8), (5, 9), (5, 10)])).tolist()
    assert far == pytest.approx(farther, abs=1e-12)
    assert abs(near - far) > 1e-6
