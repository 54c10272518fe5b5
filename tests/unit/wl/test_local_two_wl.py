from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import SYMMETRIC, all_pairs, atlas, classes, from_networkx, labelled_graphs, path_graph
from linkwl.wl import refine
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.exact import ExactLocalTwoWL, ExactNodes
from linkwl.wl.local_two_wl import FastLocalTwoWL
from linkwl.wl.one_wl import FastOneWL


def ends_and_edge(graph, colours):
    """(edge or not, same node or not, colour of p, colour of q) of all pairs, row by row."""
    is_edge = graph.has_edges(all_pairs(graph)).tolist()
    ends = [(colours[p], colours[q], p == q) for p, q in all_pairs(graph).tolist()]
    return list(zip(is_edge, ends, strict=True))


def check_round_by_round(graphs, labels):
    """Local 2-WL of a pair is worth as much as 1-WL of its ends and its edge, in every round, across graphs."""
    pairs, nodes = ExactLocalTwoWL(build_cases(graphs, labels)), ExactNodes(build_cases(graphs, labels))
    for _ in range(5):
        which = range(len(graphs))
        found = [colour for i in which for colour in pairs.matrix(i).reshape(-1).tolist()]
        expected = [colour for i in which for colour in ends_and_edge(graphs[i], nodes.nodes(i).tolist())]
        assert classes(found) == classes(expected)
        pairs.step()
        nodes.step()


def test_it_is_one_wl_round_by_round_on_all_small_graphs_together():
    graphs = atlas(4)
    check_round_by_round(graphs, [None] * len(graphs))


@given(st.lists(labelled_graphs(max_nodes=7), min_size=1, max_size=2))
@settings(deadline=None, max_examples=30)
def test_it_is_one_wl_round_by_round_with_labels(cases):
    check_round_by_round([graph for graph, _ in cases], [labels for _, labels in cases])


@pytest.mark.parametrize("name", ["2 c4", "cube", "frucht"])
def test_it_is_one_wl_round_by_round_on_regular_graphs(name):
    check_round_by_round([SYMMETRIC[name]], [None])


def test_links_read_their_edge_unless_it_is_masked():
    [(case, _)] = split_targets(build_cases([path_graph()], [None])[0], [(0, 1), (0, 2), (1, 0), (0, 3)], "visible")
    refinement = FastLocalTwoWL([case])
    assert classes(refinement.links(0)) == [0, 1, 0, 1]
    assert classes(refinement.links(0, masked=True)) == [0] * 4
    refinement.step()
    assert classes(refinement.links(0)) == [0, 1, 2, 3]
    assert classes(refinement.links(0, masked=True)) == [0, 0, 1, 2]


def test_without_an_edge_a_link_has_the_colours_of_one_wl():
    graph = from_networkx(nx.gnm_random_graph(12, 14, seed=0))
    links = [(p, q) for p, q in all_pairs(graph).tolist() if p != q and not graph.has_edges(np.array([(p, q)]))[0]]
    [(case, _)] = split_targets(build_cases([graph], [None])[0], links, "removed")
    local, one = FastLocalTwoWL([case]), FastOneWL([case])
    for _ in range(4):
        assert classes(local.links(0)) == classes(one.links(0))
        np.testing.assert_array_equal(local.nodes(0), one.nodes(0))
        local.step()
        one.step()


def test_classes_are_those_of_pairs():
    refinement = FastLocalTwoWL(build_cases([path_graph()], [None]))
    assert (refinement.unit, refinement.keeps_pairs) == ("pair", False)
    assert refinement.count(0) == 3
    refinement.step()
    assert refinement.count(0) == 8


def test_no_matrix_is_made_of_a_large_graph():
    n = 30_000
    found = refine(from_networkx(nx.star_graph(n - 1)), "local-2-wl")
    # Middle and leaves on the diagonal, edges either way, and pairs of leaves.
    assert found.num_classes == 5
    assert found.class_sizes.tolist() == [(n - 1) * (n - 2), n - 1, n - 1, n - 1, 1]
