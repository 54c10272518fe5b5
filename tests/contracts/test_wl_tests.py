"""What every Weisfeiler-Lehman test must satisfy, in both engines."""

from __future__ import annotations

from collections import Counter
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import (
    SYMMETRIC,
    all_links,
    all_pairs,
    atlas,
    classes,
    from_networkx,
    labelled_graphs,
    path_graph,
    refines,
    relabelled,
    small_graphs,
    to_networkx,
)
from linkwl.graph import Graph
from linkwl.wl import READINGS, TESTS, compare, partition_all, refine, refine_all
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.engine import ENGINES, start
from sampling import sampled

# Every class of the right test lies in a class of the left one, in any graphs and under any reading.
CONTAINMENTS = [
    ("local-2-wl", "2-wl"),
    ("2-wl", "2-fwl"),
    ("local-2-wl", "local-2-fwl"),
    ("local-2-fwl", "2-fwl"),
    ("1-wl", "1-wl+01"),
    ("1-wl+01", "1-wl+drnl"),
    ("1-wl", "local-2-wl"),
]
JOINT = {
    "cycles": ["c8", "2 c4", "c3 + c5", "c9"],
    "3-regular": ["cube", "moebius 8", "prism 10", "petersen", "3-regular 10"],
    "6-regular": ["k333", "k2222", "petersen complement"],
    "4-regular": ["circulant 10", "4-regular 9"],
    "strongly regular": ["rook", "shrikhande"],
}

every_test = pytest.mark.parametrize("test", TESTS)
both_engines = pytest.mark.parametrize("engine", ENGINES)
every_reading = pytest.mark.parametrize("reading", READINGS)
symmetric_graph = pytest.mark.parametrize(("test", "name"), sampled(TESTS, SYMMETRIC, 6))
joint_graphs = pytest.mark.parametrize("names", JOINT.values(), ids=list(JOINT))

several_labelled = st.lists(labelled_graphs(max_nodes=6), min_size=1, max_size=3)


def units(colouring):
    """The pairs that stand for what was coloured."""
    n = colouring.graph.num_nodes
    if colouring.unit == "node":
        return np.stack([np.arange(n)] * 2, axis=1)
    return all_links(colouring.graph) if colouring.unit == "link" else all_pairs(colouring.graph)


def colours_of(colourings):
    """The colours of everything in all graphs, in one row."""
    return np.concatenate([own.pairs(units(own)) for own in colourings])


def check_engines_refine_alike(graphs, test, labels=None):
    fast, exact = (refine_all(graphs, test, labels=labels, engine=engine) for engine in ENGINES)
    assert [own.history for own in fast] == [own.history for own in exact]
    assert classes(colours_of(fast)) == classes(colours_of(exact))
    for first, second in zip(fast, exact, strict=True):
        assert first.class_sizes.tolist() == second.class_sizes.tolist()
        assert first.unit == second.unit


def check_engines_partition_alike(targets, test, reading, labels=None):
    fast, exact = (partition_all(targets, test, labels=labels, reading=reading, engine=engine) for engine in ENGINES)
    assert [part.tolist() for part in fast] == [part.tolist() for part in exact]


