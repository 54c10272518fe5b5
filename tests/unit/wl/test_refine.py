from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import classes, from_networkx, path_graph
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph
from linkwl.wl import TESTS, refine, refine_all
from linkwl.wl.engine import ENGINES

P3 = Graph.from_pairs([(0, 1), (1, 2)], 3)
both_engines = pytest.mark.parametrize("engine", ENGINES)
every_test = pytest.mark.parametrize("test", TESTS)

# Rounds on the path 0 - 1 - 2 - 3 by hand: its pairs have 8 orbits, its links 6. With marks the classes of links are
# complete in round 1, but other nodes are told apart up to round 2.
PATH_HISTORY = {
    "1-wl": (1, 2),
    "local-2-wl": (3, 8),
    "2-wl": (3, 8),
    "local-2-fwl": (3, 8),
    "2-fwl": (3, 8),
    "1-wl+01": (1, 6, 6),
    "1-wl+drnl": (1, 6, 6),
}


@both_engines
@every_test
def test_rounds_on_a_path_computed_by_hand(test, engine):
    found = refine(path_graph(), test, engine=engine)
    assert found.history == PATH_HISTORY[test]
    assert found.rounds == len(found.history) - 1
    assert (found.test, found.graph.num_edges) == (test, 3)
    assert found.labels.tolist() == [0, 0, 0, 0]


