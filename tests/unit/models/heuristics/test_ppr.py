from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.models.heuristics import PersonalisedPageRank, PersonalisedPageRankConfig


class PageRankBySeries(PersonalisedPageRank):
    max_dense_nodes = 0
    tolerance = 1e-12


BOTH = pytest.mark.parametrize("model", [PersonalisedPageRank, PageRankBySeries])


def definition(graph, alpha):
    adjacency = graph.to_scipy().toarray()
    transition = adjacency / np.maximum(adjacency.sum(axis=1, keepdims=True), 1)
    rank = (1 - alpha) * np.linalg.inv(np.eye(graph.num_nodes) - alpha * transition.T)  # column i is pi_i
    return rank + rank.T


@BOTH
@pytest.mark.parametrize("alpha", [0.05, 0.85, 0.99])
def test_agrees_with_the_definition(model, alpha, random_graph, every_pair):
    scores = model(PersonalisedPageRankConfig(alpha=alpha))(random_graph, every_pair)
    np.testing.assert_allclose(scores, definition(random_graph, alpha).ravel(), atol=1e-11)


def test_series_and_factorisation_agree(random_graph, every_pair):
    dense, series = PersonalisedPageRank()(random_graph, every_pair), PageRankBySeries()(random_graph, every_pair)
    np.testing.assert_allclose(series, dense, rtol=1e-9)
    np.testing.assert_array_equal(series == 0, dense == 0)


def test_far_pairs_are_as_accurate_as_near_ones():
    path = Graph.from_pairs([(v, v + 1) for v in range(199)], num_nodes=200)
    pairs = [(0, v) for v in range(1, 200, 9)]
    dense, series = PersonalisedPageRank(), PageRankBySeries()
    dense_scores = dense(path, pairs)
    assert dense.describe(path) == "exact, dense Cholesky"
    quicker = type("Default", (PersonalisedPageRank,), {"max_dense_nodes": 0})()
    np.testing.assert_allclose(quicker(path, pairs), dense_scores, rtol=PersonalisedPageRank.tolerance)
    assert dense_scores[-1] < 1e-40
    np.testing.assert_allclose(series(path, pairs), dense_scores, rtol=1e-9)


@BOTH
def test_agrees_with_networkx(model):
    ring = nx.connected_watts_strogatz_graph(30, 4, 0.3, seed=0)
    pairs = [(0, 1), (0, 17), (5, 29)]
    rank = {v: nx.pagerank(ring, alpha=0.85, personalization={v: 1}, tol=1e-14, max_iter=1000) for v in ring}
    expected = [rank[p][q] + rank[q][p] for p, q in pairs]
    scores = model()(Graph.from_pairs(list(ring.edges), num_nodes=30), pairs)
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


@BOTH
def test_single_edge_by_hand(model):
    # At the start after an even number of steps: (1 - a) / (1 - a^2) = 2/3 at a = 1/2; else at the other end.
    graph = Graph.from_pairs([(0, 1)], num_nodes=4)
    scores = model(PersonalisedPageRankConfig(alpha=0.5))(graph, [(0, 1), (0, 0), (0, 2), (2, 3), (2, 2)])
    np.testing.assert_allclose(scores, [2 / 3, 4 / 3, 0, 0, 1], rtol=1e-11)


def test_describe_tells_the_method():
    graph = Graph.from_pairs([(0, 1)], num_nodes=2)
    assert PersonalisedPageRank().describe(graph) == "exact, dense Cholesky"
    assert PageRankBySeries().describe(graph) == "power series to 1e-12, 64 sources at a time"
