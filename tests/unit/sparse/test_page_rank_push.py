from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.page_rank_push import page_rank_push

NUM_NODES = 40


@pytest.fixture
def graph():
    generator = np.random.default_rng(0)
    return Graph.from_pairs(generator.integers(0, NUM_NODES - 4, (70, 2)), num_nodes=NUM_NODES)


def all_pairs():
    return np.stack(np.meshgrid(np.arange(NUM_NODES), np.arange(NUM_NODES)), axis=-1).reshape(-1, 2).astype(np.int32)


def dense(graph, alpha):
    """Row p is the distribution of the walks from p."""
    a = graph.to_scipy().toarray()
    steps = a / np.maximum(a.sum(axis=1, keepdims=True), 1)
    return (1 - alpha) * np.linalg.inv(np.eye(graph.num_nodes) - alpha * steps)


@pytest.mark.parametrize("alpha", [0.3, 0.85])
def test_a_small_epsilon_gives_the_inverse(graph, alpha):
    pairs = all_pairs()
    found = page_rank_push(graph.rowptr, graph.col, pairs, alpha, 1e-14)
    np.testing.assert_allclose(found, dense(graph, alpha)[pairs[:, 0], pairs[:, 1]], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("epsilon", [1e-2, 1e-3, 1e-5])
def test_the_error_is_bounded(graph, epsilon):
    pairs = all_pairs()
    found = page_rank_push(graph.rowptr, graph.col, pairs, 0.85, epsilon)
    missing = dense(graph, 0.85)[pairs[:, 0], pairs[:, 1]] - found
    assert missing.min() > -1e-12
    assert (missing <= epsilon * np.maximum(graph.degree[pairs[:, 1]], 1) + 1e-12).all()
    assert missing.max() > epsilon / 1000  # it does stop early


def test_the_bits_depend_on_nothing_but_the_pair(graph, monkeypatch):
    pairs = all_pairs()
    together = page_rank_push(graph.rowptr, graph.col, pairs, 0.85, 1e-4)
    for i in range(0, len(pairs), 173):
        assert page_rank_push(graph.rowptr, graph.col, pairs[i : i + 1], 0.85, 1e-4)[0] == together[i]
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    np.testing.assert_array_equal(page_rank_push(graph.rowptr, graph.col, pairs, 0.85, 1e-4), together)


def test_isolated_nodes(graph):
    last = NUM_NODES - 1
    found = page_rank_push(graph.rowptr, graph.col, np.array([(last, last), (last, 0), (0, last)]), 0.85, 1e-5)
    np.testing.assert_allclose(found, [0.15, 0, 0])
