from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.models import spectral
from linkwl.models.spectral import leading_adjacency, leading_smoothing, row_products


@pytest.fixture
def graph():
    """Two larger components, three equal paths, and isolated nodes."""
    generator = np.random.default_rng(0)
    parts = [generator.integers(0, 40, (90, 2)), generator.integers(40, 60, (40, 2))]
    paths = [(a + i, a + i + 1) for a in (60, 64, 68) for i in range(3)]
    return Graph.from_pairs(np.concatenate([*parts, paths]), num_nodes=75)


def smoothing(graph):
    root = np.maximum(graph.degree, 1) ** -0.5
    return root[:, None] * graph.to_scipy().toarray() * root


def all_pairs(n):
    return np.stack(np.meshgrid(np.arange(n), np.arange(n)), axis=-1).reshape(-1, 2).astype(np.int32)


@pytest.mark.parametrize("max_dense", [0, 1000])
def test_adjacency_by_dense_eigenvectors(graph, max_dense):
    values, vectors = np.linalg.eigh(graph.to_scipy().toarray())
    kept = np.argsort(-np.abs(values))[:6]
    expected = (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    pairs = all_pairs(75)
    found = leading_adjacency(graph, 6, max_dense).products(pairs)
    np.testing.assert_allclose(found, expected[pairs[:, 0], pairs[:, 1]], atol=1e-9)


@pytest.mark.parametrize("max_dense", [0, 1000])
def test_smoothing_without_its_trivial_part(graph, max_dense):
    values, vectors = np.linalg.eigh(smoothing(graph))
    values, vectors = values[::-1], vectors[:, ::-1]
    num_trivial = int((values > 1 - 1e-9).sum())
    assert num_trivial == 5  # one for each component with edges
    kept = slice(num_trivial, num_trivial + 4)
    expected = (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    pairs = all_pairs(75)
    low_rank = leading_smoothing(graph, 4, max_dense)
    np.testing.assert_allclose(low_rank.values, values[kept])
    np.testing.assert_allclose(low_rank.products(pairs), expected[pairs[:, 0], pairs[:, 1]], atol=1e-9)
    z = vectors[:, kept]
    apart = 75 * np.square(z[pairs[:, 0]] - z[pairs[:, 1]]).sum(axis=1)
    np.testing.assert_allclose(low_rank.distances(pairs), apart, atol=1e-8)


def test_ties_at_the_end_are_left_out(graph):
    paths = Graph.from_pairs([(a + i, a + i + 1) for a in (0, 4, 8) for i in range(3)], num_nodes=12)
    # A path of four nodes has the eigenvalues 1, 1/2, -1/2 and -1, here three times each.
    assert len(leading_smoothing(paths, 2, 100).values) == 0
    np.testing.assert_allclose(leading_smoothing(paths, 3, 100).values, [0.5] * 3)
    np.testing.assert_allclose(leading_smoothing(paths, 9, 100).values, [0.5] * 3)  # of 0, none is kept
    # Of sizes, golden ratios twice per path.
    assert len(leading_adjacency(paths, 5, 100).values) == 0
    assert len(leading_adjacency(paths, 6, 100).values) == 6


@pytest.mark.parametrize("rank", [4, 30, 70])
@pytest.mark.parametrize("most_branching", [-1, 2000], ids=["polynomial", "inverse"])
def test_all_ways_find_the_same(graph, rank, most_branching, monkeypatch):
    monkeypatch.setattr(spectral, "_MOST_BRANCHING", most_branching)
    pairs = all_pairs(75)
    dense, found = leading_smoothing(graph, rank, 75), leading_smoothing(graph, rank, 0)
    np.testing.assert_allclose(found.values, dense.values, atol=1e-12)
    np.testing.assert_allclose(found.products(pairs), dense.products(pairs), atol=1e-9)


def test_few_eigenvalues_are_positive(monkeypatch):
    stars = Graph.from_pairs([(10 * a, 10 * a + i) for a in range(8) for i in range(1, 10)] + [(0, 10)], num_nodes=80)
    monkeypatch.setattr(spectral, "_MOST_BRANCHING", -1)
    dense, found = leading_smoothing(stars, 20, 80), leading_smoothing(stars, 20, 0)
    assert len(dense.values) == 1
    np.testing.assert_allclose(found.values, dense.values, atol=1e-12)


def test_nodes_where_trees_and_chains_meet_do_not_branch():
    ring = [(i, (i + 1) % 6) for i in range(6)]
    assert spectral._num_branching(Graph.from_pairs([*ring, (0, 6), (6, 7), (6, 8)], num_nodes=9)) == 0
    assert spectral._num_branching(Graph.from_pairs([*ring, (0, 3), (1, 6)], num_nodes=7)) == 2


@pytest.mark.parametrize("num_nodes", [1, 2, 5])
def test_graphs_without_edges(num_nodes):
    graph = Graph.from_pairs([], num_nodes=num_nodes)
    pairs = np.array([(0, num_nodes - 1)], dtype=np.int32)
    for low_rank in (leading_adjacency(graph, 4, 100), leading_smoothing(graph, 4, 100)):
        assert low_rank.products(pairs).tolist() == low_rank.distances(pairs).tolist() == [0]


def test_row_products():
    z = np.random.default_rng(0).normal(size=(20, 7))
    pairs = all_pairs(20)
    found = row_products(z, pairs)
    np.testing.assert_allclose(found, (z @ z.T)[pairs[:, 0], pairs[:, 1]], rtol=1e-12)
    np.testing.assert_array_equal(row_products(z, pairs[:, ::-1]), found)
    np.testing.assert_array_equal(row_products(z, pairs[7:8]), found[7:8])
