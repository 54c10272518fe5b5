from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import all_links, all_pairs, classes, from_networkx, labelled_graphs, path_graph
from linkwl.graph import Graph
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.exact import EXACT
from linkwl.wl.local_two_fwl import FastLocalTwoFWL
from linkwl.wl.two_fwl import FastTwoFWL

both_tests = pytest.mark.parametrize("test", [FastTwoFWL, FastLocalTwoFWL])


@both_tests
@given(cases=st.lists(labelled_graphs(), min_size=1, max_size=3))
@settings(deadline=None, max_examples=30)
def test_the_first_colour_is_labels_edge_and_identity(test, cases):
    graphs, labels = [graph for graph, _ in cases], [own for _, own in cases]
    refinement = test(build_cases(graphs, labels))
    found = [word for i in range(len(graphs)) for word in refinement.matrix(i).reshape(-1).tolist()]
    expected = [
        (own[p], own[q], bool(graph.has_edges(np.array([(p, q)]))[0]), p == q)
        for graph, own in cases
        for p, q in all_pairs(graph).tolist()
    ]
    assert classes(found) == classes(expected)
    assert refinement.num_classes == len(set(expected))
    assert refinement.num_coloured == len(expected)


@both_tests
def test_nodes_and_links_are_entries_of_the_matrix(test):
    graph = from_networkx(nx.gnm_random_graph(9, 12, seed=0))
    [(case, _)] = split_targets(build_cases([graph], [None])[0], all_links(graph), "visible")
    refinement = test([case])
    for _ in range(3):
        matrix = refinement.matrix(0)
        np.testing.assert_array_equal(refinement.nodes(0), matrix.diagonal())
        np.testing.assert_array_equal(refinement.links(0), matrix[~np.eye(9, dtype=bool)])
        refinement.step()


@both_tests
@pytest.mark.parametrize("labels", [None, [0, 1] * 5])
@pytest.mark.parametrize("seed", range(4))
def test_masked_links_are_those_of_the_definition_in_every_round(test, labels, seed):
    graph = from_networkx(nx.gnm_random_graph(10, 13, seed=seed) if seed else nx.petersen_graph())
    [(case, _)] = split_targets(build_cases([graph], [labels])[0], all_links(graph), "masked")
    fast, exact = test([case]), EXACT[test.id]([case])
    for _ in range(4):
        assert classes(fast.links(0, masked=True)) == classes(exact.links(0, masked=True))
        fast.step()
        exact.step()


@both_tests
def test_a_masked_link_starts_with_its_labels_alone(test):
    [(case, _)] = split_targets(
        build_cases([path_graph()], [[7, 7, 8, 8]])[0], [(0, 1), (1, 0), (0, 2), (1, 2), (2, 1), (3, 2)], "masked"
    )
    assert classes(test([case]).links(0, masked=True)) == [0, 0, 1, 1, 2, 3]


@both_tests
def test_graphs_of_different_sizes_share_their_room(test):
    sizes = [5, 40, 1, 23]
    graphs = [from_networkx(nx.gnm_random_graph(n, 2 * n, seed=n)) for n in sizes]
    together = test(build_cases(graphs, [None] * 4))
    alone = [test(build_cases([graph], [None])) for graph in graphs]
    for _ in range(3):
        for i, own in enumerate(alone):
            assert classes(together.matrix(i).reshape(-1)) == classes(own.matrix(0).reshape(-1))
            assert together.count(i) == own.num_classes
            own.step()
        together.step()


@both_tests
def test_a_graph_without_nodes_takes_part(test):
    refinement = test(build_cases([Graph.from_pairs([], 0), path_graph()], [None, None]))
    refinement.step()
    assert refinement.matrix(0).shape == (0, 0)
    assert (refinement.count(0), refinement.count(1)) == (0, 8)


@both_tests
def test_memory_is_some_words_for_every_pair(test):
    def memory(*sizes):
        return test.memory(build_cases([Graph.from_pairs([], n) for n in sizes], [None] * len(sizes)))

    words = 1 + test.num_scratch
    assert memory() == memory(0) == 0
    assert memory(100) >= words * 8 * 100**2
    assert memory(1000) == 100 * memory(100)
    assert memory(100, 100) > memory(100)
    assert memory(200_000) > 1e12
