from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import classes, from_networkx
from linkwl.graph import Graph
from linkwl.wl import refine
from linkwl.wl.case import build_cases
from linkwl.wl.local_two_fwl import FastLocalTwoFWL
from linkwl.wl.mixing import COLLISION, mix, round_keys


def by_whole_numbers(graph, words, keys):
    """A round in Python's own numbers, modulo 2^64."""
    n, full = graph.num_nodes, 2**64
    own, y, x = ([[int(mix(word ^ key)) for word in row] for row in words] for key in keys[:3])

    def part(p, q, key):
        heard = sum(x[p][u] * y[u][q] for u in graph.neighbours(p).tolist()) % full
        return int(mix(np.uint64(heard) ^ key))

    return [[(own[p][q] + part(p, q, keys[3]) + part(q, p, keys[4])) % full for q in range(n)] for p in range(n)]


@pytest.mark.parametrize(("num_nodes", "num_edges"), [(1, 0), (2, 1), (7, 9), (20, 40), (66, 90)])
def test_a_round_is_the_formula_in_whole_numbers(num_nodes, num_edges):
    graph = from_networkx(nx.gnm_random_graph(num_nodes, num_edges, seed=0))
    refinement = FastLocalTwoFWL(build_cases([graph], [None]))
    for number in (1, 2):
        expected = by_whole_numbers(graph, refinement.matrix(0).copy(), round_keys(number))
        refinement.step()
        assert refinement.matrix(0).tolist() == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "graph",
    [
        nx.path_graph(64),
        nx.cycle_graph(65),
        nx.circular_ladder_graph(33),
        nx.gnm_random_graph(70, 60, seed=1),
        nx.random_regular_graph(3, 66, seed=1),
    ],
)
def test_graphs_around_the_size_of_a_tile_agree_with_the_definition(graph):
    fast, exact = (refine(from_networkx(graph), "local-2-fwl", engine=engine) for engine in ("fast", "exact"))
    assert fast.history == exact.history
    np.testing.assert_array_equal(fast.matrix, exact.matrix)


def test_the_words_do_not_depend_on_the_number_of_threads(monkeypatch):
    graph = from_networkx(nx.gnm_random_graph(300, 600, seed=0))
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        refinement = FastLocalTwoFWL(build_cases([graph], [None]))
        refinement.step()
        refinement.step()
        results.append(refinement.matrix(0))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_both_parts_are_heard():
    """Node 0 is alone, so all that (0, q) hears comes through q, and all that (q, 0) hears likewise."""
    found = refine(Graph.from_pairs([(1, 2), (3, 4), (4, 5)], 6), "local-2-fwl")
    assert classes(found.pairs([(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)])) == [0, 0, 1, 2, 1]
    assert classes(found.pairs([(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)])) == [0, 0, 1, 2, 1]


def test_the_components_of_the_ends_are_seen_and_no_others():
    """A path of three, alone and next to others: all pairs of the path keep their colours."""
    alone = Graph.from_pairs([(0, 1), (1, 2)], 3)
    beside = Graph.from_pairs([(0, 1), (1, 2), (3, 4), (4, 5), (3, 5)], 8)
    refinement = FastLocalTwoFWL(build_cases([alone, beside], [None, None]))
    for _ in range(5):
        np.testing.assert_array_equal(refinement.matrix(0), refinement.matrix(1)[:3, :3])
        refinement.step()


def test_the_error_bound_grows_with_the_degree():
    refinement = FastLocalTwoFWL(build_cases([from_networkx(nx.star_graph(20))], [None]))
    assert refinement.error_bound == (33 * 20 + 9 / 2) * COLLISION