@both_engines
@every_test
def test_a_colouring_is_the_same_every_time(test, engine):
    graph = from_networkx(nx.gnm_random_graph(10, 14, seed=0))
    pairs = [(0, 1), (1, 0), (3, 4), (5, 9), (9, 5)]
    first, second = (refine(graph, test, engine=engine).pairs(pairs) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@both_engines
def test_graphs_refined_together_take_their_rounds_together(engine):
    """P3 and P4 alone are done after round 1, together after round 3."""
    first, second = refine_all([P3, path_graph()], "1-wl", engine=engine)
    assert first.history == second.history == (1, 2, 2, 2)
    assert first.nodes.tolist() == [0, 1, 0]
    assert second.nodes.tolist() == [2, 3, 3, 2]
    assert refine(P3, "1-wl", engine=engine).history == refine(path_graph(), "1-wl", engine=engine).history == (1, 2)


@both_engines
@every_test
def test_a_graph_twice_has_its_colours_twice(test, engine):
    graph = from_networkx(nx.gnm_random_graph(7, 8, seed=1))
    first, second = refine_all([graph, graph], test, engine=engine)
    alone = refine(graph, test, engine=engine)
    pairs = [(p, q) for p in range(7) for q in range(7) if p != q]
    np.testing.assert_array_equal(first.pairs(pairs), second.pairs(pairs))
    assert first.history == second.history == alone.history
    assert classes(first.pairs(pairs)) == classes(alone.pairs(pairs))


@both_engines
@every_test
def test_no_graphs(test, engine):
    assert refine_all([], test, engine=engine) == []


@both_engines
@every_test
def test_a_graph_without_nodes(test, engine):
    empty = Graph.from_pairs([], 0)
    found = refine(empty, test, engine=engine)
    assert (found.history, found.num_classes, found.rounds) == ((0,), 0, 0)
    assert found.class_sizes.tolist() == []
    assert found.pairs([]).tolist() == []
    first, second = refine_all([empty, path_graph()], test, engine=engine)
    assert set(first.history) == {0}
    assert second.history == PATH_HISTORY[test]


@both_engines
@every_test
def test_one_node(test, engine):
    found = refine(Graph.from_pairs([], 1), test, engine=engine)
    assert found.class_sizes.tolist() == ([] if "+" in test else [1])
    assert found.history == ((0,) if "+" in test else (1,))


@both_engines
@every_test
@pytest.mark.parametrize("graph", [nx.empty_graph(5), nx.complete_graph(5)], ids=["no edges", "complete"])
def test_nodes_that_are_all_alike(graph, test, engine):
    found = refine(from_networkx(graph), test, engine=engine)
    sizes = {"node": [5], "pair": [20, 5], "link": [20]}[found.unit]
    assert found.class_sizes.tolist() == sizes
    assert classes(found.history) == [0] * len(found.history)


@both_engines
@every_test
def test_isolated_nodes_are_told_from_others(test, engine):
    found = refine(Graph.from_pairs([(0, 1)], 4), test, engine=engine)
    kinds = classes(found.pairs([(0, 1), (1, 0), (0, 2), (0, 3), (2, 0), (3, 1), (2, 3), (3, 2)]))
    assert kinds == [0, 0, 1, 1, 2, 2, 3, 3]


@both_engines
@every_test
def test_labels_of_different_kinds_say_the_same(test, engine):
    cycle = from_networkx(nx.cycle_graph(5))
    pairs = [(p, q) for p in range(5) for q in range(5) if p != q]
    plain = refine(cycle, test, engine=engine).pairs(pairs)
    kinds = [
        [7, 7, 0, 7, 7],
        ["b", "b", "a", "b", "b"],
        np.array(["x", "x", "long", "x", "x"]),
        np.array([[1, 0], [1, 0], [0, 1], [1, 0], [1, 0]]),
        [0.5, 0.5, 1.5, 0.5, 0.5],
    ]
    found = [classes(refine(cycle, test, labels=labels, engine=engine).pairs(pairs)) for labels in kinds]
    assert all(partition == found[0] for partition in found)
    assert len(set(found[0])) > len(set(plain.tolist()))


@both_engines
def test_labels_compare_across_graphs(engine):
    first, second = refine_all([P3, P3], "1-wl", labels=[["x", "y", "x"], ["x", "x", "y"]], engine=engine)
    # Ends and middle of x y x, then x with one neighbour, x in the middle and y with one neighbour.
    assert first.nodes.tolist() == [0, 1, 0]
    assert len({*first.nodes.tolist(), *second.nodes.tolist()}) == 5
    assert classes(first.labels) == [0, 1, 0]


def test_labels_must_be_there_for_all_graphs():
    with pytest.raises(InputError, match="for all graphs or for none"):
        refine_all([P3, P3], "1-wl", labels=[[1, 2, 3], None])
    with pytest.raises(InputError, match="2 graphs and 1 sets"):
        refine_all([P3, P3], "1-wl", labels=[None])
    with pytest.raises(InputError, match="3 nodes and 2 labels"):
        refine(P3, "1-wl", labels=[1, 2])
    with pytest.raises(InputError, match="kind or width"):
        refine_all([P3, P3], "1-wl", labels=[[1, 2, 3], ["1", "2", "3"]])


@every_test
def test_what_cannot_be_refined(test):
    with pytest.raises(InputError, match="directed"):
        refine(Graph.from_pairs([(0, 1)], 2, is_directed=True), test)
    with pytest.raises(UnknownNameError, match="engine"):
        refine(P3, test, engine="slow")
    with pytest.raises(UnknownNameError, match="unknown test"):
        refine(P3, test + "x")


@both_engines
@every_test
def test_rounds_are_reported_as_they_happen(test, engine):
    """With the number of classes that the history of a single graph has."""
    rounds = []
    found = refine(path_graph(), test, engine=engine, on_round=lambda number, count: rounds.append((number, count)))
    assert [number for number, _ in rounds] == list(range(found.rounds + 1))
    assert tuple(count for _, count in rounds) == found.history


@every_test
def test_only_the_fast_engine_can_err(test):
    graph = from_networkx(nx.petersen_graph())
    assert refine(graph, test, engine="exact").error_bound == 0
    assert 0 < refine(graph, test).error_bound < 1e-15


@every_test
def test_nothing_can_be_missed_where_everything_is_told_apart(test):
    """Except where the words of links are made of those of nodes, and may fall together."""
    bound = refine(Graph.from_pairs([(0, 1)], 2), test, labels=["a", "b"]).error_bound
    assert (bound == 0) is ("+" not in test)
    assert bound < 1e-18


@both_engines
@every_test
def test_the_graph_is_left_as_it_was(test, engine):
    graph = from_networkx(nx.gnm_random_graph(6, 7, seed=2))
    labels = np.array([3, 1, 3, 1, 3, 1])
    digest = graph.digest
    refine(graph, test, labels=labels, engine=engine)
    assert graph.edges.tolist() == from_networkx(nx.gnm_random_graph(6, 7, seed=2)).edges.tolist()
    assert graph.digest == digest
    assert labels.tolist() == [3, 1, 3, 1, 3, 1]
