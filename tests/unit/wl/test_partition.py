from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import SYMMETRIC, all_links, atlas, classes, from_networkx, path_graph
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph
from linkwl.wl import READINGS, TESTS, partition, partition_all, refine
from linkwl.wl.engine import ENGINES

P3 = Graph.from_pairs([(0, 1), (1, 2)], 3)
P6 = from_networkx(nx.path_graph(6))
FOLKLORE = ("local-2-fwl", "2-fwl")
both_engines = pytest.mark.parametrize("engine", ENGINES)
every_test = pytest.mark.parametrize("test", TESTS)


@both_engines
@every_test
def test_links_of_a_path(test, engine):
    """(0, 2) and (0, 3) join an end and a middle node, at different distances; (5, 3) mirrors the first."""
    found = partition(P6, test, [(0, 2), (0, 3), (5, 3), (2, 0), (1, 4)], engine=engine)
    assert found.tolist() == ([0, 0, 0, 1, 2] if test in ("1-wl", "local-2-wl", "2-wl") else [0, 1, 0, 2, 3])
    assert found.dtype == np.int64


@both_engines
@every_test
def test_links_of_several_graphs_share_their_classes(test, engine):
    """Pairs of ends: P3 twice, P3 with an edge beside it, and P4."""
    beside = Graph.from_pairs([(0, 1), (1, 2), (3, 4)], 5)
    targets = [(P3, [(0, 2)]), (P3, [(2, 0), (0, 2)]), (beside, [(0, 2)]), (path_graph(), [(0, 3)])]
    found = [part.tolist() for part in partition_all(targets, test, engine=engine)]
    sees_all = test in ("2-wl", "2-fwl")
    assert found == [[0], [0, 0], [1 if sees_all else 0], [2 if sees_all else 1]]


@both_engines
@every_test
def test_a_link_twice_and_its_reverse(test, engine):
    found = partition(P3, test, [(0, 1), (0, 1), (1, 0), (2, 1), (1, 2), (0, 2), (2, 0)], engine=engine)
    assert found[0] == found[1]
    assert found[5] == found[6]
    assert found.tolist() == ([0, 0, 1, 0, 1, 2, 2])


@both_engines
@every_test
@pytest.mark.parametrize("reading", READINGS)
def test_no_links(reading, test, engine):
    for links in ([], np.empty((0, 2), dtype=np.int64)):
        found = partition(P6, test, links, reading=reading, engine=engine)
        assert found.shape == (0,)
    found = partition_all([(P6, []), (P6, [(0, 2)]), (P6, [])], test, reading=reading, engine=engine)
    assert [part.tolist() for part in found] == [[], [0], []]
    assert partition_all([], test, reading=reading, engine=engine) == []


def test_a_row_without_ends_is_no_link():
    assert partition(P6, "1-wl", [[]]).shape == (0,)


@every_test
def test_links_come_in_lists_and_arrays(test):
    links = [(0, 2), (0, 3), (1, 3)]
    expected = partition(P6, test, links)
    for kind in (np.int64, np.int32, np.uint16):
        array = np.array(links, dtype=kind)
        array.setflags(write=False)
        np.testing.assert_array_equal(partition(P6, test, array), expected)
    np.testing.assert_array_equal(partition(P6, test, np.asfortranarray(links)), expected)
    np.testing.assert_array_equal(partition(P6, test, np.repeat(links, 2, axis=0)[::2]), expected)


@both_engines
@every_test
def test_an_edge_that_is_removed_is_seen_in_the_graph_without_it(test, engine):
    for graph in (P6, from_networkx(nx.circular_ladder_graph(3)), Graph.from_pairs([(0, 1), (1, 2), (0, 2)], 5)):
        for edge in graph.edges[:4]:
            first, second = partition_all([(graph, [edge]), (graph.without([edge]), [edge])], test, engine=engine)
            assert first.tolist() == second.tolist() == [0]


@both_engines
@every_test
def test_edges_are_removed_one_at_a_time(test, engine):
    """The edges of a cycle are alike, each in a path of its own, and unlike the ends of nothing else there."""
    cycle = from_networkx(nx.cycle_graph(6))
    path = cycle.without([(0, 5)])
    found = partition_all([(cycle, cycle.edges), (path, [(0, 5), (5, 0), (0, 4)])], test, engine=engine)
    assert found[0].tolist() == [0] * 6
    assert found[1].tolist() == [0, 0, 1]


