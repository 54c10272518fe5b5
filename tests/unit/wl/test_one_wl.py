from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import classes, from_networkx, path_graph
from linkwl.graph import Graph
from linkwl.wl import refine
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.exact import ExactNodes
from linkwl.wl.mixing import COLLISION
from linkwl.wl.one_wl import FastOneWL
from linkwl.wl.refinement import until_stable


def with_links(graph, links, labels=None, reading="visible"):
    return split_targets(build_cases([graph], [labels])[0], links, reading)[0][0]


def test_nodes_of_a_path_computed_by_hand():
    refinement = FastOneWL(build_cases([path_graph()], [None]))
    assert (refinement.num_classes, refinement.num_coloured, refinement.count(0)) == (1, 4, 1)
    refinement.step()
    assert classes(refinement.nodes(0)) == [0, 1, 1, 0]
    assert (refinement.num_classes, refinement.count(0), refinement.round) == (2, 2, 1)


def test_a_link_has_the_colours_of_its_ends_in_their_order():
    refinement = FastOneWL([with_links(path_graph(), [(0, 1), (1, 0), (0, 2), (3, 1), (0, 3), (1, 2)])])
    assert classes(refinement.links(0)) == [0] * 6
    refinement.step()
    assert classes(refinement.links(0)) == [0, 1, 0, 0, 2, 3]


def test_there_is_no_edge_in_a_link_to_mask():
    refinement = FastOneWL([with_links(path_graph(), [(0, 1), (0, 2)])])
    refinement.step()
    np.testing.assert_array_equal(refinement.links(0), refinement.links(0, masked=True))


def test_a_multiset_counts_its_members():
    """Nodes that hear one, two or three times the same colour, with equal degrees by other neighbours."""
    stars = Graph.from_pairs([(0, k) for k in range(3, 7)] + [(1, k) for k in range(7, 11)], 11)
    labels = [9, 9, 5] + [1, 1, 2, 2] + [1, 2, 2, 2]
    found = refine(stars, "1-wl", labels=labels)
    assert found.nodes[0] != found.nodes[1]


def test_a_long_path_takes_as_many_rounds_as_half_its_length():
    found = refine(from_networkx(nx.path_graph(201)), "1-wl")
    assert found.rounds == 100
    assert found.history == tuple(range(1, 102))
    assert found.nodes.tolist() == [*range(101), *reversed(range(100))]


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_definition_round_by_round(seed):
    graphs = [from_networkx(nx.gnm_random_graph(40, 45, seed=seed + k)) for k in (0, 100)]
    labels = [np.random.default_rng(seed).integers(0, 2, 40) for _ in graphs] if seed else [None, None]
    fast, exact = (engine(build_cases(graphs, labels)) for engine in (FastOneWL, ExactNodes))
    for _ in zip(until_stable(fast), until_stable(exact), strict=True):
        assert fast.num_classes == exact.num_classes
        assert classes(np.concatenate([fast.nodes(0), fast.nodes(1)])) == classes(
            np.concatenate([exact.nodes(0), exact.nodes(1)])
        )


def test_a_large_graph_agrees_with_the_definition_and_with_itself_on_any_number_of_threads(monkeypatch):
    rng = np.random.default_rng(0)
    graph = Graph.from_pairs(rng.integers(0, 40_000, (50_000, 2)), 40_000)
    words = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        fast = FastOneWL(build_cases([graph], [None]))
        counts = list(until_stable(fast))
        words.append(fast.nodes(0))
    np.testing.assert_array_equal(words[0], words[1])
    np.testing.assert_array_equal(words[0], words[2])
    exact = ExactNodes(build_cases([graph], [None]))
    assert list(until_stable(exact)) == counts
    assert classes(exact.nodes(0)) == classes(words[0])


def test_words_are_the_same_whatever_other_graphs_are_there():
    alone = FastOneWL(build_cases([path_graph()], [None]))
    together = FastOneWL(build_cases([Graph.from_pairs([(0, 1)], 5), path_graph()], [None, None]))
    for _ in range(3):
        np.testing.assert_array_equal(alone.nodes(0), together.nodes(1))
        alone.step()
        together.step()


def test_the_error_bound_grows_with_the_degree_and_the_classes():
    star = FastOneWL(build_cases([from_networkx(nx.star_graph(50))], [None]))
    assert star.error_bound == (50 + 1 / 2) * COLLISION
    star.step()
    assert star.error_bound == (50 + 4 / 2) * COLLISION


def test_memory_is_a_few_words_for_every_node():
    sizes = [FastOneWL.memory(build_cases([Graph.from_pairs([], n)], [None])) for n in (0, 1, 1000)]
    assert sizes[0] == 0
    assert sizes[2] == 1000 * sizes[1]
