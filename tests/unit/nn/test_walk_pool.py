from __future__ import annotations

import numpy as np
import pytest
import torch

from graphs import random_rows
from linkwl.graph import Graph
from linkwl.nn import walk_pool
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.walk_pool import Subgraphs, WalkPool, edge_dots, return_walks
from linkwl.sparse.pair_subgraphs import pair_subgraphs

# A link, no link, a pair far apart, one with an isolated end, and one with two.
PAIRS = np.array([(0, 1), (0, 5), (3, 20), (2, 28), (28, 29)])


def subgraphs(pairs=PAIRS, hops=2, *, seed=0):
    graph = Graph.from_pairs(np.concatenate([random_rows(27, 50, seed), [(0, 1)]]), 30)
    found = pair_subgraphs(graph.rowptr, graph.col, pairs, hops)
    rowptr, col, node_ptr = map(torch.from_numpy, (found.rowptr, found.col, found.node_ptr))
    is_loop = torch.from_numpy(pairs[:, 0] == pairs[:, 1])
    ends = torch.stack([node_ptr[:-1], node_ptr[:-1] + (~is_loop).long()], dim=1)
    return Subgraphs(Adjacency(rowptr, col, is_symmetric=True), node_ptr, ends)


def pool_and_vectors(graph, heads=2, walk_length=5):
    torch.manual_seed(0)
    pool = WalkPool(3, 4, heads=heads, walk_length=walk_length).double().eval()
    return pool, torch.randn(graph.adjacency.num_nodes, 3, dtype=torch.float64, requires_grad=True)


def transitions(logits, is_edge):
    """Softmax over the neighbours; a node without neighbours goes nowhere."""
    weights = torch.where(is_edge, logits, -torch.inf)
    return torch.where(is_edge.any(1, keepdim=True), weights.softmax(1), 0).nan_to_num(0)


def plain(pool, z, graph):
    """The definition: powers of the dense matrices of each pair, with the link and without."""
    rows = []
    row, col = graph.adjacency.row, graph.adjacency.col
    for k, (start, stop) in enumerate(zip(graph.node_ptr, graph.node_ptr[1:], strict=False)):
        x, here = z[start:stop], (row >= start) & (row < stop)
        size = len(x)
        i, j = (graph.ends[k] - start).tolist()
        without = torch.zeros(size, size, dtype=torch.bool)
        without[row[here] - start, col[here] - start] = True
        assert not without[i, j]
        with_link = without.clone()
        with_link[i, j] = with_link[j, i] = True
        query, key = (
            pool.maps[m](torch.nn.functional.leaky_relu(pool.hidden[m](x), 0.2)).view(size, pool.heads, -1)
            for m in (0, 1)
        )
        numbers = []
        for head in range(pool.heads):
            omega = query[:, head] @ key[:, head].T / pool.channels**0.5
            plus, minus = transitions(omega, with_link), transitions(omega, without)
            numbers.append(torch.sigmoid(omega[i, j]) + torch.sigmoid(omega[j, i]))
            for tau in range(2, pool.walk_length + 1):
                p, m = torch.linalg.matrix_power(plus, tau), torch.linalg.matrix_power(minus, tau)
                numbers += [p[i, i] + p[j, j], m[i, i] + m[j, j], p[i, j] + p[j, i], m[i, j] + m[j, i]]
                numbers.append(p.trace() - m.trace())
        table = torch.stack(numbers).view(pool.heads, -1)
        rows.append(torch.cat([table[:, 0], table[:, 1:].flatten()]))
    return torch.stack(rows)


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize(("heads", "walk_length"), [(1, 2), (2, 5), (3, 8)])
def test_numbers_and_gradients_are_those_of_dense_powers(hops, heads, walk_length):
    graph = subgraphs(hops=hops)
    pool, z = pool_and_vectors(graph, heads, walk_length)
    found, expected = pool(z, graph), plain(pool, z, graph)
    assert found.shape == (len(PAIRS), pool.out_channels)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)
    weights = torch.randn(found.shape, dtype=torch.float64)
    parameters = [z, *pool.parameters()]
    gradients = [torch.autograd.grad((weights * out).sum(), parameters) for out in (found, expected)]
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-11)


def test_both_orders_of_the_ends_give_the_same_numbers():
    graph = subgraphs()
    pool, z = pool_and_vectors(graph)
    turned = Subgraphs(graph.adjacency, graph.node_ptr, graph.ends.flip(1))
    torch.testing.assert_close(pool(z, turned), pool(z, graph), rtol=1e-10, atol=1e-12)


def test_a_pair_of_a_node_with_itself_has_finite_numbers():
    graph = subgraphs(np.array([(0, 0), (29, 29)]))
    pool, z = pool_and_vectors(graph)
    assert pool(z, graph).isfinite().all()


@pytest.mark.parametrize("pairs", [PAIRS, np.array([(0, 0), (29, 29)])])
def test_other_devices_get_the_same_numbers(monkeypatch, pairs):
    graph = subgraphs(pairs)
    weight = torch.rand(graph.adjacency.num_entries, 2, dtype=torch.float64)
    query, key = torch.randn(2, graph.adjacency.num_nodes, 2, 3, dtype=torch.float64)
    fast = return_walks(weight, graph, 4), edge_dots(query, key, graph)
    monkeypatch.setattr(walk_pool, "has_kernels", lambda x: False)
    for one, other in zip(fast, (return_walks(weight, graph, 4), edge_dots(query, key, graph)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)


def test_no_pairs():
    graph = subgraphs(np.empty((0, 2), dtype=np.int64))
    pool, z = pool_and_vectors(graph)
    assert pool(z, graph).shape == (0, pool.out_channels)
