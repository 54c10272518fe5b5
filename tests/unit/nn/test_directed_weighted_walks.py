from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.nn.directed_weighted_walks import DirectedValues, DirectedWeightedWalks, directed_weighted_channels
from linkwl.sparse.directed_walks import patterns

N = 18


def weights(num_edges, seed=0):
    """Two dense matrices of weights of the same directed edges, and their compressed rows; the last node has none."""
    generator = np.random.default_rng(seed)
    graph = Graph.from_pairs(generator.integers(0, N - 1, (num_edges, 2)), N, is_directed=True)
    value = generator.uniform(0.1, 5, (graph.num_edges, 2))
    dense = np.zeros((2, N, N))
    dense[:, graph.edges[:, 0], graph.edges[:, 1]] = value.T
    return dense, DirectedValues(graph.rowptr, graph.col, value)


def root(total):
    return 1 / np.sqrt(np.where(total > 0, total, 1))


@pytest.mark.parametrize(("num_edges", "steps"), [(0, 3), (1, 2), (40, 2), (40, 7), (120, 3)])
def test_products_of_dense_matrices(num_edges, steps):
    dense, values = weights(num_edges)
    pairs = np.stack(np.meshgrid(np.arange(N), np.arange(N)), axis=-1).reshape(-1, 2)
    found = DirectedWeightedWalks(values, steps).at(pairs)
    assert found.shape == (len(pairs), directed_weighted_channels(2, steps))
    expected, reverse, sums = [], [], []
    for w in dense:
        s = root(w.sum(1))[:, None] * w * root(w.sum(0))
        for pattern in patterns(min(steps, 3)):
            walk = np.linalg.multi_dot([np.eye(N), *(s if sign == "+" else s.T for sign in pattern)])
            expected.append(np.log(walk + 1e-7)[pairs[:, 0], pairs[:, 1]])
        reverse.append(np.log(s + 1e-7)[pairs[:, 1], pairs[:, 0]])
        sums += [np.log1p(w.sum(1)), np.log1p(w.sum(0))]
    ends = [total[pairs[:, k]] for k in (0, 1) for total in sums]
    np.testing.assert_allclose(found, np.stack([*expected, *reverse, *ends], axis=1), atol=1e-9)


def test_directions_make_a_difference():
    _, values = weights(60)
    walks, pairs = DirectedWeightedWalks(values, 3), np.array([(0, 3), (5, 2)])
    assert (walks.at(pairs) != walks.at(pairs[:, ::-1])).any()
