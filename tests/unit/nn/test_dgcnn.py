from __future__ import annotations

import numpy as np
import torch

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.dgcnn import DGCNN, MIN_LENGTH, DGCNNConv


def adjacency(num_nodes, edges):
    both = sorted({(p, q) for p, q in edges} | {(q, p) for p, q in edges})
    return Adjacency.from_edge_index(torch.tensor(both).reshape(-1, 2).T, num_nodes)


def cycle(num_nodes, start=0):
    return [(start + v, start + (v + 1) % num_nodes) for v in range(num_nodes)]


def test_a_layer_is_its_formula():
    graph = adjacency(4, [(0, 1), (1, 2)])
    conv = DGCNNConv(3).double()
    x = torch.randn(4, 3, dtype=torch.float64)
    with torch.no_grad():
        conv.bias.copy_(torch.tensor([0.1, -0.2, 0.3]))
        dense = torch.eye(4, dtype=torch.float64)
        dense[[0, 1, 1, 2], [1, 0, 2, 1]] = 1
        expected = ((dense @ x + conv.bias) / dense.sum(1, keepdim=True)).tanh()
        torch.testing.assert_close(conv(x, graph), expected)


def test_gradients_of_the_whole_network():
    torch.manual_seed(0)
    graph, ptr = adjacency(15, [*cycle(6), *cycle(7, 7), (0, 3)]), torch.tensor([0, 7, 15])
    network = DGCNN(4, 3, MIN_LENGTH, hidden=5).double().eval()
    x = torch.randn(15, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: network(x, graph, ptr), x)


def test_graphs_are_scored_each_on_its_own_and_in_any_order_of_nodes():
    torch.manual_seed(0)
    network = DGCNN(4, 4, 13).double().eval()
    x = torch.randn(15, 4, dtype=torch.float64)
    together = network(x, adjacency(15, [*cycle(6), *cycle(9, 6), (7, 10)]), torch.tensor([0, 6, 15]))
    first = network(x[:6], adjacency(6, cycle(6)), torch.tensor([0, 6]))
    second = network(x[6:], adjacency(9, [*cycle(9), (1, 4)]), torch.tensor([0, 9]))
    torch.testing.assert_close(together, torch.cat([first, second]))
    name = torch.from_numpy(np.random.default_rng(0).permutation(6))
    turned = adjacency(6, [(int(name[p]), int(name[q])) for p, q in cycle(6)])
    y = torch.empty_like(x[:6])
    y[name] = x[:6]
    torch.testing.assert_close(network(y, turned, torch.tensor([0, 6])), first)


def test_every_weight_learns():
    torch.manual_seed(0)
    network = DGCNN(4, 4, 12)
    graph = adjacency(30, [*cycle(14), *cycle(16, 14)])
    network(torch.randn(30, 4), graph, torch.tensor([0, 14, 30])).square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in network.parameters())
