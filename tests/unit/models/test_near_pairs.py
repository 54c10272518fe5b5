from __future__ import annotations

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph, load_graph
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions
from linkwl.models.near_pairs import (
    are_near,
    num_common,
    num_nearest,
    sample_near_ordered_pairs,
    sample_near_pairs,
    sample_nearest,
)


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


@pytest.fixture(scope="module")
def directed(karate):
    """Some edges one way, some the other, some both ways."""
    turn = np.random.default_rng(0).random(len(karate.edges))
    edges = np.concatenate([karate.edges[turn < 0.6], karate.edges[turn > 0.5, ::-1]])
    return Graph.from_pairs(edges, karate.num_nodes, is_directed=True)


def near_ordered(observed, linked):
    """All ordered pairs that are no links and that two edges, or the reverse edge, join."""
    theirs = nx.from_edgelist(observed.edges.tolist())
    edges = {(p, q) for p, q in observed.edges.tolist()}
    pairs = ((p, q) for p, q in permutations(sorted(theirs), 2) if (q, p) in edges or set(theirs[p]) & set(theirs[q]))
    return {pair for pair in pairs if not linked.has_edges(np.array([pair]))[0]}


def test_ordered_pairs_stand_for_all_of_them(directed):
    hidden = directed.edges[::6]
    observed = directed.without(hidden)
    expected = near_ordered(observed, directed)
    everything = sample_near_ordered_pairs(observed, directed, hidden, 60_000, np.random.default_rng(0))
    assert {(int(p), int(q)) for p, q in everything.pairs} == expected
    value = {pair: 1 + pair[0] * pair[1] for pair in expected}
    sums = []
    for seed in range(300):
        sample = sample_near_ordered_pairs(observed, directed, hidden, 60, np.random.default_rng(seed))
        sums.append(sum(w * value[int(p), int(q)] for (p, q), w in zip(sample.pairs, sample.weight, strict=True)))
    assert abs(np.mean(sums) - sum(value.values())) < 4 * np.std(sums) / np.sqrt(len(sums))


def test_near_pairs_of_a_graph(directed, karate):
    pairs = np.array(list(permutations(range(34), 2)))
    found = {(int(p), int(q)) for p, q in pairs[are_near(directed, pairs)]}
    nothing = Graph.from_pairs([], 34, is_directed=True)
    assert found == near_ordered(directed, nothing)
    assert np.array_equal(are_near(karate, pairs), num_common(karate, pairs) > 0)


def test_directed_edges_without_paths_are_near_their_reverse():
    matching = Graph.from_pairs(np.array([(0, 1), (2, 3)]), 5, is_directed=True)
    nothing = np.empty((0, 2), dtype=np.int32)
    sample = sample_near_ordered_pairs(matching, matching, nothing, 6, np.random.default_rng(0))
    assert sorted(sample.pairs.tolist()) == [[1, 0], [3, 2]]
    assert sample.weight.tolist() == [1, 1]


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


class TestOnAMap:
    @pytest.fixture
    def placed(self):
        generator = np.random.default_rng(0)
        graph = Graph.from_pairs(generator.integers(80, size=(90, 2)), 80)
        return graph.with_attributes(Attributes(positions=Positions(generator.normal(size=(80, 2)), "plane")))

    def near(self, graph):
        pairs = np.array([(p, q) for p, q in combinations(range(graph.num_nodes), 2)])
        pairs = pairs[are_near(graph, pairs) & ~graph.has_edges(pairs)]
        return {(int(p), int(q)) for p, q in pairs}

    def test_close_pairs_and_pairs_with_a_common_neighbour_are_found_and_no_others(self, placed):
        sample = sample_near_pairs(placed, placed, 60_000, np.random.default_rng(0))
        assert {(int(p), int(q)) for p, q in sample.pairs} == self.near(placed)

    def test_a_sum_over_the_sample_stands_for_the_sum_over_all(self, placed):
        value = {pair: 1 + pair[0] * pair[1] for pair in self.near(placed)}
        sums = []
        for seed in range(200):
            sample = sample_near_pairs(placed, placed, 101, np.random.default_rng(seed))
            sums.append(sum(w * value[int(p), int(q)] for (p, q), w in zip(sample.pairs, sample.weight, strict=True)))
        error = np.std(sums) / np.sqrt(len(sums))
        assert abs(np.mean(sums) - sum(value.values())) < 4 * error

    def test_entries_of_the_lists_are_uniform(self, placed):
        places = placed.attributes.positions
        empty = Graph.from_pairs(np.empty((0, 2), dtype=np.int32), 80)
        drawn = sample_nearest(placed, empty, 200_000, np.random.default_rng(0))
        pairs, count = np.unique(drawn, axis=0, return_counts=True)
        expected = 200_000 * places.num_listings(pairs) / num_nearest(places)
        assert np.abs(count - expected).max() < 6 * np.sqrt(expected.max())

    def test_unknown_places_have_no_close_pairs(self, placed):
        nowhere = Positions(np.full((80, 2), np.nan), "plane")
        assert num_nearest(nowhere) == 0
        graph = placed.with_attributes(Attributes(positions=nowhere))
        assert len(sample_nearest(graph, placed, 10, np.random.default_rng(0))) == 0

    def test_in_a_bipartite_graph_they_join_its_sides(self, two_sides):
        points = np.random.default_rng(0).normal(size=(16, 2))
        placed = two_sides.with_attributes(Attributes(positions=Positions(points, "plane")))
        pairs = np.array(list(combinations(range(16), 2)))
        is_across = pairs.sum(axis=1) % 2 == 1
        assert are_near(placed, pairs).tolist() == is_across.tolist()
        sample = sample_near_pairs(placed, placed, 20_000, np.random.default_rng(0))
        expected = pairs[is_across & ~placed.has_edges(pairs)]
        assert {(int(p), int(q)) for p, q in sample.pairs} == {(int(p), int(q)) for p, q in expected}
        weights = [sample_near_pairs(placed, placed, 50, np.random.default_rng(seed)).weight for seed in range(200)]
        sums = [weight.sum() for weight in weights]
        assert abs(np.mean(sums) - len(expected)) < 4 * np.std(sums) / np.sqrt(len(sums))

    def test_ordered_pairs_stand_for_all_of_them(self, placed):
        edges = np.concatenate([placed.edges, placed.edges[::3, ::-1]])
        directed = Graph.from_pairs(edges, 80, is_directed=True).with_attributes(placed.attributes)
        hidden = directed.edges[::6]
        observed = directed.without(hidden)
        pairs = np.array(list(permutations(range(80), 2)))
        pairs = pairs[are_near(observed, pairs) & ~directed.has_edges(pairs)]
        value = {(int(p), int(q)): 1 + p * q for p, q in pairs}
        everything = sample_near_ordered_pairs(observed, directed, hidden, 150_000, np.random.default_rng(0))
        assert {(int(p), int(q)) for p, q in everything.pairs} == set(value)
        sums = []
        for seed in range(200):
            sample = sample_near_ordered_pairs(observed, directed, hidden, 101, np.random.default_rng(seed))
            sums.append(sum(w * value[int(p), int(q)] for (p, q), w in zip(sample.pairs, sample.weight, strict=True)))
        assert abs(np.mean(sums) - sum(value.values())) < 4 * np.std(sums) / np.sqrt(len(sums))
