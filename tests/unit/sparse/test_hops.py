from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.hops import are_joined, pairs_within


def random_graph(num_nodes=40, num_rows=45, seed=0):
    ends = np.random.default_rng(seed).integers(0, num_nodes, (num_rows, 2))
    return Graph.from_pairs(ends, num_nodes)


@pytest.mark.parametrize("hops", [1, 2, 3, 60])
def test_pairs_within_are_those_of_networkx(hops):
    graph = random_graph()
    nodes = np.array([7, 3, 20, 0])
    pairs, taken = pairs_within(graph.rowptr, graph.col, nodes, hops, 1 << 30)
    lengths = dict(nx.all_pairs_shortest_path_length(nx.Graph(graph.edges.tolist()), hops))
    expected = [[p, q] for p in nodes for q in range(p + 1, 40) if 2 <= lengths.get(p, {}).get(q, 0) <= hops]
    assert pairs.tolist() == expected
    assert taken == len(nodes)
    assert pairs.dtype == np.int32


def test_nodes_are_taken_until_there_are_enough_pairs():
    star = Graph.from_pairs([(0, leaf) for leaf in range(1, 11)], 11)
    pairs, taken = pairs_within(star.rowptr, star.col, np.arange(11), 2, 12)
    assert taken == 3  # the hub has none, its first leaf 9, its second 8
    assert len(pairs) == 17
    assert pairs_within(star.rowptr, star.col, np.arange(11), 2, 0)[1] == 0


@pytest.mark.parametrize("hops", [2, 3, 60])
def test_joined_pairs_are_those_with_a_path_beside_their_edge(hops):
    graph = random_graph()
    pairs = np.array([(p, q) for p in range(40) for q in range(40) if p != q])
    expected = []
    for p, q in pairs.tolist():
        other = nx.Graph(graph.edges.tolist())
        other.add_nodes_from(range(40))
        if other.has_edge(p, q):
            other.remove_edge(p, q)
        expected.append(q in nx.single_source_shortest_path_length(other, p, hops))
    assert are_joined(graph.rowptr, graph.col, pairs, hops).tolist() == expected


def test_an_edge_alone_joins_nothing():
    graph = Graph.from_pairs([(0, 1), (2, 3), (3, 4), (2, 4)], 5)
    assert are_joined(graph.rowptr, graph.col, np.array([(0, 1), (2, 3)]), 4).tolist() == [False, True]
