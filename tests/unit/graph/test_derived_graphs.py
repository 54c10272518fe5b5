from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import PATH, path_graph, random_rows, raw_rows
from linkwl.graph import Graph


@given(raw_rows(), st.booleans(), st.data())
@settings(max_examples=100, deadline=None)
def test_select_equals_a_graph_of_the_kept_edges(sample, is_directed, data):
    num_nodes, rows = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=is_directed)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=graph.num_edges, max_size=graph.num_edges)), dtype=bool)
    selected = graph.select(keep)
    assert selected.digest == Graph.from_pairs(graph.edges[keep], num_nodes, is_directed=is_directed).digest
    assert np.array_equal(selected.edges, graph.edges[keep])
    rest = graph.without(graph.edges[keep])
    assert np.array_equal(rest.edges, graph.edges[~keep])


def test_without_takes_either_direction_and_ignores_other_pairs():
    graph = path_graph()
    assert graph.without([(1, 0), (0, 3), (2, 2), (1, 0)]).edges.tolist() == [[1, 2], [2, 3]]
    assert graph.without([]).digest == graph.digest
    directed = Graph.from_pairs(PATH, 4, is_directed=True)
    assert directed.without([(1, 0)]).num_edges == 3
    assert directed.without([(0, 1)]).edges.tolist() == [[1, 2], [2, 3]]


def test_reversed_turns_every_edge_with_its_weight():
    graph = Graph.from_pairs([(2, 0), (0, 1), (1, 0)], 4, is_directed=True, weight=np.array([2.0, 3.0, 4.0]))
    turned = graph.reversed
    assert turned.edges.tolist() == [[0, 1], [0, 2], [1, 0]]
    assert turned.weight.tolist() == [4, 2, 3]
    assert turned.reversed is graph
    assert turned.degree.tolist() == [2, 1, 0, 0]
    plain = graph.to_undirected()
    assert plain.reversed is plain


@pytest.mark.parametrize("is_directed", [False, True])
def test_subgraphs_keep_the_edges_of_their_labels(is_directed):
    graph = Graph.from_pairs(random_rows(30, 90), 30, is_directed=is_directed)
    label = (np.arange(graph.num_edges) % 3).astype(np.int8)
    first, others, none = graph.subgraphs(label, [(0,), (1, 2), ()])
    assert first.edges.tolist() == graph.edges[label == 0].tolist()
    assert others.edges.tolist() == graph.edges[label != 0].tolist()
    assert (none.num_edges, none.num_nodes, none.intake) == (0, 30, None)
