from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import all_links, all_pairs, classes, from_networkx, path_graph, small_graphs
from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.wl import TESTS, refine, refine_all
from linkwl.wl.colouring import NodeColouring, PairColouring, count_pair_classes, pair_class_sizes

UNLABELLED = [test for test in TESTS if "+" not in test]


def by_counting(graph, colours):
    """The sizes of the classes of pairs by the definition."""
    pairs = all_pairs(graph)
    edge = graph.has_edges(pairs).tolist() if len(pairs) else []
    kinds = [(colours[p], colours[q], is_edge, p == q) for (p, q), is_edge in zip(pairs.tolist(), edge, strict=True)]
    return sorted(Counter(kinds).values())


@given(small_graphs(max_nodes=9), st.data())
@settings(deadline=None, max_examples=150)
def test_classes_of_pairs_are_counted_from_those_of_their_ends(graph, data):
    colours = np.array([data.draw(st.integers(5, 8)) for _ in range(graph.num_nodes)])
    expected = by_counting(graph, colours.tolist())
    assert sorted(pair_class_sizes(graph, colours).tolist()) == expected
    assert count_pair_classes(graph, colours) == len(expected)
    words = colours.astype(np.uint64) << np.uint64(61)
    assert count_pair_classes(graph, words) == len(by_counting(graph, words.tolist()))


@pytest.mark.parametrize("graph", [nx.complete_graph(5), nx.empty_graph(5), nx.complete_bipartite_graph(2, 3)])
@pytest.mark.parametrize("colours", [[0] * 5, [0, 0, 1, 1, 1], [4, 3, 2, 1, 0], [0, 1, 1, 1, 1]], ids=str)
def test_classes_of_pairs_where_all_or_none_are_edges(graph, colours):
    graph = from_networkx(graph)
    expected = by_counting(graph, colours)
    assert sorted(pair_class_sizes(graph, np.array(colours)).tolist()) == expected
    assert count_pair_classes(graph, np.array(colours)) == len(expected)


@pytest.mark.parametrize("num_nodes", [0, 1])
def test_classes_of_pairs_of_next_to_nothing(num_nodes):
    graph, colours = Graph.from_pairs([], num_nodes), np.zeros(num_nodes, dtype=np.int64)
    assert pair_class_sizes(graph, colours).tolist() == [1] * num_nodes
    assert count_pair_classes(graph, colours) == num_nodes


def test_more_classes_than_could_be_listed_are_counted():
    n = 200_000
    found = refine(Graph.from_pairs([(0, 1)], n), "2-wl", labels=np.arange(n))
    assert found.num_classes == n**2
    with pytest.raises(MemoryLimitError, match="a list of 40000000000 class sizes .* use `num_classes`"):
        _ = found.class_sizes


@pytest.mark.parametrize("engine", ["fast", "exact"])
@pytest.mark.parametrize("test", UNLABELLED)
def test_pairs_of_graphs_refined_together_compare(test, engine):
    """C4 and K33 are regular, the paw is not; every pair of every graph against every other."""
    graphs = [
        from_networkx(graph) for graph in (nx.cycle_graph(4), nx.complete_bipartite_graph(3, 3), nx.cycle_graph(4))
    ]
    graphs.append(Graph.from_pairs([(0, 1), (0, 2), (1, 2), (2, 3)], 4))
    found = refine_all(graphs, test, engine=engine)
    true = refine_all(graphs, test, engine="exact")
    colours = np.concatenate([own.pairs(all_pairs(own.graph)) for own in found])
    expected = np.concatenate([own.pairs(all_pairs(own.graph)) for own in true])
    assert classes(colours) == classes(expected)
    np.testing.assert_array_equal(found[0].pairs([(0, 2), (0, 1)]), found[2].pairs([(1, 3), (3, 2)]))


@pytest.mark.parametrize("engine", ["fast", "exact"])
@pytest.mark.parametrize("test", TESTS)
def test_sizes_are_those_of_the_classes(test, engine):
    graph = from_networkx(nx.circular_ladder_graph(4))
    found = refine(graph, test, engine=engine, labels=[0, 0, 0, 0, 1, 1, 1, 1])
    units = {"node": [(v, v) for v in range(8)], "pair": all_pairs(graph), "link": all_links(graph)}[found.unit]
    expected = sorted(Counter(found.pairs(units).tolist()).values(), reverse=True)
    assert found.class_sizes.tolist() == expected
    assert found.num_classes == len(expected) == found.history[-1]
    assert found.class_sizes is found.class_sizes


def test_nodes_of_the_path():
    assert refine(path_graph(), "1-wl").nodes.tolist() == [0, 1, 1, 0]
    assert classes(refine(path_graph(), "2-wl").nodes) == [0, 1, 1, 0]
    assert classes(refine(path_graph(), "2-fwl").nodes) == [0, 1, 1, 0]


@pytest.mark.parametrize("engine", ["fast", "exact"])
@pytest.mark.parametrize("test", ["1-wl+01", "1-wl+drnl"])
def test_a_test_on_links_has_neither_nodes_nor_pairs_of_a_node_with_itself(test, engine):
    found = refine(path_graph(), test, engine=engine)
    with pytest.raises(ValueError, match="use `pairs` instead"):
        _ = found.nodes
    with pytest.raises(ValueError, match="two different ends"):
        found.pairs([(0, 1), (2, 2)])
    assert (found.matrix.diagonal() == -1).all()
    assert found.matrix[~np.eye(4, dtype=bool)].min() == 0


def test_colours_of_nodes_or_of_pairs():
    assert isinstance(refine(path_graph(), "2-wl"), NodeColouring)
    assert isinstance(refine(path_graph(), "2-wl", engine="exact"), PairColouring)
    for test in ("2-fwl", "1-wl+01"):
        assert isinstance(refine(path_graph(), test), PairColouring)


def test_one_wl_knows_neither_edge_nor_identity_of_a_pair():
    cycle = from_networkx(nx.cycle_graph(5))
    pairs = [(0, 0), (0, 1), (0, 2)]
    assert classes(refine(cycle, "1-wl").pairs(pairs)) == [0, 0, 0]
    assert classes(refine(cycle, "2-wl").pairs(pairs)) == [0, 1, 2]


@pytest.mark.parametrize("test", TESTS)
def test_pairs_come_in_lists_and_arrays(test):
    found = refine(path_graph(), test)
    expected = found.pairs([(0, 1), (0, 3)])
    assert expected.shape == (2,)
    for kind in (np.int32, np.int64, np.uint8):
        np.testing.assert_array_equal(found.pairs(np.array([(0, 1), (0, 3)], dtype=kind)), expected)
    assert found.pairs([]).shape == (0,)
    with pytest.raises(ValueError, match=r"nodes 0 \.\. 3"):
        found.pairs([(0, 4)])
    with pytest.raises(ValueError, match="shape"):
        found.pairs([0, 1])


def test_a_colouring_says_what_it_is():
    found = refine(Graph.from_pairs([(0, 1), (1, 2)], 3, name="p3"), "2-fwl")
    assert repr(found) == "PairColouring('2-fwl', 'p3', 5 classes of pairs after 1 round)"
    assert repr(refine(path_graph(), "1-wl")) == "NodeColouring('1-wl', 'graph', 2 classes of nodes after 1 round)"
