from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph
from linkwl.errors import SplitError
from linkwl.protocols import PROTOCOLS
from linkwl.splits import TemporalSplit, audit_split

TEMPORAL = PROTOCOLS["temporal"]


def timed(times, num_nodes=60, seed=0):
    """A graph whose k-th edge has the k-th time."""
    generator = np.random.default_rng(seed)
    plain = Graph.from_pairs(generator.integers(0, num_nodes, (3 * len(times), 2)), num_nodes)
    edges = plain.edges[generator.permutation(plain.num_edges)[: len(times)]]
    return Graph.from_pairs(edges, num_nodes, time=np.asarray(times))


def times_of(graph, pairs):
    found = {tuple(edge): time for edge, time in zip(graph.edges.tolist(), graph.edge_time.tolist(), strict=True)}
    return [found[tuple(sorted(pair))] for pair in pairs.tolist()]


def test_the_past_trains_and_the_future_tests():
    graph = timed(np.random.default_rng(1).permutation(200))
    split = TEMPORAL.apply(graph, 0)
    past, near, future = (times_of(graph, fold.positives) for fold in split.folds.values())
    assert (len(past), len(near), len(future)) == (170, 10, 20)
    assert max(past) < min(near) <= max(near) < min(future)
    assert split.test.observed.num_edges == 180
    assert audit_split(split, graph).passed


def test_edges_of_one_moment_stay_together():
    graph = timed(np.repeat(np.arange(20), 10))
    split = TEMPORAL.apply(graph, 0)
    folds = [set(times_of(graph, fold.positives)) for fold in split.folds.values()]
    assert not folds[0] & folds[1]
    assert not folds[1] & folds[2]
    assert sum(map(len, folds)) == 20


def test_seeds_differ_in_negatives_alone():
    graph = timed(np.arange(200))
    one, other = (TEMPORAL.apply(graph, seed) for seed in (0, 1))
    np.testing.assert_array_equal(one.test.positives, other.test.positives)
    assert not np.array_equal(one.test.negatives, other.test.negatives)


def test_an_edge_exists_from_its_first_time():
    graph = Graph.from_pairs([(0, 1), (1, 0), (0, 1)], 2, time=[5, 3, 9])
    assert graph.edge_time.tolist() == [3]


def test_a_graph_without_times_is_refused():
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 60, (200, 2)), 60)
    with pytest.raises(SplitError, match=r"the edges have no times; name the column that holds them"):
        TEMPORAL.apply(graph, 0)


@pytest.mark.parametrize("times", [np.zeros(200, int), np.arange(200) > 100])
def test_too_few_different_times_are_refused(times):
    with pytest.raises(SplitError, match="too few to divide into past, near future and future"):
        TEMPORAL.apply(timed(times.astype(int)), 0)


def test_ratios_are_checked():
    with pytest.raises(ValueError, match="must be positive and leave edges to train on"):
        TemporalSplit(0.5, 0.5)
