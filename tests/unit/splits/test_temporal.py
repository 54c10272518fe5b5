from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph
from linkwl.errors import SplitError
from linkwl.protocols import PROTOCOLS, Protocol
from linkwl.splits import KnownNegatives, TemporalSplit, audit_split, sample_negatives

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
    graph = timed(np.random.default_rng(1).permutation(200), num_nodes=30)
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


def test_the_folds_around_a_moment():
    graph = timed(np.random.default_rng(1).permutation(200), num_nodes=30)
    split = Protocol("chosen", TemporalSplit(until=150, horizon=20), KnownNegatives(), ("auc",)).apply(graph, 0)
    past, near, future = (times_of(graph, fold.positives) for fold in split.folds.values())
    assert (min(past), max(past)) == (0, 130)
    assert (min(near), max(near)) == (131, 150)
    assert (min(future), max(future)) == (151, 170)
    assert split.test.observed.num_edges == 151
    assert audit_split(split, graph).passed


def test_one_of_moment_and_horizon_is_enough():
    graph = timed(np.random.default_rng(1).permutation(200), num_nodes=30)
    for splitter, sizes in (
        (TemporalSplit(until=149), (143, 7, 50)),
        (TemporalSplit(horizon=30), (140, 30, 30)),
    ):
        held_out = splitter.hold_out(graph, np.random.default_rng(0))
        assert tuple(map(len, held_out.positives)) == sizes


@pytest.mark.parametrize(
    ("splitter", "says"),
    [
        (TemporalSplit(until=500), "no edge is after the chosen moment"),
        (TemporalSplit(until=10, horizon=20), "no edge is before the chosen moment"),
        (TemporalSplit(until=-5), "no edge is before the chosen moment"),
    ],
)
def test_a_moment_outside_of_the_times_is_refused(splitter, says):
    with pytest.raises(SplitError, match=says):
        splitter.hold_out(timed(np.arange(200)), np.random.default_rng(0))


def test_a_horizon_reaches_forward():
    with pytest.raises(ValueError, match="`horizon` must be positive"):
        TemporalSplit(horizon=0)


def growing():
    """At every time, a new node joins an earlier one, and two earlier ones join each other."""
    generator = np.random.default_rng(0)
    edges = [(k + 1, int(generator.integers(0, k + 1))) for k in range(300)]
    edges += [(k, (k + 7 * k * k + 1) % max(k, 1)) for k in range(1, 300)]
    return Graph.from_pairs(edges, 301, time=np.append(np.arange(300), np.arange(1, 300) + 20))


def test_targets_are_among_the_nodes_that_are_known_by_then():
    graph = growing()
    split = TEMPORAL.apply(graph, 0)
    hidden = graph.num_edges - split.test.observed.num_edges
    assert 0 < len(split.test.positives) < hidden
    for fold in split.folds.values():
        assert len(fold.negatives) == len(fold.positives)
        assert fold.observed.degree[fold.targets.queries].min() > 0
        assert not graph.has_edges(fold.negatives).any()
    drawn = sample_negatives(split.reserved, 500, np.random.default_rng(1))
    assert split.train.observed.degree[drawn].min() > 0
    assert audit_split(split, graph).passed


def test_a_future_of_new_nodes_alone_is_refused():
    edges = [(k + 1, k // 2) for k in range(300)]
    graph = Graph.from_pairs(edges, 301, time=np.arange(300))
    with pytest.raises(SplitError, match="every edge after the chosen moment joins a node that has none before it"):
        TEMPORAL.apply(graph, 0)


def test_the_moments_are_in_the_record():
    assert TEMPORAL.to_json()["split"] == "temporal"
    assert "until" not in TEMPORAL.to_json()
    assert TemporalSplit(until=3.0, horizon=2.0).to_json()["horizon"] == 2.0