@both_engines
@every_test
def test_non_edges_are_the_same_under_every_reading(test, engine):
    graph = from_networkx(nx.gnm_random_graph(7, 9, seed=5))
    links = [link for link in all_links(graph).tolist() if not graph.has_edges(np.array([link]))[0]]
    found = [partition(graph, test, links, reading=reading, engine=engine).tolist() for reading in READINGS]
    assert found[0] == found[1] == found[2]


@both_engines
@every_test
def test_visible_links_have_the_colours_of_the_whole_graph(test, engine):
    graph = from_networkx(nx.gnm_random_graph(7, 9, seed=5))
    links = all_links(graph)
    found = partition(graph, test, links, reading="visible", engine=engine)
    assert classes(found) == classes(refine(graph, test, engine=engine).pairs(links))


@both_engines
@pytest.mark.parametrize("test", ["local-2-wl", "2-wl", "local-2-fwl", "2-fwl"])
def test_only_the_folklore_tests_read_a_masked_edge(test, engine):
    """On all links of all graphs with up to 5 nodes together: is the edge a function of the class?"""
    graphs = atlas(5)
    targets = [(graph, all_links(graph)) for graph in graphs]
    found = np.concatenate(partition_all(targets, test, reading="masked", engine=engine))
    is_edge = np.concatenate([graph.has_edges(links) for graph, links in targets])
    kinds = [set(is_edge[found == number].tolist()) for number in range(found.max() + 1)]
    assert (max(map(len, kinds)) == 1) == (test in FOLKLORE)


@both_engines
@pytest.mark.parametrize("test", TESTS)
def test_a_masked_edge_of_the_path_with_four_nodes(test, engine):
    """(0, 1) and (0, 2) have alike ends; marks tell them apart by the mark next to the first end."""
    found = partition(path_graph(), test, [(0, 1), (0, 2)], reading="masked", engine=engine)
    assert found.tolist() == ([0, 0] if test in ("1-wl", "local-2-wl", "2-wl") else [0, 1])


@both_engines
@pytest.mark.parametrize("test", FOLKLORE)
@pytest.mark.parametrize("name", ["petersen", "paley 13", "rook", "k333"])
def test_a_masked_edge_of_a_graph_that_is_stable_from_the_start(name, test, engine):
    graph = SYMMETRIC[name]
    links = all_links(graph)
    found = partition(graph, test, links, reading="masked", engine=engine)
    assert classes(found) == classes(graph.has_edges(links))


@every_test
def test_labels_of_links(test):
    cycle = from_networkx(nx.cycle_graph(4))
    assert partition(cycle, test, [(0, 2), (1, 3)]).tolist() == [0, 0]
    assert partition(cycle, test, [(0, 2), (1, 3)], labels=["a", "b", "a", "b"]).tolist() == [0, 1]
    found = partition_all([(cycle, [(0, 2)]), (cycle, [(0, 2)])], test, labels=[[1, 1, 1, 1], [1, 1, 1, 2]])
    # One label elsewhere in the graph is heard.
    assert [part.tolist() for part in found] == [[0], [1]]


@every_test
def test_what_cannot_be_partitioned(test):
    with pytest.raises(InputError, match="joins a node to itself"):
        partition(P3, test, [(0, 2), (1, 1)])
    with pytest.raises(ValueError, match=r"nodes 0 \.\. 2"):
        partition(P3, test, [(0, 3)])
    with pytest.raises(InputError, match="directed"):
        partition(Graph.from_pairs([(0, 1)], 3, is_directed=True), test, [(0, 2)])
    with pytest.raises(UnknownNameError, match="reading"):
        partition(P3, test, [(0, 2)], reading="hidden")
    with pytest.raises(UnknownNameError, match="engine"):
        partition(P3, test, [(0, 2)], engine="slow")
    with pytest.raises(UnknownNameError, match="test"):
        partition(P3, test + "?", [(0, 2)])
    with pytest.raises(InputError, match="for all graphs or for none"):
        partition_all([(P3, [(0, 2)])] * 2, test, labels=[None, [1, 2, 3]])


def test_links_are_left_as_they_were():
    links = np.array([(0, 2), (3, 0)])
    partition(P6, "2-fwl", links)
    assert links.tolist() == [[0, 2], [3, 0]]


@both_engines
@every_test
def test_a_link_in_a_graph_next_to_one_without_nodes(test, engine):
    found = partition_all([(Graph.from_pairs([], 0), []), (P3, [(0, 2), (0, 1)])], test, engine=engine)
    assert [part.tolist() for part in found] == [[], [0, 1]]
