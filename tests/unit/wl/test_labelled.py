from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import SYMMETRIC, all_links, classes, from_networkx, path_graph
from linkwl.graph import Graph
from linkwl.wl import drnl_labels, partition, refine
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.exact import EXACT
from linkwl.wl.labelled import FastDRNL, FastZeroOne
from linkwl.wl.mixing import COLLISION
from linkwl.wl.refinement import until_stable

both_tests = pytest.mark.parametrize("test", [FastZeroOne, FastDRNL])


def with_links(graph, links, labels=None):
    return split_targets(build_cases([graph], [labels])[0], links, "visible")[0][0]


def test_links_of_a_path_computed_by_hand():
    """P3: in round 1 the ends have heard the mark next to them, or not."""
    refinement = FastZeroOne([with_links(Graph.from_pairs([(0, 1), (1, 2)], 3), [(0, 1), (1, 0), (2, 1), (0, 2)])])
    assert classes(refinement.links(0)) == [0, 0, 0, 0]
    assert refinement.num_classes == 2
    refinement.step()
    assert classes(refinement.links(0)) == [0, 1, 0, 2]
    assert (refinement.num_classes, refinement.count(0)) == (5, 3)


def test_a_link_and_its_reverse_share_a_run():
    links = [(0, 3), (3, 0), (0, 3), (1, 3)]
    refinement = FastZeroOne([with_links(path_graph(), links)])
    assert refinement.num_coloured == 4 * 2
    refinement.step()
    assert classes(refinement.links(0)) == [0, 0, 0, 1]


def test_the_first_marks_are_the_ends_or_the_distances():
    link = [(0, 4)]
    graph = from_networkx(nx.path_graph(6))
    assert FastZeroOne([with_links(graph, link)]).num_classes == 2
    # 1 at the ends, 4 and 5 between them, 0 beyond.
    assert drnl_labels(graph, link)[:, 0].tolist() == [1, 4, 5, 4, 1, 0]
    assert FastDRNL([with_links(graph, link)]).num_classes == 4


@both_tests
def test_marks_do_not_hide_labels(test):
    graph = Graph.from_pairs([], 4)
    found = refine(graph, test.id, labels=[0, 0, 1, 1])
    assert classes(found.pairs([(0, 1), (0, 2), (2, 0), (2, 3), (1, 3)])) == [0, 1, 2, 3, 1]


@both_tests
def test_a_mark_is_not_mistaken_for_a_label(test):
    """Labels 0 and 1 against marks 0 and 1."""
    case = with_links(Graph.from_pairs([], 4), [(0, 1), (2, 3)], labels=[0, 0, 1, 1])
    assert test([case]).num_classes == 4


@both_tests
@pytest.mark.parametrize("num_links", [1, 63, 64, 65, 128, 129, 200])
def test_blocks_of_links_agree_with_the_definition(test, num_links):
    graph = from_networkx(nx.gnm_random_graph(15, 18, seed=4))
    links = np.random.default_rng(0).permutation(all_links(graph))[:num_links]
    fast, exact = test([with_links(graph, links)]), EXACT[test.id]([with_links(graph, links)])
    for first, second in zip(until_stable(fast), until_stable(exact), strict=True):
        assert first == second
        assert fast.count(0) == exact.count(0)
        assert classes(fast.links(0)) == classes(exact.links(0))


@both_tests
def test_a_link_is_coloured_alike_whatever_other_links_are_there(test):
    graph = SYMMETRIC["frucht"]
    links = all_links(graph)
    together = test([with_links(graph, links)])
    alone = [test([with_links(graph, [link])]) for link in links[:20]]
    for _ in range(4):
        assert together.links(0)[:20].tolist() == [int(own.links(0)[0]) for own in alone]
        for own in (together, *alone):
            own.step()


@both_tests
def test_the_words_do_not_depend_on_the_number_of_threads(test, monkeypatch):
    graph = from_networkx(nx.gnm_random_graph(50, 80, seed=0))
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(partition(graph, test.id, all_links(graph)[:700], reading="visible"))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@both_tests
def test_no_links_have_no_colours(test):
    refinement = test([with_links(path_graph(), [])])
    assert (refinement.num_classes, refinement.num_coloured, refinement.count(0)) == (0, 0, 0)
    assert refinement.links(0).shape == (0,)
    refinement.step()


@both_tests
def test_memory_grows_with_nodes_and_links(test):
    links = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]
    sizes = [test.memory([with_links(path_graph(), links[:k])]) for k in (0, 1, 5)]
    assert sizes[0] == 0
    assert sizes[2] == 5 * sizes[1]
    assert sizes[1] >= 4 * 32
    assert test.memory([with_links(path_graph(), [(0, 1), (1, 0), (0, 1)])]) == sizes[1], "which share a run"


@both_tests
def test_the_error_bound_grows_with_the_degree(test):
    refinement = test([with_links(from_networkx(nx.star_graph(9)), [(1, 2)])])
    assert refinement.error_bound == pytest.approx((9 + refinement.num_classes**2 / 2 + 1 / 2) * COLLISION)


def test_marks_see_what_two_fwl_does_not():
    """Non-edges of the Shrikhande graph whose two common neighbours are joined, or are not."""
    links = [(0, 2), (0, 6)]
    assert partition(SYMMETRIC["shrikhande"], "2-fwl", links).tolist() == [0, 0]
    assert partition(SYMMETRIC["shrikhande"], "1-wl+01", links).tolist() == [0, 1]
