from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import SYMMETRIC, all_pairs, atlas, classes, from_networkx, labelled_graphs, path_graph, small_graphs
from linkwl.graph import Graph
from linkwl.wl import compare, refine, refine_all
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.exact import ExactTwoWL
from linkwl.wl.mixing import COLLISION
from linkwl.wl.two_wl import FastTwoWL


def with_histogram(graphs, labels, rounds):
    """1-WL in which every node also hears all nodes, by dictionaries; the colours of every round."""
    colours = [list(own) for own in labels]
    near = [[graph.neighbours(v).tolist() for v in range(graph.num_nodes)] for graph in graphs]
    for _ in range(rounds):
        yield colours
        number = {}
        colours = [
            [
                number.setdefault((c[v], tuple(sorted(c[u] for u in heard)), tuple(sorted(c))), len(number))
                for v, heard in enumerate(own)
            ]
            for own, c in zip(near, colours, strict=True)
        ]


def check_round_by_round(graphs, labels):
    """2-WL of a pair is worth as much as that colour of its ends and its edge, in every round, across graphs."""
    numbers = [[0] * graph.num_nodes for graph in graphs] if labels[0] is None else labels
    exact, fast = ExactTwoWL(build_cases(graphs, labels)), FastTwoWL(build_cases(graphs, labels))
    for colours in with_histogram(graphs, numbers, 5):
        found = [colour for i in range(len(graphs)) for colour in exact.matrix(i).reshape(-1).tolist()]
        expected = [
            (edge, p == q, own[p], own[q])
            for graph, own in zip(graphs, colours, strict=True)
            for (p, q), edge in zip(all_pairs(graph).tolist(), graph.has_edges(all_pairs(graph)).tolist(), strict=True)
        ]
        assert classes(found) == classes(expected)
        words = [word for i in range(len(graphs)) for word in fast.nodes(i).tolist()]
        assert classes(words) == classes([colour for own in colours for colour in own])
        exact.step()
        fast.step()


def test_it_is_one_wl_with_a_histogram_round_by_round_on_all_small_graphs_together():
    graphs = atlas(4)
    check_round_by_round(graphs, [None] * len(graphs))


@given(st.lists(labelled_graphs(max_nodes=7), min_size=1, max_size=3))
@settings(deadline=None, max_examples=30)
def test_it_is_one_wl_with_a_histogram_round_by_round_with_labels(cases):
    check_round_by_round([graph for graph, _ in cases], [labels for _, labels in cases])


@pytest.mark.parametrize("names", [("2 c4", "c8"), ("cube", "c9"), ("frucht", "3-regular 12")])
def test_it_is_one_wl_with_a_histogram_round_by_round_on_regular_graphs(names):
    check_round_by_round([SYMMETRIC[name] for name in names], [None, None])


@pytest.mark.parametrize("engine", ["fast", "exact"])
@given(graph=small_graphs())
@settings(deadline=None, max_examples=30)
def test_inside_one_graph_it_is_one_wl(engine, graph):
    """The stable classes of nodes are the same; the pairs then differ by their edge only."""
    assert classes(refine(graph, "2-wl", engine=engine).nodes) == classes(refine(graph, "1-wl", engine=engine).nodes)


def test_inside_one_graph_it_is_one_wl_on_all_small_graphs():
    for graph in atlas(5):
        two, local = refine(graph, "2-wl", engine="exact"), refine(graph, "local-2-wl", engine="exact")
        assert classes(two.matrix) == classes(local.matrix)


@pytest.mark.parametrize("engine", ["fast", "exact"])
def test_between_graphs_it_sees_their_size(engine):
    """Two isolated nodes of three, and a cycle of four against a cycle of five: nothing else is different."""
    for first, second, link in (
        (nx.empty_graph(2), nx.empty_graph(3), (0, 1)),
        (nx.cycle_graph(4), nx.cycle_graph(5), (0, 2)),
    ):
        verdicts = compare(
            (from_networkx(first), link), (from_networkx(second), link), ["1-wl", "local-2-wl", "2-wl"], engine=engine
        )
        assert [verdict.equal for verdict in verdicts.values()] == [True, True, False]
        assert verdicts["2-wl"].round == 1


@pytest.mark.parametrize("engine", ["fast", "exact"])
def test_between_graphs_it_sees_components_elsewhere(engine):
    """A path of three, alone and next to an edge; its ends and middle have the same colours by 1-WL."""
    alone, beside = Graph.from_pairs([(0, 1), (1, 2)], 3), Graph.from_pairs([(0, 1), (1, 2), (3, 4)], 5)
    one = refine_all([alone, beside], "1-wl", engine=engine)
    two = refine_all([alone, beside], "2-wl", engine=engine)
    assert one[0].nodes.tolist() == one[1].nodes.tolist()[:3]
    assert not set(two[0].nodes.tolist()) & set(two[1].nodes.tolist())


def test_links_read_their_edge_unless_it_is_masked():
    [(case, _)] = split_targets(build_cases([path_graph()], [None])[0], [(0, 1), (0, 2), (1, 0), (0, 3)], "visible")
    refinement = FastTwoWL([case])
    assert classes(refinement.links(0)) == [0, 1, 0, 1]
    refinement.step()
    assert classes(refinement.links(0)) == [0, 1, 2, 3]
    assert classes(refinement.links(0, masked=True)) == [0, 0, 1, 2]


def test_the_error_bound_grows_with_the_graph():
    graphs = [Graph.from_pairs([], n) for n in (7, 1000, 3)]
    refinement = FastTwoWL(build_cases(graphs, [None] * 3))
    assert refinement.error_bound == (1000 + 1 / 2) * COLLISION


def test_a_graph_without_nodes_says_nothing():
    found = refine_all([Graph.from_pairs([], 0), path_graph()], "2-wl")
    assert found[0].history == (0, 0)
    assert found[1].history == (3, 8)
