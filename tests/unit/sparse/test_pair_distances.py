from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.pair_distances import pair_distances


def all_pairs(n):
    return np.stack(np.meshgrid(np.arange(n), np.arange(n)), axis=-1).reshape(-1, 2).astype(np.int32)


def expected(graph, pairs):
    other = nx.Graph(graph.edges.tolist())
    other.add_nodes_from(range(graph.num_nodes))
    lengths = dict(nx.all_pairs_shortest_path_length(other))
    return [lengths[p].get(q, -1) for p, q in pairs.tolist()]


@pytest.mark.parametrize("num_edges", [0, 1, 25, 60, 300])
def test_networkx(num_edges):
    generator = np.random.default_rng(num_edges)
    graph = Graph.from_pairs(generator.integers(0, 37, (num_edges, 2)), num_nodes=40)
    pairs = all_pairs(40)
    assert pair_distances(graph.rowptr, graph.col, pairs).tolist() == expected(graph, pairs)


def test_a_long_path():
    graph = Graph.from_pairs([(i, i + 1) for i in range(49)], num_nodes=50)
    pairs = all_pairs(50)
    np.testing.assert_array_equal(pair_distances(graph.rowptr, graph.col, pairs), np.abs(pairs[:, 0] - pairs[:, 1]))
