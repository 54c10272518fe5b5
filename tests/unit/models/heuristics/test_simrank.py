from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.models.heuristics import SimRank, SimRankConfig


def definition(graph, gamma, iterations):
    adjacency = graph.to_scipy().toarray()
    walk = adjacency / np.maximum(adjacency.sum(axis=0), 1)  # N
    identity = similarity = np.eye(graph.num_nodes)
    for _ in range(iterations):
        similarity = np.maximum(gamma * walk.T @ similarity @ walk, identity)
    return similarity


@pytest.mark.parametrize(("gamma", "iterations"), [(0.8, 5), (0.8, 1), (0.8, 2), (0.5, 8), (0.99, 20)])
def test_agrees_with_the_definition(gamma, iterations, random_graph, every_pair):
    scores = SimRank(SimRankConfig(gamma=gamma, iterations=iterations))(random_graph, every_pair)
    np.testing.assert_allclose(scores, definition(random_graph, gamma, iterations).ravel(), rtol=1e-9, atol=1e-15)


def test_agrees_with_networkx(random_graph, every_pair):
    """networkx iterates until little changes, relative to 1e-5; a small gamma brings both near the limit."""
    other = nx.Graph(random_graph.edges.tolist())
    expected = nx.simrank_similarity(other, importance_factor=0.3, tolerance=1e-9)
    pairs = np.array([(p, q) for p, q in every_pair.tolist() if p in other and q in other])
    scores = SimRank(SimRankConfig(gamma=0.3, iterations=20))(random_graph, pairs)
    np.testing.assert_allclose(scores, [expected[p][q] for p, q in pairs.tolist()], atol=1e-7)


def test_star_by_hand():
    # Two leaves share their only neighbour: gamma at once, and for good. Hub and leaf never meet.
    star = Graph.from_pairs([(0, 1), (0, 2), (0, 3)], num_nodes=5)
    scores = SimRank()(star, [(1, 2), (0, 1), (1, 1), (4, 4), (1, 4)])
    np.testing.assert_allclose(scores, [0.8, 0, 1, 1, 0], rtol=1e-14)


def test_describe_tells_the_method():
    graph = Graph.from_pairs([(0, 1)], num_nodes=2)
    assert SimRank().describe(graph) == "exact, walks from 64 sources at a time"
