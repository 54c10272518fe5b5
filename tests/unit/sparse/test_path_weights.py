from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.path_weights import shared_weights, three_step_weights, two_step_weights

NUM_NODES = 30


def weighted_graph(num_edges, *, is_directed=False):
    generator = np.random.default_rng(num_edges)
    pairs = generator.integers(0, NUM_NODES - 3, (num_edges, 2))
    weight = generator.uniform(0.1, 5, num_edges)
    return Graph.from_pairs(pairs, NUM_NODES, weight=weight, is_directed=is_directed)


def all_pairs():
    return np.stack(np.meshgrid(np.arange(NUM_NODES), np.arange(NUM_NODES)), axis=-1).reshape(-1, 2).astype(np.int32)


def dense(graph):
    a = graph.to_scipy().toarray()
    w = a.copy()
    w[a > 0] = graph.weight
    return a, w


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("num_edges", [0, 1, 60, 400])
def test_two_steps(num_edges, is_directed):
    graph, pairs = weighted_graph(num_edges, is_directed=is_directed), all_pairs()
    turned = graph.reversed
    arriving = (turned.rowptr, turned.col, turned.weight) if is_directed else None
    scale = np.random.default_rng(1).uniform(0.1, 2, NUM_NODES)
    (a, w), f = dense(graph), np.diag(scale)
    p, q = pairs.T
    found = two_step_weights(graph.rowptr, graph.col, graph.weight, pairs, scale, arriving=arriving)
    np.testing.assert_allclose(found, ((w @ f @ a + a @ f @ w) / 2)[p, q], rtol=1e-12)
    found = shared_weights(graph.rowptr, graph.col, graph.weight, pairs, arriving=arriving)
    np.testing.assert_allclose(found, np.minimum(w[p], w.T[q]).sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("num_edges", [0, 1, 60, 400])
def test_three_steps(num_edges):
    graph, pairs = weighted_graph(num_edges), all_pairs()
    scale = np.random.default_rng(1).uniform(0.1, 2, NUM_NODES)
    (a, w), f = dense(graph), np.diag(scale)
    expected = sum(x @ f @ y @ f @ z for x, y, z in ((w, a, a), (a, w, a), (a, a, w))) / 3
    found = three_step_weights(graph.rowptr, graph.col, graph.weight, pairs, scale)
    np.testing.assert_allclose(found, expected[pairs[:, 0], pairs[:, 1]], rtol=1e-12)


def test_the_order_of_a_pair_does_not_matter():
    graph, pairs = weighted_graph(120), all_pairs()
    rows, scale = (graph.rowptr, graph.col, graph.weight), np.random.default_rng(1).uniform(0.1, 2, NUM_NODES)
    for function, arguments in ((two_step_weights, (scale,)), (three_step_weights, (scale,)), (shared_weights, ())):
        np.testing.assert_array_equal(
            function(*rows, pairs, *arguments), function(*rows, pairs[:, ::-1].copy(), *arguments)
        )
