from __future__ import annotations

from itertools import combinations_with_replacement

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import SYMMETRIC, all_links, from_networkx, path_graph, small_graphs, to_networkx
from linkwl.graph import Graph
from linkwl.wl import drnl_labels


def by_networkx(graph, link):
    """The labels by the definition, with distances that are not ours."""
    p, q = (int(end) for end in link)
    distance = []
    for source, out in ((p, q), (q, p)):
        rest = to_networkx(graph)
        rest.remove_node(out)
        distance.append(nx.single_source_shortest_path_length(rest, source))
    labels = []
    for v in range(graph.num_nodes):
        a, b = (lengths.get(v) for lengths in distance)
        if v in (p, q):
            labels.append(1)
        elif a is None or b is None:
            labels.append(0)
        else:
            d = a + b
            labels.append(1 + min(a, b) + (d // 2) * (d // 2 + d % 2 - 1))
    return labels


def labels_of(graph, *links):
    return drnl_labels(graph, np.array(links)).T.tolist()


@pytest.mark.parametrize(
    ("graph", "link", "labels"),
    [
        (path_graph(), (0, 3), [1, 3, 3, 1]),
        (path_graph(), (0, 2), [1, 2, 1, 0]),
        (path_graph(), (0, 1), [1, 1, 0, 0]),
        (path_graph(), (1, 2), [0, 1, 1, 0]),
        (from_networkx(nx.cycle_graph(4)), (0, 2), [1, 2, 1, 2]),
        (from_networkx(nx.cycle_graph(4)), (0, 1), [1, 1, 3, 3]),
        (from_networkx(nx.cycle_graph(5)), (0, 2), [1, 2, 1, 3, 3]),
        (from_networkx(nx.cycle_graph(6)), (0, 3), [1, 3, 3, 1, 3, 3]),
        (from_networkx(nx.star_graph(3)), (1, 2), [2, 1, 1, 5]),
        (from_networkx(nx.star_graph(3)), (0, 1), [1, 1, 0, 0]),
        (Graph.from_pairs([], 3), (2, 0), [1, 0, 1]),
        (from_networkx(nx.complete_graph(4)), (3, 1), [2, 1, 2, 1]),
    ],
)
def test_labels_computed_by_hand(graph, link, labels):
    assert labels_of(graph, link) == [labels]


def test_distances_are_numbered_by_their_sum_and_then_by_the_smaller_one():
    """A node of a path is a steps from one end and b from the other."""
    distances = sorted(combinations_with_replacement(range(1, 9), 2), key=lambda ab: (sum(ab), min(ab)))
    numbers = {}
    for a, b in distances:
        path = from_networkx(nx.path_graph(a + b + 1))
        [labels] = labels_of(path, (0, a + b))
        numbers[a, b] = labels[a]
        assert labels[a] == labels[b]
    assert [numbers[ab] for ab in distances if sum(ab) <= 9] == list(range(2, 22))
    assert len(set(numbers.values())) == len(numbers)
    assert 0 not in numbers.values()
    assert (numbers[1, 1], numbers[1, 2], numbers[1, 3], numbers[2, 2], numbers[3, 3]) == (2, 3, 4, 5, 10)


@given(small_graphs(min_nodes=2, max_nodes=9), st.data())
@settings(deadline=None, max_examples=100)
def test_labels_are_those_of_networkx(graph, data):
    links = all_links(graph)
    link = links[data.draw(st.integers(0, len(links) - 1))]
    assert labels_of(graph, link) == [by_networkx(graph, link)]


@pytest.mark.parametrize("name", ["c9", "c3 + c5", "prism 10", "frucht", "shrikhande"])
def test_labels_of_regular_graphs_are_those_of_networkx(name):
    graph = SYMMETRIC[name]
    links = all_links(graph)[:60]
    assert labels_of(graph, *links) == [by_networkx(graph, link) for link in links]


def test_a_large_sparse_graph_with_many_components():
    graph = from_networkx(nx.gnm_random_graph(300, 270, seed=0))
    links = np.random.default_rng(0).permutation(all_links(graph))[:40]
    assert labels_of(graph, *links) == [by_networkx(graph, link) for link in links]


def test_the_ends_are_interchangeable_and_the_edge_does_not_count():
    graph = from_networkx(nx.gnm_random_graph(12, 18, seed=3))
    links = all_links(graph)
    np.testing.assert_array_equal(drnl_labels(graph, links), drnl_labels(graph, links[:, ::-1]))
    for edge in graph.edges:
        np.testing.assert_array_equal(drnl_labels(graph, [edge]), drnl_labels(graph.without([edge]), [edge]))


def test_one_column_for_every_link():
    labels = drnl_labels(path_graph(), [(0, 2), (0, 3), (0, 2)])
    assert labels.shape == (4, 3)
    assert labels.dtype == np.int64
    np.testing.assert_array_equal(labels[:, 0], labels[:, 2])
    assert drnl_labels(path_graph(), np.empty((0, 2), dtype=np.int64)).shape == (4, 0)
    assert drnl_labels(Graph.from_pairs([], 0), []).shape == (0, 0)


def test_labels_do_not_depend_on_the_number_of_threads(monkeypatch):
    graph = from_networkx(nx.gnm_random_graph(60, 100, seed=0))
    links = all_links(graph)[:500]
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(drnl_labels(graph, links))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_links_must_be_nodes_of_the_graph():
    with pytest.raises(ValueError, match="nodes 0 .. 3"):
        drnl_labels(path_graph(), [(0, 4)])
