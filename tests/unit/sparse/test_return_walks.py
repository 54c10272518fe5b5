from __future__ import annotations

import numpy as np
import pytest

from graphs import random_rows
from linkwl.graph import Graph
from linkwl.sparse.pair_subgraphs import pair_subgraphs
from linkwl.sparse.return_walks import first_returns, first_returns_gradient


def subgraphs(num_pairs=12, hops=2, seed=0):
    graph = Graph.from_pairs(random_rows(27, 60, seed), 30)
    pairs = np.concatenate([graph.edges[: num_pairs // 2], np.random.default_rng(seed).integers(0, 30, (num_pairs, 2))])
    pairs = np.concatenate([pairs, [(28, 29), (3, 3), (29, 29)]])
    found = pair_subgraphs(graph.rowptr, graph.col, pairs, hops)
    first = found.node_ptr[:-1]
    ends = np.stack([first, first + (pairs[:, 0] != pairs[:, 1])], axis=1)
    return found.node_ptr, ends, found.rowptr, found.col


def plain(node_ptr, ends, rowptr, col, weight, length):
    """Powers of the matrix between the other nodes."""
    out = np.zeros((len(ends), weight.shape[1], length, 2, 2))
    row = np.repeat(np.arange(len(rowptr) - 1), np.diff(rowptr))
    for k, (start, stop) in enumerate(zip(node_ptr, node_ptr[1:], strict=False)):
        entries = slice(rowptr[start], rowptr[stop])
        for head in range(weight.shape[1]):
            matrix = np.zeros((stop - start, stop - start))
            matrix[row[entries] - start, col[entries] - start] = weight[entries, head]
            at = ends[k] - start
            rest = np.setdiff1d(np.arange(stop - start), at)
            out[k, head, 0] = matrix[np.ix_(at, at)]
            power = np.eye(len(rest))
            for t in range(1, length):
                out[k, head, t] = matrix[np.ix_(at, rest)] @ power @ matrix[np.ix_(rest, at)]
                power = power @ matrix[np.ix_(rest, rest)]
    return out


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("hops", [1, 2])
def test_returns_are_those_of_matrix_powers(hops, length):
    arrays = subgraphs(hops=hops)
    weight = np.random.default_rng(1).random((len(arrays[-1]), 3))
    np.testing.assert_allclose(first_returns(*arrays, weight, length), plain(*arrays, weight, length), rtol=1e-10)


def test_by_hand():
    """0 - 2 - 1, 2 - 3: the walks 0-2-1, 0-2-0 and 0-2-3-2-1."""
    rowptr, col = np.array([0, 1, 2, 5, 6]), np.array([2, 2, 0, 1, 3, 2])
    weight = np.array([[2.0], [3.0], [5.0], [7.0], [0.5], [11.0]])
    found = first_returns(np.array([0, 4]), np.array([(0, 1)]), rowptr, col, weight, 4)[0, 0]
    np.testing.assert_allclose(found[1], [[2 * 5, 2 * 7], [3 * 5, 3 * 7]])
    np.testing.assert_allclose(found[[0, 2]], 0)
    np.testing.assert_allclose(found[3], found[1] * 0.5 * 11)


def test_the_gradient_is_that_of_small_changes():
    arrays = subgraphs(num_pairs=4)
    generator = np.random.default_rng(2)
    weight, change = generator.random((2, len(arrays[-1]), 2))
    grad = generator.normal(size=first_returns(*arrays, weight, 4).shape)

    def objective(step):
        return (grad * first_returns(*arrays, weight + step * change, 4)).sum()

    expected = (objective(1e-5) - objective(-1e-5)) / 2e-5
    np.testing.assert_allclose((first_returns_gradient(*arrays, weight, grad) * change).sum(), expected, rtol=1e-7)


def test_several_threads_find_the_same(monkeypatch):
    arrays = subgraphs(num_pairs=1500)
    weight = np.random.default_rng(1).random((len(arrays[-1]), 2)).astype(np.float32)
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        found = first_returns(*arrays, weight, 4)
        results.append((found, first_returns_gradient(*arrays, weight, found)))
    for one, other in zip(*results, strict=True):
        assert one.dtype == np.float32
        np.testing.assert_array_equal(one, other)


def test_no_pairs():
    none = np.empty(0, dtype=np.int64)
    arrays = np.zeros(1, dtype=np.int64), none.reshape(0, 2), np.zeros(1, dtype=np.int64), none
    assert first_returns(*arrays, np.empty((0, 2)), 3).shape == (0, 2, 3, 2, 2)
