from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from linkwl import Graph
from linkwl.reports.inspection import inspect_graph


def test_a_graph_counted_by_hand():
    graph = Graph.from_pairs([(0, 1), (1, 0), (1, 2), (1, 2), (3, 3), (4, 5)], 7, name="small")
    found = inspect_graph(graph)
    assert (found.nodes, found.edges, found.isolated_nodes) == (7, 3, 2)
    assert (found.components, found.largest_component) == (4, 3)
    assert (found.mean_degree, found.max_degree) == (6 / 7, 2)
    facts = found.facts()
    assert facts["nodes"] == "7 (numbered 0 to 6)"
    assert facts["dropped"] == "1 self-loops (their nodes stay)"
    assert facts["merged"] == "1 repeated rows, 1 edges listed both ways"


def test_a_node_with_incoming_edges_only_is_not_isolated():
    found = inspect_graph(Graph.from_pairs([(0, 1), (0, 2)], 4, is_directed=True))
    assert (found.isolated_nodes, found.components) == (1, 2)
    assert found.facts()["edges"] == "2 directed"
    assert found.facts()["degree"] == "0.50 out and in on average, at most 2 out, 1 in"


def test_features_are_described():
    graph = Graph.from_pairs([(0, 1)], 2)
    dense = graph.with_features(np.ones((2, 3), dtype=np.float32))
    sparse = graph.with_features(sp.csr_array(np.eye(2, dtype=np.float32)))
    assert inspect_graph(graph).features == "none"
    assert inspect_graph(dense).features == "3 per node"
    assert inspect_graph(sparse).features == "2 per node, sparse, 2 values"
