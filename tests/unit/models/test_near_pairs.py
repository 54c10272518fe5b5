from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph, load_graph
from linkwl.models.near_pairs import are_near, num_common, sample_near_pairs


@pytest.fixture(scope="module")
def karate():
    return load_graph(nx.karate_club_graph())


def near(graph, linked):
    """All pairs that two edges join and that are no links, by networkx."""
    theirs = nx.from_edgelist(graph.edges.tolist())
    pairs = [(p, q) for p, q in combinations(sorted(theirs), 2) if set(theirs[p]) & set(theirs[q])]
    return {pair for pair in pairs if not linked.has_edges(np.array([pair]))[0]}


def test_every_such_pair_is_found_and_no_other(karate):
    sample = sample_near_pairs(karate, karate, 20_000, np.random.default_rng(0))
    assert {(int(p), int(q)) for p, q in sample.pairs} == near(karate, karate)


def test_a_sum_over_the_sample_stands_for_the_sum_over_all(karate):
    expected = near(karate, karate)
    value = {pair: 1 + pair[0] * pair[1] for pair in expected}
    sums = []
    for seed in range(200):
        sample = sample_near_pairs(karate, karate, 50, np.random.default_rng(seed))
        sums.append(sum(w * value[int(p), int(q)] for (p, q), w in zip(sample.pairs, sample.weight, strict=True)))
    error = np.std(sums) / np.sqrt(len(sums))
    assert abs(np.mean(sums) - sum(value.values())) < 4 * error


def test_pairs_that_are_left_out_never_come(karate):
    hidden = np.array(sorted(near(karate, karate)))[::2]
    linked = Graph.from_pairs(np.concatenate([karate.edges, hidden]), karate.num_nodes)
    sample = sample_near_pairs(karate, linked, 5000, np.random.default_rng(0))
    assert not linked.has_edges(sample.pairs).any()
    assert len(sample.pairs) < 5000


def test_without_paths_there_is_no_pair():
    matching = Graph.from_pairs(np.array([(0, 1), (2, 3)]), 5)
    pairs, weight = sample_near_pairs(matching, matching, 10, np.random.default_rng(0))
    assert (pairs.shape, weight.shape) == ((0, 2), (0,))


def test_common_neighbours_are_counted(karate):
    pairs = np.array([(0, 33), (0, 1), (4, 20)])
    theirs = nx.karate_club_graph()
    assert num_common(karate, pairs).tolist() == [len(set(theirs[p]) & set(theirs[q])) for p, q in pairs.tolist()]


@pytest.fixture(scope="module")
def two_sides():
    ends = np.random.default_rng(3).integers(0, 8, (26, 2))
    return Graph.from_pairs(2 * ends + [0, 1], 16, part=np.arange(16) % 2)


def near_across(graph):
    """All pairs across the sides with their number of paths of three edges, by powers of the adjacency."""
    walks = np.linalg.matrix_power(graph.to_scipy().toarray(), 3)
    pairs = graph.non_edges(np.arange(graph.num_non_edges))
    return {(int(p), int(q)): int(walks[p, q]) for p, q in pairs if walks[p, q] > 0}


def test_near_pairs_of_a_bipartite_graph_join_its_sides(two_sides):
    expected = near_across(two_sides)
    sample = sample_near_pairs(two_sides, two_sides, 20_000, np.random.default_rng(0))
    assert {(int(p), int(q)) for p, q in sample.pairs} == set(expected)
    every = two_sides.non_edges(np.arange(two_sides.num_non_edges))
    assert are_near(two_sides, every).tolist() == [(int(p), int(q)) in expected for p, q in every]
    value = {pair: 1 + pair[0] * pair[1] for pair in expected}
    sums = []
    for seed in range(200):
        sample = sample_near_pairs(two_sides, two_sides, 50, np.random.default_rng(seed))
        sums.append(sum(w * value[int(p), int(q)] for (p, q), w in zip(sample.pairs, sample.weight, strict=True)))
    assert abs(np.mean(sums) - sum(value.values())) < 4 * np.std(sums) / np.sqrt(len(sums))


def test_a_star_has_no_near_pair_across():
    star = Graph.from_pairs(np.array([(0, 1), (0, 2), (0, 3)]), 5, part=np.array([0, 1, 1, 1, 0]))
    assert len(sample_near_pairs(star, star, 10, np.random.default_rng(0)).pairs) == 0
