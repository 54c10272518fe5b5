from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.nn.weighted_walks import EdgeValues, WeightedWalks, weighted_channels

NUM_NODES = 20


def some_values(num_edges, seed=0):
    """Two weights of random edges, and three numbers of each node; the last node has no edge."""
    generator = np.random.default_rng(seed)
    pairs = generator.integers(0, NUM_NODES - 1, (num_edges, 2))
    first, second = (
        Graph.from_pairs(pairs, NUM_NODES, weight=generator.uniform(0.1, 5, num_edges), merge="last") for _ in range(2)
    )
    value = np.stack([first.weight, second.weight], axis=1)
    return EdgeValues(first.rowptr, first.col, value, generator.normal(size=(NUM_NODES, 3)))


def all_pairs():
    return np.stack(np.meshgrid(np.arange(NUM_NODES), np.arange(NUM_NODES)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize(("num_edges", "steps"), [(0, 4), (1, 2), (40, 3), (40, 9), (120, 4)])
def test_powers_of_a_dense_matrix(num_edges, steps):
    values, pairs = some_values(num_edges), all_pairs()
    found = WeightedWalks(values, steps).at(pairs)
    assert found.shape == (len(pairs), weighted_channels(2, 3, steps))
    lengths = min(steps, 4) - 1
    row = np.repeat(np.arange(NUM_NODES), np.diff(values.rowptr))
    for k in range(2):
        w = np.zeros((NUM_NODES, NUM_NODES))
        w[row, values.col] = values.value[:, k]
        total = np.where(w.any(axis=1), w.sum(axis=1), 1.0)
        s = w / np.sqrt(np.outer(total, total))
        for length in range(lengths):
            walks = np.linalg.matrix_power(s, length + 2)[pairs[:, 0], pairs[:, 1]]
            np.testing.assert_allclose(found[:, k * lengths + length], np.log(walks + 1e-7), atol=1e-9)
    ends = values.node[pairs]
    np.testing.assert_array_equal(found[:, 2 * lengths : 2 * lengths + 3], ends.min(axis=1))
    np.testing.assert_array_equal(found[:, 2 * lengths + 3 :], ends.max(axis=1))


def test_the_order_of_a_pair_does_not_matter():
    walks, pairs = WeightedWalks(some_values(60), 4), all_pairs()
    np.testing.assert_array_equal(walks.at(pairs), walks.at(pairs[:, ::-1]))
