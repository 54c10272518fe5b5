from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from graphs import classes, path_graph
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, NodeIds
from linkwl.wl.case import READINGS, build_cases, split_targets


def whole(graph, labels=None):
    return build_cases([graph], [labels])[0]


def test_a_case_without_labels_has_one_label_for_all():
    case = whole(path_graph())
    assert case.labels.tolist() == [0, 0, 0, 0]
    assert case.links.shape == (0, 2)
    assert case.is_edge.shape == (0,)


def test_a_directed_graph_is_refused_with_the_way_out():
    graph = Graph.from_pairs([(0, 1)], 2, is_directed=True, name="follows")
    with pytest.raises(InputError, match=r"follows is directed.*directed=False"):
        build_cases([path_graph(), graph], [None, None])


@pytest.mark.parametrize("reading", READINGS)
def test_links_that_are_no_edges_share_the_graph(reading):
    graph = path_graph()
    [(case, places)] = split_targets(whole(graph), [(0, 2), (3, 0), (0, 2)], reading)
    assert case.graph is graph
    assert case.links.tolist() == [[0, 2], [3, 0], [0, 2]]
    assert case.links.dtype == np.int32
    assert case.is_edge.tolist() == [False] * 3
    assert places.tolist() == [0, 1, 2]


@pytest.mark.parametrize("reading", ["masked", "visible"])
def test_an_edge_stays_unless_it_is_removed(reading):
    graph = path_graph()
    [(case, places)] = split_targets(whole(graph), [(0, 2), (1, 0)], reading)
    assert case.graph is graph
    assert case.is_edge.tolist() == [False, True]
    assert places.tolist() == [0, 1]


def test_a_removed_edge_is_missing_from_its_own_graph_alone():
    graph, labels = path_graph(), [5, 5, 6, 6]
    parts = split_targets(whole(graph, labels), [(1, 0), (0, 2), (2, 3), (3, 1)], "removed")
    assert [places.tolist() for _, places in parts] == [[1, 3], [0], [2]]
    assert [case.links.tolist() for case, _ in parts] == [[[0, 2], [3, 1]], [[1, 0]], [[2, 3]]]
    assert [case.graph.edges.tolist() for case, _ in parts] == [
        [[0, 1], [1, 2], [2, 3]],
        [[1, 2], [2, 3]],
        [[0, 1], [1, 2]],
    ]
    assert not any(case.is_edge.any() for case, _ in parts)
    assert all(classes(case.labels.tolist()) == [0, 0, 1, 1] for case, _ in parts)


def test_where_all_links_are_edges_no_graph_is_whole():
    parts = split_targets(whole(path_graph()), [(0, 1), (0, 1)], "removed")
    assert [places.tolist() for _, places in parts] == [[0], [1]]
    assert all(case.graph.num_edges == 2 for case, _ in parts)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("links", [[], np.empty((0, 2), dtype=np.int64)], ids=["list", "array"])
def test_no_links(links, reading):
    [(case, places)] = split_targets(whole(path_graph()), links, reading)
    assert case.links.shape == (0, 2)
    assert len(places) == 0


def test_a_link_has_two_ends_and_is_named_by_them_otherwise():
    graph = Graph.from_pairs([(0, 1)], 3, ids=NodeIds(pa.array(["ann", "bob", "cy"])))
    with pytest.raises(InputError, match=r"link \(bob, bob\) joins a node to itself"):
        split_targets(whole(graph), [(0, 1), (1, 1)], "removed")


@pytest.mark.parametrize("links", [[(0, 4)], [(-1, 0)]])
def test_a_link_joins_nodes_of_the_graph(links):
    with pytest.raises(ValueError, match=r"nodes 0 \.\. 3"):
        split_targets(whole(path_graph()), links, "removed")


@pytest.mark.parametrize("links", [[(0, 1, 2)], [(0.0, 1.0)], [("0", "1")], [0, 1]], ids=str)
def test_a_link_is_two_whole_numbers(links):
    with pytest.raises(ValueError, match="`pairs` must"):
        split_targets(whole(path_graph()), np.array(links), "removed")


def test_an_unknown_reading_names_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown reading 'mask'.*masked"):
        split_targets(whole(path_graph()), [(0, 2)], "mask")


def test_a_graph_of_another_library_is_refused_with_the_way_out():
    with pytest.raises(TypeError, match=r"got dict; convert it with `linkwl\.load_graph`"):
        build_cases([{0: [1]}], [None])
