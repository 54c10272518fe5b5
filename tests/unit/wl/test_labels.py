from __future__ import annotations

import numpy as np
import pytest

from graphs import classes, path_graph
from linkwl import load_graph
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.wl.labels import shared_labels


def number_of_each(labels):
    """What becomes of the labels of an edgeless graph."""
    return shared_labels([Graph.from_pairs([], len(labels))], [labels])[0].tolist()


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
    first, second = shared_labels(graphs, [["x", "y", "z"], np.array(["z", "longer text"])])
    assert classes([*first.tolist(), *second.tolist()]) == [0, 1, 2, 2, 3]
    first, second = shared_labels(graphs, [[1, 2, 3], [3.0, 2.5]])
    assert classes([*first.tolist(), *second.tolist()]) == [0, 1, 2, 2, 3]


@pytest.mark.parametrize("kind", [np.uint64, np.float64])
def test_large_whole_numbers_stay_apart_next_to_numbers_of_another_kind(kind):
    """Both kinds together are float64 to numpy, which takes 2^60 and 2^60 + 1 for the same."""
    graph = Graph.from_pairs([], 2)
    large, _ = shared_labels([graph, graph], [np.array([2**60, 2**60 + 1]), np.array([1, 2], dtype=kind)])
    assert classes(large.tolist()) == [0, 1]


def test_what_is_not_equal_to_itself_is_no_label():
    with pytest.raises(InputError):
        number_of_each([np.nan, 1.0, np.nan])


@pytest.mark.parametrize("labels", [[1, 2, 3], [1] * 5, [], 7, "text", np.zeros((4, 1, 1)), np.zeros((3, 4))], ids=str)
def test_labels_must_fit_their_graph(labels):
    with pytest.raises(InputError, match=r"graph has 4 nodes and \d+ labels; give one label per node"):
        shared_labels([path_graph()], [labels])


@pytest.mark.parametrize(
    ("first", "second"),
    [([1, 2, 3, 4], ["1", "2", "3", "4"]), ([1, 2, 3, 4], np.zeros((4, 2))), (np.eye(4), np.zeros((4, 3)))],
)
def test_labels_of_all_graphs_are_of_one_kind(first, second):
    with pytest.raises(InputError, match="differ in kind or width"):
        shared_labels([path_graph()] * 2, [first, second])


def test_all_graphs_have_labels_or_none_has():
    with pytest.raises(InputError, match="give labels for all graphs or for none"):
        shared_labels([path_graph()] * 2, [[1, 2, 3, 4], None])
    with pytest.raises(InputError, match="2 graphs and 1 sets of labels"):
        shared_labels([path_graph()] * 2, [None])


def test_labels_by_the_names_of_the_nodes():
    graph = load_graph([("ann", "bob"), ("bob", "cid")])
    (numbers,) = shared_labels([graph], [{"cid": "x", "ann": "x", "bob": "y", "dan": "z"}])
    assert classes(numbers.tolist()) == [0, 1, 0]
    with pytest.raises(InputError, match="node 'cid' of graph has no label"):
        shared_labels([graph], [{"ann": "x", "bob": "y"}])
