from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl import load_graph
from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.protocols import PAPER
from linkwl.splits.near_negatives import near_negatives


def drawn(graph, observed, count=10**6, seed=0, **options):
    return near_negatives(graph, observed, count, np.random.default_rng(seed), **options)


def share_a_neighbour(graph, pairs):
    return [bool(set(graph.links.neighbours(p)) & set(graph.links.neighbours(q))) for p, q in pairs.tolist()]


def test_all_of_a_small_graph():
    graph = load_graph(nx.karate_club_graph())
    expected = [
        (p, q)
        for p in range(34)
        for q in range(p + 1, 34)
        if not graph.has_edges(np.array([[p, q]]))[0] and share_a_neighbour(graph, np.array([[p, q]]))[0]
    ]
    assert drawn(graph, graph).tolist() == [list(pair) for pair in expected]


def test_some_are_drawn_without_replacement():
    graph = load_airports()
    split = PAPER.apply(graph, 0)
    observed = split.test.observed
    pairs = drawn(graph, observed, 300)
    assert len(np.unique(pairs, axis=0)) == 300
    assert not graph.contains(pairs).any()
    assert all(share_a_neighbour(observed, pairs))
    assert drawn(graph, observed, 300, seed=1).tolist() != pairs.tolist()


def test_held_out_edges_make_no_pair_near():
    """Only the observed graph decides: with other hidden edges on the same pairs, the same negatives are left."""
    graph = load_airports()
    observed = PAPER.apply(graph, 0).test.observed
    everything = drawn(observed, observed)
    found = drawn(graph, observed)
    hidden = everything[graph.contains(everything)]
    assert len(hidden)
    assert len(found) + len(hidden) == len(everything)
    assert Graph.from_pairs(everything, graph.num_nodes).contains(found).all()


def test_each_pair_is_as_likely_as_another():
    star = Graph.from_pairs(np.array([(0, k) for k in range(1, 7)]), 7)
    counts = np.zeros((7, 7))
    for seed in range(3000):
        ((p, q),) = drawn(star, star, 1, seed=seed).tolist()
        counts[p, q] += 1
    of_leaves = counts[np.triu_indices(7, 1)]
    assert (of_leaves > 0).sum() == 15
    assert of_leaves[of_leaves > 0] == pytest.approx(200, abs=5 * np.sqrt(200))


def test_pairs_across_two_sides_are_three_links_apart():
    path = Graph.from_pairs(np.array([(0, 3), (1, 3), (1, 4), (2, 4)]), 5, part=np.array([0, 0, 0, 1, 1]))
    assert drawn(path, path).tolist() == [[0, 4], [2, 3]]


def test_directed_pairs_have_either_order():
    path = Graph.from_pairs(np.array([(0, 1), (1, 2)]), 3, is_directed=True)
    orders = {tuple(drawn(path, path, seed=seed)[0].tolist()) for seed in range(20)}
    assert orders == {(0, 2), (2, 0)}


def test_a_large_graph_is_not_listed_whole():
    graph = load_airports()
    assert 50 <= len(drawn(graph, graph, most=50)) <= 50 + graph.num_nodes


def test_a_graph_without_near_pairs():
    matching = Graph.from_pairs(np.array([(0, 1), (2, 3)]), 4)
    assert drawn(matching, matching).shape == (0, 2)
