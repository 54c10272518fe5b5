from __future__ import annotations

import numpy as np

from graphs import random_rows
from linkwl.graph import Graph
from linkwl.sparse.edge_products import edge_products, edge_products_gradient
from linkwl.sparse.pair_subgraphs import pair_subgraphs


def subgraphs(num_pairs=10, seed=0):
    graph = Graph.from_pairs(random_rows(27, 60, seed), 30)
    found = pair_subgraphs(graph.rowptr, graph.col, np.random.default_rng(seed).integers(0, 30, (num_pairs, 2)), 2)
    return found.node_ptr, found.rowptr, found.col


def test_products_and_gradients_are_those_of_gathered_vectors():
    arrays = subgraphs()
    _, rowptr, col = arrays
    row = np.repeat(np.arange(len(rowptr) - 1), np.diff(rowptr))
    generator = np.random.default_rng(1)
    query, key = generator.normal(size=(2, len(rowptr) - 1, 3, 5))
    found = edge_products(*arrays, query, key)
    np.testing.assert_allclose(found, (query[row] * key[col]).sum(-1), rtol=1e-10)
    grad = generator.normal(size=found.shape)
    by_query, by_key = np.zeros_like(query), np.zeros_like(key)
    np.add.at(by_query, row, grad[:, :, None] * key[col])
    np.add.at(by_key, col, grad[:, :, None] * query[row])
    for one, other in zip(edge_products_gradient(*arrays, query, key, grad), (by_query, by_key), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10)


def test_several_threads_find_the_same(monkeypatch):
    arrays = subgraphs(600)
    query, key = np.random.default_rng(1).normal(size=(2, len(arrays[1]) - 1, 2, 16)).astype(np.float32)
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        found = edge_products(*arrays, query, key)
        results.append((found, *edge_products_gradient(*arrays, query, key, found)))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)


def test_no_subgraphs():
    zero, none = np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64)
    assert edge_products(zero, zero, none, np.empty((0, 2, 4)), np.empty((0, 2, 4))).shape == (0, 2)
