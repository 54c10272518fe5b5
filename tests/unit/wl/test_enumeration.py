from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.graph.node_ids import NodeIds
from linkwl.wl.enumeration import all_graphs, canonical_form


@pytest.mark.parametrize(
    ("num_nodes", "count"),
    [*enumerate([1, 1, 2, 4, 11, 34, 156, 1044]), pytest.param(8, 12346, marks=pytest.mark.thorough)],
)
def test_the_number_of_graphs_is_the_known_one(num_nodes, count):
    graphs = all_graphs(num_nodes)
    assert len(graphs) == len({graph.name for graph in graphs}) == count


@pytest.mark.thorough
def test_the_atlas_of_graphs_with_up_to_seven_nodes_holds_the_same_graphs():
    atlas = [canonical_form(from_networkx(graph)).name for graph in nx.graph_atlas_g()[1:]]
    assert sorted(atlas) == sorted(graph.name for n in range(1, 8) for graph in all_graphs(n))


@pytest.mark.parametrize("num_nodes", [1, 4, 6])
def test_a_graph_is_in_canonical_form_and_named_by_it(num_nodes):
    for graph in all_graphs(num_nodes):
        again = canonical_form(graph)
        assert again.edges.tolist() == graph.edges.tolist()
        named = nx.from_graph6_bytes(graph.name.encode())
        assert sorted(tuple(sorted(edge)) for edge in named.edges) == [tuple(edge) for edge in graph.edges.tolist()]
        assert len(named) == graph.num_nodes


def test_graphs_come_by_number_of_edges_and_always_alike():
    graphs = all_graphs(6)
    edges = [graph.num_edges for graph in graphs]
    assert edges == sorted(edges)
    assert [graph.name for graph in all_graphs(6)] == [graph.name for graph in graphs]


def test_isomorphic_graphs_have_one_canonical_form_and_others_do_not():
    rng = np.random.default_rng(0)
    for _ in range(50):
        n = int(rng.integers(2, 10))
        pairs = np.argwhere(np.triu(rng.random((n, n)) < rng.random(), 1))
        graph = Graph.from_pairs(pairs, n)
        relabelled = Graph.from_pairs(rng.permutation(n)[pairs], n)
        assert canonical_form(graph).name == canonical_form(relabelled).name
        other = Graph.from_pairs(np.argwhere(np.triu(rng.random((n, n)) < 0.5, 1)), n)
        are_isomorphic = nx.is_isomorphic(to_networkx(other), to_networkx(graph))
        assert (canonical_form(other).name == canonical_form(graph).name) == are_isomorphic


@pytest.mark.parametrize("name", ["cubical_graph", "petersen_graph"])
def test_graphs_with_many_symmetries_have_one_canonical_form(name):
    symmetric = getattr(nx, name)()
    n, edges = len(symmetric), np.array(symmetric.edges)
    forms = [canonical_form(Graph.from_pairs(np.random.default_rng(i).permutation(n)[edges], n)) for i in range(5)]
    assert len({form.name for form in forms}) == 1
    assert nx.is_isomorphic(to_networkx(forms[0]), symmetric)


def from_networkx(graph):
    rows = nx.to_scipy_sparse_array(graph, nodelist=range(len(graph)), format="csr")
    rows.sort_indices()
    return Graph(rows.indptr.astype(np.int64), rows.indices.astype(np.int32), NodeIds(len(graph)))


def to_networkx(graph):
    other = nx.empty_graph(graph.num_nodes)
    other.add_edges_from(graph.edges.tolist())
    return other
