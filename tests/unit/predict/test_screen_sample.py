"""The pairs that a screen learns from are candidates, near and far."""

from __future__ import annotations

import numpy as np
import pytest

from graphs import random_rows
from linkwl import Graph
from linkwl.predict.screen_sample import distinct_candidates, random_sources, sample_pairs
from linkwl.sparse.hops import are_joined


@pytest.mark.parametrize("kind", ["undirected", "directed", "bipartite"])
def test_sampled_pairs_are_candidates(kind):
    part = np.arange(2000) % 2 if kind == "bipartite" else None
    rows = random_rows(2000, 4000)
    rows = rows if part is None else rows[part[rows[:, 0]] != part[rows[:, 1]]]
    graph = Graph.from_pairs(rows, 2000, is_directed=kind == "directed", part=part)
    pairs = sample_pairs(graph, np.random.default_rng(0))
    assert len(np.unique(pairs, axis=0)) == len(pairs) > 5000
    assert not graph.has_edges(pairs).any()
    assert (pairs[:, 0] != pairs[:, 1]).all()
    if part is not None:
        assert (part[pairs[:, 0]] != part[pairs[:, 1]]).all()
    links = graph.links
    near = are_joined(links.rowptr, links.col, pairs, 3 if part is not None else 2).mean()
    assert 0.1 < near < 0.9


def test_sources_are_distinct_and_have_weight():
    generator = np.random.default_rng(0)
    weight = np.array([0.0, 1.0, 5.0, 0.0])
    assert sorted(random_sources(np.arange(4), 3, generator, weight=weight)) == [1, 2]
    assert sorted(random_sources(np.arange(4), 9, generator)) == [0, 1, 2, 3]
    assert len(random_sources(np.arange(4), 3, generator, weight=np.zeros(4))) == 0


def test_candidates_are_listed_once():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 4)
    pairs = np.array([(3, 0), (0, 1), (0, 3), (2, 2), (3, 0)])
    assert distinct_candidates(graph, pairs).tolist() == [[0, 3], [3, 0]]
