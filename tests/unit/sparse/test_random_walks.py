from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import reference
from linkwl.sparse.random_walks import random_walks

# Two triangles with a common node, a path from it, and an isolated node.
GRAPH = Graph.from_pairs([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (2, 5), (5, 6)], num_nodes=8)


def walks_from(sources, length=20, graph=GRAPH, **options):
    return random_walks(graph.rowptr, graph.col, np.asarray(sources), length, **{"seed": 0} | options)


@pytest.mark.parametrize(("p", "q"), [(1.0, 1.0), (0.25, 1.0), (4.0, 0.5), (0.5, 2.0), (1.0, 3.0)])
def test_steps_have_the_exact_probabilities(p, q):
    walks = walks_from(np.tile(np.arange(7), 1000), p=p, q=q)
    steps = Counter(zip(*(walks[:, k : k + walks.shape[1] - 2].reshape(-1).tolist() for k in range(3)), strict=True))
    for before, node in {key[:2] for key in steps}:
        expected = reference.walk_probabilities(GRAPH.rowptr, GRAPH.col, before, node, p=p, q=q)
        counts = np.array([steps[before, node, x] for x in expected])
        share = np.array(list(expected.values()))
        total = counts.sum()
        assert np.abs(counts - total * share).max() < 5 * np.sqrt(total / 4) + 1  # five standard deviations


def test_first_steps_are_uniform():
    walks = walks_from(np.full(8000, 2), length=2, p=0.25, q=4.0)
    counts = np.bincount(walks[:, 1], minlength=8)
    assert set(np.flatnonzero(counts)) == set(GRAPH.neighbours(2).tolist())
    assert np.abs(counts[counts > 0] - 1600).max() < 200


def test_walks_follow_edges_and_start_at_their_sources():
    sources = np.random.default_rng(0).integers(0, 7, 50)
    walks = walks_from(sources, p=2.0, q=0.5)
    assert (walks[:, 0] == sources).all()
    assert GRAPH.has_edges(np.stack([walks[:, :-1], walks[:, 1:]], axis=2).reshape(-1, 2)).all()


def test_a_walk_ends_where_there_is_no_neighbour():
    assert walks_from([7], length=4).tolist() == [[7, -1, -1, -1]]
    directed = Graph.from_pairs([(0, 1), (1, 2)], num_nodes=3, is_directed=True)
    assert walks_from([0, 2], length=5, graph=directed).tolist() == [[0, 1, 2, -1, -1], [2, -1, -1, -1, -1]]
    assert walks_from([], length=5).shape == (0, 5)


def test_several_threads_walk_the_same_way(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    several = walks_from(np.tile(np.arange(8), 400), p=0.5, q=2.0)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    np.testing.assert_array_equal(walks_from(np.tile(np.arange(8), 400), p=0.5, q=2.0), several)


def test_walks_differ_by_seed_and_place():
    walks = walks_from(np.full(100, 2))
    assert len(np.unique(walks, axis=0)) > 95
    assert (walks_from(np.full(100, 2), seed=1) != walks).any(axis=1).mean() > 0.9
