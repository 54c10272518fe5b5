from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.cores import core_numbers


@pytest.mark.parametrize("num_edges", [0, 1, 30, 100, 600])
def test_networkx(num_edges):
    generator = np.random.default_rng(num_edges)
    graph = Graph.from_pairs(generator.integers(0, 45, (num_edges, 2, 2)).min(axis=2), num_nodes=50)
    other = nx.Graph(graph.edges.tolist())
    other.add_nodes_from(range(50))
    found = nx.core_number(other)
    assert core_numbers(graph.rowptr, graph.col).tolist() == [found[v] for v in range(50)]


def test_a_clique_with_a_tail():
    clique = [(i, j) for i in range(5) for j in range(i)]
    graph = Graph.from_pairs([*clique, (4, 5), (5, 6)], num_nodes=8)
    assert core_numbers(graph.rowptr, graph.col).tolist() == [4, 4, 4, 4, 4, 1, 1, 0]
