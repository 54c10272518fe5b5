from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.short_walks import short_walks

NUM_NODES = 30


def random_graph(num_edges, seed=0):
    generator = np.random.default_rng(seed)
    return Graph.from_pairs(generator.integers(0, NUM_NODES - 3, (num_edges, 2)), num_nodes=NUM_NODES)


def all_pairs():
    return np.stack(np.meshgrid(np.arange(NUM_NODES), np.arange(NUM_NODES)), axis=-1).reshape(-1, 2).astype(np.int32)


@pytest.mark.parametrize("num_edges", [0, 1, 60, 400])
def test_dense_products(num_edges):
    graph, pairs = random_graph(num_edges), all_pairs()
    weights = np.random.default_rng(1).uniform(0.1, 2, (NUM_NODES, 3))
    found = short_walks(graph.rowptr, graph.col, pairs, weights)
    a = graph.to_scipy().toarray()
    for k in range(3):
        power = a
        for length in range(3):
            power = power @ np.diag(weights[:, k]) @ a
            np.testing.assert_allclose(found[:, length, k], power[pairs[:, 0], pairs[:, 1]], rtol=1e-12)


def test_triangle_with_a_tail():
    graph = Graph.from_pairs([(0, 1), (1, 2), (0, 2), (2, 3)], num_nodes=4)
    walks = short_walks(graph.rowptr, graph.col, np.array([(0, 3)], dtype=np.int32), np.ones((4, 1)))
    # 0-2-3; 0-1-2-3; 0-1-0-2-3, 0-2-0-2-3, 0-2-1-2-3, 0-2-3-2-3.
    assert walks[0, :, 0].tolist() == [1, 1, 4]


def test_the_bits_depend_on_nothing_but_the_pair(monkeypatch):
    graph, pairs = random_graph(150), all_pairs()
    weights = np.random.default_rng(1).uniform(0.1, 2, (NUM_NODES, 2))
    together = short_walks(graph.rowptr, graph.col, pairs, weights)
    np.testing.assert_array_equal(short_walks(graph.rowptr, graph.col, pairs[:, ::-1], weights), together)
    for i in range(0, len(pairs), 97):
        alone = short_walks(graph.rowptr, graph.col, pairs[i : i + 1], weights)
        np.testing.assert_array_equal(alone[0], together[i])
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    np.testing.assert_array_equal(short_walks(graph.rowptr, graph.col, pairs, weights), together)


def test_no_pairs():
    graph = random_graph(20)
    empty = np.empty((0, 2), dtype=np.int32)
    assert short_walks(graph.rowptr, graph.col, empty, np.ones((NUM_NODES, 2))).shape == (0, 3, 2)
