from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.models import create_model

NETWORKX = {
    "cn": lambda graph, pairs: [(u, v, len(list(nx.common_neighbors(graph, u, v)))) for u, v in pairs],
    "aa": nx.adamic_adar_index,
    "ra": nx.resource_allocation_index,
    "pa": nx.preferential_attachment,
    "jaccard": nx.jaccard_coefficient,
}


@pytest.mark.parametrize("name", NETWORKX)
def test_agrees_with_networkx(name, random_graph, every_pair):
    pairs = every_pair[every_pair[:, 0] != every_pair[:, 1]]
    other = nx.Graph(random_graph.edges.tolist())
    other.add_nodes_from(range(random_graph.num_nodes))
    expected = [score for _, _, score in NETWORKX[name](other, pairs.tolist())]
    np.testing.assert_allclose(create_model(name)(random_graph, pairs), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cn", 2),
        ("aa", 1 / math.log(2) + 1 / math.log(3)),
        ("ra", 1 / 2 + 1 / 3),
        ("pa", 6),
        ("jaccard", 2 / 3),
    ],
)
def test_by_hand(name, expected):
    # 0 and 1 share node 2, of degree 2, and node 3, of degree 3; node 1 also knows node 4.
    graph = Graph.from_pairs([(0, 2), (1, 2), (0, 3), (1, 3), (3, 5), (1, 4)], num_nodes=7)
    assert create_model(name)(graph, [(0, 1)])[0] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "leaf", "isolated"), [("cn", 1, 0), ("aa", 0, 0), ("ra", 1, 0), ("pa", 1, 0), ("jaccard", 1, 0)]
)
def test_a_node_with_itself(name, leaf, isolated):
    """The common neighbour of a leaf with itself is the other leaf, of degree 1: 0 by Adamic and Adar."""
    graph = Graph.from_pairs([(0, 1)], num_nodes=3)
    assert create_model(name)(graph, [(0, 0), (2, 2)]).tolist() == [leaf, isolated]
