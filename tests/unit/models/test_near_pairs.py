from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph, load_graph
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions
from linkwl.models.near_pairs import are_near, num_common, num_nearest, sample_near_pairs, sample_nearest


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
        drawn = sample_nearest(places, empty, 200_000, np.random.default_rng(0))
        pairs, count = np.unique(drawn, axis=0, return_counts=True)
        expected = 200_000 * places.num_listings(pairs) / num_nearest(places)
        assert np.abs(count - expected).max() < 6 * np.sqrt(expected.max())

    def test_unknown_places_have_no_close_pairs(self, placed):
        nowhere = Positions(np.full((80, 2), np.nan), "plane")
        assert num_nearest(nowhere) == 0
        assert len(sample_nearest(nowhere, placed, 10, np.random.default_rng(0))) == 0
