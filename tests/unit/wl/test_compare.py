from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import SYMMETRIC, all_links, atlas, from_networkx, path_graph
from linkwl.errors import InputError, MemoryLimitError, UnknownNameError
from linkwl.graph import Graph
from linkwl.wl import READINGS, TESTS, Verdict, compare, partition, refine
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.engine import ENGINES, start

P3 = Graph.from_pairs([(0, 1), (1, 2)], 3)
P6 = from_networkx(nx.path_graph(6))
C5, C6 = (from_networkx(nx.cycle_graph(n)) for n in (5, 6))
PAIR_TESTS = ["local-2-wl", "2-wl", "local-2-fwl", "2-fwl"]
FOLKLORE = ["local-2-fwl", "2-fwl"]
EQUAL = Verdict(equal=True, round=None)
both_engines = pytest.mark.parametrize("engine", ENGINES)


def apart(number):
    return Verdict(equal=False, round=number)


@both_engines
def test_the_ends_of_two_paths_differ_in_round_3(engine):
    """Neither path changes after round 1, and then the links are still equal."""
    verdicts = compare((P3, (0, 2)), (path_graph(), (0, 3)), engine=engine)
    assert verdicts["1-wl"] == verdicts["local-2-wl"] == apart(3)
    assert [refine(graph, "1-wl", engine=engine).rounds for graph in (P3, path_graph())] == [1, 1]
    cases = [
        split_targets(build_cases([graph], [None])[0], [link], "removed")[0][0]
        for graph, link in ((P3, (0, 2)), (path_graph(), (0, 3)))
    ]
    together = start("1-wl", cases, engine=engine)
    equal = []
    for _ in range(5):
        equal.append(bool(together.links(0)[0] == together.links(1)[0]))
        together.step()
    assert equal == [True, True, True, False, False]


# Round 1 counts nodes (2-WL) and common neighbours (2-FWL), or hears a mark next to the ends.
@both_engines
@pytest.mark.parametrize(
    ("first", "second", "rounds"),
    [
        ((P6, (0, 2)), (P6, (0, 3)), (None, None, None, 1, 1, 2, 1)),
        ((P6, (0, 2)), (P6, (5, 3)), (None,) * 7),
        ((P6, (0, 1)), (P6, (0, 2)), (1, 1, 1, 1, 1, 1, 1)),
        ((P3, (0, 2)), (path_graph(), (0, 3)), (3, 3, 1, 1, 1, 2, 1)),
        ((C5, (0, 2)), (C6, (0, 2)), (None, None, 1, 2, 1, 3, 1)),
    ],
)
def test_rounds_that_separate(first, second, rounds, engine):
    found = compare(first, second, engine=engine)
    assert {test: verdict.round for test, verdict in found.items()} == dict(zip(TESTS, rounds, strict=True))
    assert all(verdict.equal == (verdict.round is None) for verdict in found.values())


@both_engines
@pytest.mark.parametrize("reading", READINGS)
def test_a_link_equals_itself(reading, engine):
    for graph in (P6, SYMMETRIC["prism 10"]):
        for link in ((0, 1), (0, 3)):
            found = compare((graph, link), (graph, link), reading=reading, engine=engine)
            assert found == dict.fromkeys(TESTS, EQUAL)


@both_engines
def test_links_are_ordered(engine):
    found = compare((P3, (0, 1)), (P3, (1, 0)), engine=engine, reading="visible")
    assert not any(verdict.equal for verdict in found.values())
    assert compare((P3, (0, 2)), (P3, (2, 0)), engine=engine) == dict.fromkeys(TESTS, EQUAL)


@both_engines
@pytest.mark.parametrize("reading", READINGS)
def test_one_graph_given_twice_is_as_good_as_two(reading, engine):
    again = Graph.from_pairs(P6.edges, 6)
    for first, second in (((0, 1), (0, 2)), ((0, 1), (1, 2)), ((0, 2), (0, 3))):
        same = compare((P6, first), (P6, second), reading=reading, engine=engine)
        assert compare((P6, first), (again, second), reading=reading, engine=engine) == same


@both_engines
def test_a_removed_edge_equals_the_link_in_the_graph_without_it(engine):
    for graph in (P6, C6, SYMMETRIC["cube"], SYMMETRIC["k2222"]):
        edge = tuple(graph.edges[1].tolist())
        found = compare((graph, edge), (graph.without([edge]), edge), engine=engine)
        assert found == dict.fromkeys(TESTS, EQUAL)


