from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.models.baselines.walk_vectors import WalkVectorsConfig, walk_memory, walk_vectors

QUICK = WalkVectorsConfig(channels=8, walks=20, length=20, window=3)


def cliques() -> Graph:
    """Two cliques of six nodes with one edge between them, and an isolated node."""
    edges = [(part + i, part + j) for part in (0, 6) for i in range(6) for j in range(i)]
    return Graph.from_pairs([*edges, (0, 6)], num_nodes=13)


def test_nodes_of_one_clique_have_nearer_vectors():
    z = walk_vectors(cliques(), WalkVectorsConfig(channels=8, walks=20, length=40, epochs=20), np.random.default_rng(0))
    unit = z[:12] / np.linalg.norm(z[:12], axis=1, keepdims=True)
    products = unit @ unit.T
    assert products[1:6, 1:6].mean() > products[1:6, 7:12].mean() + 0.1


def test_nodes_without_edges_get_the_mean_of_the_others():
    z = walk_vectors(cliques(), QUICK, np.random.default_rng(0))
    assert (z.shape, z.dtype) == ((13, 8), np.float32)
    np.testing.assert_allclose(z[12], z[:12].mean(axis=0), rtol=1e-5)


def test_a_graph_without_edges_has_vectors():
    assert np.isfinite(walk_vectors(Graph.from_pairs([], num_nodes=3), QUICK, np.random.default_rng(0))).all()


def test_the_generator_is_all_that_they_depend_on():
    first, same, other = (walk_vectors(cliques(), QUICK, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)


def test_memory_is_that_of_walks_and_two_vectors():
    assert walk_memory(100, QUICK) == 4 * 100 * (20 * 20 + 2 * 8)
