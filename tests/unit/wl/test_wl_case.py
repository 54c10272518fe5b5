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


def number_of_each(labels):
    """What becomes of the labels of an edgeless graph."""
    return whole(Graph.from_pairs([], len(labels)), labels).labels.tolist()


def test_a_case_without_labels_has_one_label_for_all():
    case = whole(path_graph())
    assert case.labels.tolist() == [0, 0, 0, 0]
    assert case.links.shape == (0, 2)
    assert case.is_edge.shape == (0,)


@pytest.mark.parametrize(
    "labels",
    [
        ["b", "a", "b", "c"],
        [7, -7, 7, 0],
        [0.5, 0.25, 0.5, 0.75],
        [True, False, True, 3],
        np.array(["long text", "t", "long text", ""]),
        np.array([b"b", b"a", b"b", b"c"]),
        np.array([2, 1, 2, 3], dtype=np.uint8),
        np.array([[1, 0], [0, 1], [1, 0], [1, 1]]),
        [("x", "y"), ("y", "x"), ("x", "y"), ("x", "x")],
        np.array([2, 9, 1, 9, 2, 9, 3, 9])[::2],
        np.array([2**62 + 1, 2**62, 2**62 + 1, 2**62 + 2]),
    ],
    ids=str,
)
def test_labels_of_many_kinds_become_numbers(labels):
    assert classes(number_of_each(labels)) == [0, 1, 0, 2]


@pytest.mark.parametrize("labels", [["a", "b", "a"], [(1, 2), (2, 1), (1, 2)]])
def test_labels_may_be_an_array_of_objects(labels):
    objects = np.array(labels, dtype=object)
    assert classes(number_of_each(objects)) == [0, 1, 0]


def test_equal_labels_have_equal_numbers_in_all_graphs():
    graphs = [Graph.from_pairs([], 3), Graph.from_pairs([], 2)]
    first, second = build_cases(graphs, [["x", "y", "z"], np.array(["z", "longer text"])])
    assert classes([*first.labels.tolist(), *second.labels.tolist()]) == [0, 1, 2, 2, 3]
    first, second = build_cases(graphs, [[1, 2, 3], [3.0, 2.5]])
    assert classes([*first.labels.tolist(), *second.labels.tolist()]) == [0, 1, 2, 2, 3]


@pytest.mark.parametrize("kind", [np.uint64, np.float64])
def test_large_whole_numbers_stay_apart_next_to_numbers_of_another_kind(kind):
    """Both kinds together are float64 to numpy, which takes 2^60 and 2^60 + 1 for the same."""
    graph = Graph.from_pairs([], 2)
    large, _ = build_cases([graph, graph], [np.array([2**60, 2**60 + 1]), np.array([1, 2], dtype=kind)])
    assert classes(large.labels.tolist()) == [0, 1]


def test_what_is_not_equal_to_itself_is_no_label():
    with pytest.raises(InputError):
        number_of_each([np.nan, 1.0, np.nan])


@pytest.mark.parametrize("labels", [[1, 2, 3], [1] * 5, [], 7, "text", np.zeros((4, 1, 1)), np.zeros((3, 4))], ids=str)
def test_labels_must_fit_their_graph(labels):
    with pytest.raises(InputError, match=r"graph has 4 nodes and \d+ labels; give one label per node"):
        whole(path_graph(), labels)


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 2, 3, 4], ["1", "2", "3", "4"]), ([1, 2, 3, 4], np.zeros((4, 2))), (np.eye(4), np.zeros((4, 3)))],
)
def test_labels_of_all_graphs_are_of_one_kind(first, second):
    with pytest.raises(InputError, match="differ in kind or width"):
        build_cases([path_graph()] * 2, [first, second])


def test_all_graphs_have_labels_or_none_has():
    with pytest.raises(InputError, match="give labels for all or for none"):
        build_cases([path_graph()] * 2, [[1, 2, 3, 4], None])
    with pytest.raises(InputError, match="2 graphs and 1 sets of labels"):
        build_cases([path_graph()] * 2, [None])


def test_a_directed_graph_is_refused_with_the_way_out():
    graph = Graph.from_pairs([(0, 1)], 2, is_directed=True, name="follows")
    with pytest.raises(InputError, match=r"follows is directed.*to_undirected"):
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