@both_engines
def test_with_its_edge_removed_a_link_does_not_give_itself_away(engine):
    """In a cycle less an edge the missing edge is the pair of ends, as in the path."""
    found = compare((C6, (0, 1)), (P6, (5, 0)), engine=engine)
    assert found == dict.fromkeys(TESTS, EQUAL)


@both_engines
def test_a_visible_edge_is_seen_at_once_by_tests_on_pairs_only(engine):
    found = compare((C5, (0, 1)), (C5, (0, 2)), reading="visible", engine=engine)
    assert all(found[test] == apart(0) for test in PAIR_TESTS)
    assert found["1-wl"] == EQUAL
    assert found["1-wl+01"] == apart(1)
    k2, apart_2 = Graph.from_pairs([(0, 1)], 2), Graph.from_pairs([], 2)
    found = compare((k2, (0, 1)), (apart_2, (0, 1)), reading="visible", engine=engine)
    assert {test: verdict.round for test, verdict in found.items()} == {
        test: 0 if test in PAIR_TESTS else 1 for test in TESTS
    }


@both_engines
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_a_visible_edge_is_not_mistaken_for_a_label(test, engine):
    """Nodes 0 and 1 differ by their label, and by the edge to node 2; all labels differ, so round 0 is the last."""
    graph, labels = Graph.from_pairs([(0, 2)], 3), [0, 1, 2]
    links = [(0, 2), (1, 2)]
    found = compare(
        (graph, links[0]), (graph, links[1]), [test], labels=(labels, labels), reading="visible", engine=engine
    )
    assert found == {test: apart(0)}
    assert partition(graph, test, links, labels=labels, reading="visible", engine=engine).tolist() == [0, 1]


@both_engines
def test_a_masked_edge_of_the_path_with_four_nodes(engine):
    found = compare((path_graph(), (0, 1)), (path_graph(), (0, 2)), reading="masked", engine=engine)
    assert [found[test].equal for test in TESTS] == [True, True, True, False, False, False, False]
    assert all(found[test] == apart(1) for test in FOLKLORE)


@both_engines
@pytest.mark.parametrize("test", FOLKLORE)
@pytest.mark.parametrize("name", ["petersen", "paley 13", "rook", "shrikhande", "k333", "k2222"])
def test_a_masked_edge_comes_back_where_colours_are_stable_from_the_start(name, test, engine):
    """Nothing splits in these graphs, but a masked link starts with less and has still to hear."""
    graph = SYMMETRIC[name]
    edge = tuple(graph.edges[0].tolist())
    other = tuple(graph.non_edges(np.array([0]))[0].tolist())
    assert compare((graph, edge), (graph, other), [test], reading="masked", engine=engine) == {test: apart(1)}


@pytest.mark.thorough
@both_engines
@pytest.mark.parametrize("reading", READINGS)
def test_the_verdict_on_two_links_is_that_of_the_partition(reading, engine):
    """An edge and another link of every graph with up to 5 nodes that has both."""
    for graph in atlas(5):
        if not graph.num_edges or not graph.num_non_edges:
            continue
        links = [tuple(graph.edges[0].tolist()), tuple(graph.non_edges(np.array([0]))[0].tolist())]
        for test, verdict in compare((graph, links[0]), (graph, links[1]), reading=reading, engine=engine).items():
            first, second = partition(graph, test, links, reading=reading, engine=engine)
            assert verdict.equal == (first == second), (test, graph.edges.tolist(), links)


@pytest.mark.thorough
@both_engines
@pytest.mark.parametrize("reading", READINGS)
def test_the_verdict_on_links_of_symmetric_graphs_is_that_of_the_partition(reading, engine):
    for name in ("2 c4", "c3 + c5", "cube", "petersen", "k2222", "4-regular 9"):
        graph = SYMMETRIC[name]
        links = all_links(graph)[:8]
        parts = {test: partition(graph, test, links, reading=reading, engine=engine) for test in TESTS}
        for i in range(1, 8):
            verdicts = compare((graph, tuple(links[0])), (graph, tuple(links[i])), reading=reading, engine=engine)
            for test, verdict in verdicts.items():
                assert verdict.equal == (parts[test][0] == parts[test][i]), (test, name, links[i])