def some_links(graph, count=6, seed=0):
    """Edges and other links, by turns."""
    links = np.random.default_rng(seed).permutation(all_links(graph))
    if not len(links):
        return links
    is_edge = graph.has_edges(links)
    return np.concatenate([links[is_edge][: count // 2], links[~is_edge][: count - count // 2]])


# --- the fast engine is the exact one ---


@pytest.mark.thorough
@every_test
@given(cases=several_labelled)
@settings(deadline=None, max_examples=25)
def test_engines_refine_random_graphs_alike(test, cases):
    graphs, labels = [graph for graph, _ in cases], [own for _, own in cases]
    check_engines_refine_alike(graphs, test)
    check_engines_refine_alike(graphs, test, labels)


@pytest.mark.thorough
@every_test
@given(graph=small_graphs(min_nodes=7, max_nodes=8))
@settings(deadline=None, max_examples=25)
def test_engines_refine_larger_random_graphs_alike(test, graph):
    check_engines_refine_alike([graph], test)


@symmetric_graph
def test_engines_refine_symmetric_graphs_alike(name, test):
    check_engines_refine_alike([SYMMETRIC[name]], test)


@symmetric_graph
def test_engines_refine_symmetric_graphs_with_labels_alike(name, test):
    graph = SYMMETRIC[name]
    check_engines_refine_alike([graph], test, [["one"] + ["other"] * (graph.num_nodes - 1)])


@every_test
@joint_graphs
def test_engines_refine_several_symmetric_graphs_alike(names, test):
    check_engines_refine_alike([SYMMETRIC[name] for name in names], test)


@pytest.mark.thorough
@every_test
@every_reading
@given(cases=several_labelled, is_labelled=st.booleans())
@settings(deadline=None, max_examples=12)
def test_engines_partition_links_of_random_graphs_alike(test, reading, cases, is_labelled):
    targets = [(graph, all_links(graph)) for graph, _ in cases]
    check_engines_partition_alike(targets, test, reading, [own for _, own in cases] if is_labelled else None)


@pytest.mark.parametrize(
    ("test", "reading", "family"),
    [(*kind, family) for kind, family in sampled(product(TESTS, READINGS), JOINT, 2)],
)
def test_engines_partition_links_of_symmetric_graphs_alike(test, reading, family):
    targets = [(SYMMETRIC[name], some_links(SYMMETRIC[name], 4)) for name in JOINT[family]]
    check_engines_partition_alike(targets, test, reading)


@pytest.mark.thorough
@every_reading
@given(
    first=labelled_graphs(max_nodes=6), second=labelled_graphs(max_nodes=6), is_labelled=st.booleans(), data=st.data()
)
@settings(deadline=None, max_examples=50)
def test_engines_give_the_same_verdicts_in_the_same_rounds(reading, first, second, is_labelled, data):
    sides = []
    for graph, _ in (first, second):
        links = all_links(graph).tolist()
        if not links:
            return
        sides.append((graph, tuple(data.draw(st.sampled_from(links)))))
    labels = (first[1], second[1]) if is_labelled else (None, None)
    fast, exact = (compare(*sides, labels=labels, reading=reading, engine=engine) for engine in ENGINES)
    assert fast == exact


@pytest.mark.thorough
@every_reading
@joint_graphs
def test_engines_give_the_same_verdicts_on_symmetric_graphs(names, reading):
    first = SYMMETRIC[names[0]]
    for name in names:
        graph = SYMMETRIC[name]
        for mine, other in zip(some_links(first, 4), some_links(graph, 4, seed=1)[::-1], strict=True):
            sides = (first, tuple(mine.tolist())), (graph, tuple(other.tolist()))
            fast, exact = (compare(*sides, reading=reading, engine=engine) for engine in ENGINES)
            assert fast == exact


# --- what a colouring is ---


@pytest.mark.thorough
@both_engines
@every_test
@given(cases=several_labelled)
@settings(deadline=None, max_examples=20)
def test_classes_are_counted_right(engine, test, cases):
    found = refine_all([graph for graph, _ in cases], test, labels=[own for _, own in cases], engine=engine)
    for own in found:
        n = own.graph.num_nodes
        assert own.class_sizes.sum() == {"node": n, "pair": n**2, "link": n * (n - 1)}[own.unit]
        sizes = Counter(own.pairs(units(own)).tolist()).values()
        assert own.class_sizes.tolist() == sorted(sizes, reverse=True)
        assert own.num_classes == len(own.class_sizes) == own.history[-1]
        assert list(own.history) == sorted(own.history)
        assert own.rounds == len(own.history) - 1 == found[0].rounds


@pytest.mark.thorough
@both_engines
@every_test
@given(case=labelled_graphs(max_nodes=7))
@settings(deadline=None, max_examples=20)
def test_the_colour_of_a_link_determines_that_of_its_reverse(engine, test, case):
    graph, labels = case
    links = all_links(graph)
    found = refine(graph, test, labels=labels, engine=engine)
    assert refines(found.pairs(links), found.pairs(links[:, ::-1]))


@pytest.mark.thorough
@both_engines
@every_test
def test_the_colour_of_a_link_determines_that_of_its_reverse_in_all_small_graphs(engine, test):
    found = refine_all(atlas(5), test, engine=engine)
    forth = np.concatenate([own.pairs(all_links(own.graph)) for own in found])
    back = np.concatenate([own.pairs(all_links(own.graph)[:, ::-1]) for own in found])
    assert refines(forth, back)


@both_engines
@every_test
def test_rounds_only_ever_split(engine, test):
    graph = SYMMETRIC["frucht"]
    [(case, _)] = split_targets(build_cases([graph], [None])[0], all_links(graph), "visible")
    refinement = start(test, [case], engine=engine)
    before = classes(refinement.links(0))
    for _ in range(5):
        refinement.step()
        after = classes(refinement.links(0))
        assert refines(after, before)
        before = after


@both_engines
@every_test
def test_a_round_more_splits_nothing(engine, test):
    """Where the rounds end, the partition stays as it is, however long one goes on."""
    graphs = [SYMMETRIC["frucht"], path_graph(), from_networkx(nx.gnm_random_graph(9, 10, seed=0))]
    rounds = refine_all(graphs, test, engine=engine)[0].rounds
    cases = [split_targets(case, all_links(case.graph), "visible")[0][0] for case in build_cases(graphs, [None] * 3)]
    refinement = start(test, cases, engine=engine)
    for _ in range(rounds):
        refinement.step()
    stable = classes(np.concatenate([refinement.links(i) for i in range(3)]))
    for _ in range(4):
        refinement.step()
        assert classes(np.concatenate([refinement.links(i) for i in range(3)])) == stable


# --- isomorphism ---


@pytest.mark.thorough
@every_test
@given(case=labelled_graphs(), data=st.data())
@settings(deadline=None, max_examples=25)
def test_renumbering_the_nodes_leaves_the_very_same_words(test, case, data):
    graph, labels = case
    new = np.array(data.draw(st.permutations(range(graph.num_nodes))), dtype=np.int64)
    moved = np.empty(graph.num_nodes, dtype=np.int64)
    moved[new] = labels
    links = all_links(graph)
    whole = build_cases([graph, relabelled(graph, new)], [labels, moved])
    # Each is refined on its own: nothing is shared but the labels' numbers.
    first, second = (
        start(test, [split_targets(case, own, "visible")[0][0]])
        for case, own in zip(whole, (links, new[links] if len(links) else links), strict=True)
    )
    for _ in range(4):
        for masked in (False, True):
            np.testing.assert_array_equal(first.links(0, masked=masked), second.links(0, masked=masked))
        assert first.num_classes == second.num_classes
        if first.unit != "link":
            np.testing.assert_array_equal(first.nodes(0), second.nodes(0)[new])
        if first.keeps_pairs:
            np.testing.assert_array_equal(first.matrix(0), second.matrix(0)[np.ix_(new, new)])
        first.step()
        second.step()


@both_engines
@symmetric_graph
def test_renumbering_the_nodes_renumbers_the_colours(name, test, engine):
    graph = SYMMETRIC[name]
    new = np.random.default_rng(0).permutation(graph.num_nodes)
    first, second = refine_all([graph, relabelled(graph, new)], test, engine=engine)
    np.testing.assert_array_equal(first.pairs(units(first)), second.pairs(new[units(first)]))
    assert first.history == second.history
    alone = refine(relabelled(graph, new), test, engine=engine)
    assert alone.history == first.history
    assert alone.class_sizes.tolist() == first.class_sizes.tolist()


@pytest.mark.thorough
@both_engines
@every_reading
@given(case=labelled_graphs(max_nodes=6), data=st.data())
@settings(deadline=None, max_examples=20)
def test_corresponding_links_are_equal_to_every_test(engine, reading, case, data):
    graph, labels = case
    links = all_links(graph).tolist()
    if not links:
        return
    p, q = data.draw(st.sampled_from(links))
    new = np.array(data.draw(st.permutations(range(graph.num_nodes))))
    moved = np.empty(graph.num_nodes, dtype=np.int64)
    moved[new] = labels
    verdicts = compare(
        (graph, (p, q)),
        (relabelled(graph, new), (new[p], new[q])),
        labels=(labels, moved),
        reading=reading,
        engine=engine,
    )
    assert all(verdict.equal for verdict in verdicts.values())


# --- which test is finer than which ---


@pytest.fixture(scope="module")
def small_partitions():
    """All links of all graphs with up to 5 nodes together, under every test and reading, by the exact engine."""
    targets = [(graph, all_links(graph)) for graph in atlas(5)]
    return {
        (test, reading): np.concatenate(partition_all(targets, test, reading=reading, engine="exact"))
        for test in TESTS
        for reading in READINGS
    }


@pytest.mark.thorough
@every_reading
@pytest.mark.parametrize(("coarse", "fine"), CONTAINMENTS)
def test_containments_hold_on_all_small_graphs(small_partitions, coarse, fine, reading):
    assert refines(small_partitions[fine, reading], small_partitions[coarse, reading])


@pytest.mark.thorough
@every_reading
@pytest.mark.parametrize(("coarse", "fine"), CONTAINMENTS)
@given(cases=st.lists(labelled_graphs(max_nodes=8), min_size=1, max_size=2))
@settings(deadline=None, max_examples=12)
def test_containments_hold_on_random_labelled_graphs(coarse, fine, reading, cases):
    targets, labels = [(graph, all_links(graph)) for graph, _ in cases], [own for _, own in cases]
    first, second = (
        np.concatenate(partition_all(targets, test, labels=labels, reading=reading)) for test in (fine, coarse)
    )
    assert refines(first, second)


@every_reading
@joint_graphs
def test_containments_hold_on_symmetric_graphs(names, reading):
    targets = [(SYMMETRIC[name], some_links(SYMMETRIC[name], 20)) for name in names]
    found = {test: np.concatenate(partition_all(targets, test, reading=reading)) for test in TESTS}
    for coarse, fine in CONTAINMENTS:
        assert refines(found[fine], found[coarse])


def is_seen_whole(graph, link):
    """Whether every component of the graph, without the link's own edge, holds an end of the link."""
    rest = to_networkx(graph.without([link]))
    return all(not component.isdisjoint(link) for component in nx.connected_components(rest))


def seen_whole(graphs):
    """The graphs with their links that see everything, and the size of each link's graph."""
    targets = [
        (graph, [link for link in map(tuple, all_links(graph).tolist()) if is_seen_whole(graph, link)])
        for graph in graphs
    ]
    targets = [(graph, links) for graph, links in targets if links]
    return targets, [graph.num_nodes for graph, links in targets for _ in links]


def check_it_sees_all_that_two_wl_does(graphs, engine="fast"):
    targets, num_nodes = seen_whole(graphs)
    found = {
        test: np.concatenate(partition_all(targets, test, engine=engine)) for test in ("local-2-fwl", "2-wl", "1-wl+01")
    }
    for test in ("local-2-fwl", "1-wl+01"):
        assert refines(found[test], found["2-wl"])
    assert refines(found["local-2-fwl"], num_nodes)


@pytest.mark.thorough
def test_where_every_component_meets_the_link_local_two_fwl_refines_two_wl_and_knows_the_size():
    check_it_sees_all_that_two_wl_does(atlas(5), "exact")


@pytest.mark.thorough
@given(st.lists(small_graphs(min_nodes=6, max_nodes=7), min_size=2, max_size=2))
@settings(deadline=None, max_examples=15)
def test_where_every_component_meets_the_link_it_holds_for_larger_graphs(graphs):
    targets, _ = seen_whole(graphs)
    if targets:
        check_it_sees_all_that_two_wl_does(graphs)


def test_where_a_component_misses_the_link_it_need_not():
    """What the two tests before rely on: without the condition there is a counterexample."""
    alone, beside = Graph.from_pairs([(0, 1), (1, 2)], 3), Graph.from_pairs([(0, 1), (1, 2), (3, 4)], 5)
    found = compare((alone, (0, 2)), (beside, (0, 2)))
    assert found["local-2-fwl"].equal
    assert not found["2-wl"].equal


@pytest.mark.thorough
def test_with_the_edge_removed_local_two_wl_is_one_wl(small_partitions):
    assert classes(small_partitions["1-wl", "removed"]) == classes(small_partitions["local-2-wl", "removed"])


@pytest.mark.thorough
def test_inside_one_graph_two_wl_is_one_wl_on_links_that_are_no_edges(small_partitions):
    begin = 0
    for graph in atlas(5):
        links = all_links(graph)
        is_apart = ~graph.has_edges(links)
        first, second = (
            small_partitions[test, "removed"][begin : begin + len(links)][is_apart] for test in ("1-wl", "2-wl")
        )
        assert classes(first) == classes(second)
        begin += len(links)


@pytest.mark.thorough
@pytest.mark.parametrize("num_nodes", [2100, 3000, 4100, 9000, 20_000])
def test_engines_agree_on_nodes_by_the_thousand(num_nodes):
    """Sizes on both sides of those at which words are counted in another way."""
    graph = from_networkx(nx.gnm_random_graph(num_nodes, 3 * num_nodes, seed=num_nodes))
    fast, exact = (refine(graph, "1-wl", engine=engine) for engine in ENGINES)
    assert fast.history == exact.history
    assert fast.history[-1] > num_nodes // 2
    np.testing.assert_array_equal(fast.nodes, exact.nodes)


@pytest.mark.thorough
@pytest.mark.parametrize("test", ["2-fwl", "local-2-fwl"])
@pytest.mark.parametrize("num_nodes", [47, 60, 75])
def test_engines_agree_on_pairs_by_the_thousand(num_nodes, test):
    graph = from_networkx(nx.gnm_random_graph(num_nodes, 2 * num_nodes, seed=num_nodes))
    fast, exact = (refine(graph, test, engine=engine) for engine in ENGINES)
    assert fast.history == exact.history
    np.testing.assert_array_equal(fast.matrix, exact.matrix)
