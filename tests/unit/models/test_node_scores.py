from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.models.node_scores import NODE_SCORES, node_scores


@pytest.fixture(scope="module")
def graph():
    generator = np.random.default_rng(0)
    return Graph.from_pairs(generator.integers(0, 45, (110, 2, 2)).min(axis=2), num_nodes=50)


@pytest.fixture(scope="module")
def expected(graph):
    other = nx.Graph(graph.edges.tolist())
    other.add_nodes_from(range(graph.num_nodes))
    sizes = {v: np.log(len(part)) for part in nx.connected_components(other) for v in part}
    rank = nx.pagerank(other, alpha=0.85, tol=1e-12, max_iter=1000)
    return {
        "degree": dict(other.degree),
        "clustering": nx.clustering(other),
        "core": nx.core_number(other),
        "pagerank": {v: value * graph.num_nodes for v, value in rank.items()},
        "neighbour_degree": nx.average_neighbor_degree(other),
        "component": sizes,
        "triangles": nx.triangles(other),
    }


@pytest.mark.parametrize("name", NODE_SCORES)
def test_networkx(graph, expected, name):
    found = node_scores(graph)[:, NODE_SCORES.index(name)]
    np.testing.assert_allclose(found, [expected[name][v] for v in range(graph.num_nodes)], rtol=1e-4, atol=1e-12)


def test_a_graph_without_edges():
    scores = node_scores(Graph.from_pairs([], num_nodes=3))
    np.testing.assert_allclose(scores, np.tile([0, 0, 0, 1, 0, 0, 0], (3, 1)))