def test_tests_are_answered_in_the_order_asked_and_once():
    found = compare((P6, (0, 2)), (P6, (0, 3)), ["2-fwl", "1-wl", "2-fwl"])
    assert list(found) == ["2-fwl", "1-wl"]
    assert list(compare((P6, (0, 2)), (P6, (0, 3)))) == list(TESTS)
    assert compare((P6, (0, 2)), (P6, (0, 3)), []) == {}


def test_every_test_is_announced():
    names = []
    compare((P6, (0, 2)), (P6, (0, 3)), ["2-fwl", "1-wl", "2-fwl"], on_test=names.append)
    assert names == ["2-fwl", "1-wl"]


@pytest.mark.parametrize(("tests", "error"), [(["1-wl", "2-fwl"], MemoryLimitError), (["1-wl", "x"], UnknownNameError)])
def test_no_test_runs_unless_all_can(tests, error):
    names = []
    with pytest.raises(error):
        compare((P6, (0, 2)), (P6, (0, 3)), tests, memory_limit=1000, on_test=names.append)
    assert names == []


def test_only_links_called_equal_by_the_fast_engine_may_differ():
    for engine in ENGINES:
        for test, verdict in compare((P6, (0, 2)), (P6, (5, 3)), engine=engine).items():
            assert verdict == EQUAL
            assert (0 < verdict.error_bound < 1e-15) == (engine == "fast"), test
            assert (verdict.error_bound == 0) == (engine == "exact")
        assert compare((P6, (0, 1)), (P6, (0, 2)), ["2-fwl"], engine=engine)["2-fwl"].error_bound == 0


@both_engines
def test_labels_are_compared(engine):
    two = Graph.from_pairs([], 2)
    found = compare((two, (0, 1)), (two, (0, 1)), labels=(["a", "b"], ["a", "b"]), engine=engine)
    assert found == dict.fromkeys(TESTS, EQUAL)
    found = compare((two, (0, 1)), (two, (0, 1)), labels=(["a", "b"], ["b", "a"]), engine=engine)
    assert found == dict.fromkeys(TESTS, apart(0))
    found = compare((two, (0, 1)), (two, (1, 0)), labels=(["a", "b"], ["b", "a"]), engine=engine)
    assert found == dict.fromkeys(TESTS, EQUAL)


@both_engines
@pytest.mark.parametrize("reading", READINGS)
def test_labels_elsewhere_are_heard(reading, engine):
    """At the far end of a path, six steps away."""
    path = from_networkx(nx.path_graph(7))
    found = compare((path, (0, 2)), (path, (0, 2)), labels=([0] * 7, [0] * 6 + [1]), reading=reading, engine=engine)
    assert not any(verdict.equal for verdict in found.values())
    assert found["1-wl"] == apart(4)


@pytest.mark.parametrize("labels", [([1, 2, 3], None), (None, [1, 2, 3]), ([1, 2, 3], [1, 2]), ([1, 2, 3], ["1"] * 3)])
def test_labels_must_fit(labels):
    with pytest.raises(InputError):
        compare((P3, (0, 2)), (P3, (0, 2)), labels=labels)


def test_what_cannot_be_compared():
    directed = Graph.from_pairs([(0, 1)], 3, is_directed=True)
    with pytest.raises(InputError, match="directed"):
        compare((P3, (0, 2)), (directed, (0, 2)))
    with pytest.raises(InputError, match=r"link \(1, 1\) joins a node to itself"):
        compare((P3, (0, 2)), (P3, (1, 1)))
    with pytest.raises(ValueError, match=r"nodes 0 \.\. 2"):
        compare((P3, (0, 3)), (P3, (0, 2)))
    with pytest.raises(UnknownNameError, match="unknown test '3-wl'"):
        compare((P3, (0, 2)), (P3, (0, 2)), ["3-wl"])
    with pytest.raises(UnknownNameError, match="engine"):
        compare((P3, (0, 2)), (P3, (0, 2)), engine="slow")
    with pytest.raises(UnknownNameError, match="reading"):
        compare((P3, (0, 2)), (P3, (0, 2)), reading="hidden")


@pytest.mark.parametrize("link", [(0, 2), [0, 2], np.array([0, 2]), (np.int32(0), np.int64(2))], ids=repr)
def test_a_link_is_two_numbers_in_any_form(link):
    assert compare((P3, link), (P3, (2, 0)))["2-fwl"] == EQUAL


def test_one_test_may_be_named_alone():
    path = path_graph()
    assert list(compare((path, (0, 2)), (path, (0, 3)), tests="2-fwl")) == ["2-fwl"]
