from __future__ import annotations

import numpy as np
import pytest

from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.metrics import find_metric
from linkwl.models.edge_folds import balancing_offset, edge_folds, labelled_rows
from linkwl.models.near_pairs import num_common, num_nearest
from linkwl.protocols import PAPER, PROTOCOLS, TrainingData
from linkwl.splits import Fold, Targets


@pytest.fixture(scope="module")
def data():
    return TrainingData.of(PAPER.apply(load_airports(), seed=0), PAPER)


def generator():
    return np.random.default_rng(0)


def test_every_edge_is_hidden_once_and_only_from_its_own_fold(data):
    train = data.train.observed
    folds = list(edge_folds(data, generator(), folds=5, negatives=3))
    assert len(folds) == 5
    for fold in folds:
        assert not fold.observed.has_edges(fold.links).any()
        assert fold.observed.num_edges == train.num_edges - len(fold.links)
        assert len(fold.others) == 3 * len(fold.links)
        assert not data.reserved.has_edges(fold.others).any()
        np.testing.assert_array_equal(fold.labels, [*np.ones(len(fold.links)), *np.zeros(len(fold.others))])
        np.testing.assert_array_equal(fold.pairs[: len(fold.links)], fold.links)
    links = np.concatenate([fold.links for fold in folds])
    assert sorted(map(tuple, links.tolist())) == sorted(map(tuple, train.edges.tolist()))


def test_fewer_edges_take_fewer_folds(data):
    num_edges = data.train.observed.num_edges
    size = -(-num_edges // 10)
    folds = list(edge_folds(data, generator(), folds=10, negatives=1, max_edges=size + 5))
    assert [len(fold.links) for fold in folds] == [size, 5]
    for fold in folds:  # a whole fold is hidden, though only some of it is used
        assert num_edges - fold.observed.num_edges in (size, size - 1)
        assert not fold.observed.has_edges(fold.links).any()


@pytest.mark.parametrize("near_share", [0.5, 1.0])
def test_near_pairs(data, near_share):
    for fold in edge_folds(data, generator(), folds=3, negatives=2, near_share=near_share):
        num_near = round(near_share * len(fold.others))
        assert (num_common(fold.observed, fold.others[:num_near]) > 0).all()
        assert len(fold.others) == 2 * len(fold.links)
        assert not data.reserved.has_edges(fold.others).any()


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (0, 2), (1, 2)]])
def test_tiny_graphs(edges):
    graph = Graph.from_pairs(edges, num_nodes=3)
    fold = Fold(graph, Targets(graph.edges, np.empty((0, 2), dtype=np.int32)))
    data = TrainingData(fold, fold, graph, find_metric("auc"))
    folds = list(edge_folds(data, generator(), folds=10, negatives=2, near_share=0.5))
    assert sum(len(fold.links) for fold in folds) == len(edges)


def test_rows_are_read_on_the_graph_of_their_fold(data):
    def table(graph, pairs):
        return np.stack([graph.has_edges(pairs), np.full(len(pairs), graph.num_edges)], axis=1).astype(float)

    folds = list(edge_folds(data, generator(), folds=4, negatives=2))
    rows, labels, shift, _ = labelled_rows(folds, table, 2)
    assert shift is None
    assert not rows[:, 0].any()
    assert labels.sum() == data.train.observed.num_edges
    np.testing.assert_array_equal(np.unique(rows[:, 1]), sorted({fold.observed.num_edges for fold in folds}))
    assert [part.shape for part in labelled_rows([], table, 2)[:2]] == [(0, 2), (0,)]


def test_the_offset_balances_the_labels():
    assert balancing_offset(np.array([1.0, 0, 0, 0])) == pytest.approx(np.log(3))
    assert balancing_offset(np.empty(0)) == 0


def test_folds_of_the_past_are_windows_of_time():
    ends = np.random.default_rng(0).integers(0, 40, (300, 2))
    graph = Graph.from_pairs(ends, 40, time=np.random.default_rng(1).permutation(300))
    protocol = PROTOCOLS["temporal"]
    data = TrainingData.of(protocol.apply(graph, 0), protocol)
    time = dict(zip(map(tuple, graph.edges.tolist()), graph.edge_time.tolist(), strict=True))
    folds = list(edge_folds(data, generator(), folds=4, negatives=2, near_share=0.5))
    assert len(folds) == 4
    for fold in folds:
        assert fold.observed.edge_time.max() < min(time[tuple(link)] for link in fold.links.tolist())
        assert fold.observed.degree[fold.pairs].min() > 0
        assert not data.reserved.has_edges(fold.others).any()
    assert sum(len(fold.links) for fold in edge_folds(data, generator(), folds=4, negatives=1, max_edges=9)) == 9


class TestOnAMap:
    @pytest.fixture
    def data(self):
        return TrainingData.of(PAPER.apply(load_airports(with_places=True), 0), PAPER)

    def test_there_are_as_many_close_pairs_as_others(self, data):
        places = data.train.observed.attributes.positions
        for fold in edge_folds(data, generator(), folds=3, negatives=2):
            assert 0 < len(fold.close) <= len(fold.others)
            assert (places.num_listings(fold.close) > 0).all()
            assert not data.reserved.has_edges(fold.close).any()
            assert not data.train.observed.has_edges(fold.close).any()
            assert len(fold.pairs) == len(fold.labels) == len(fold.shift)

    def test_the_shift_is_the_ratio_of_the_expected_draws(self, data):
        places = data.train.observed.attributes.positions
        fold = next(edge_folds(data, generator(), folds=3, negatives=2))
        count = len(fold.others)
        uniform = count / data.reserved.num_absent
        close = count * places.num_listings(fold.pairs) / num_nearest(places)
        np.testing.assert_allclose(fold.shift, np.log(uniform / (uniform + close)))

    def test_the_offset_does_not_count_close_pairs(self, data):
        folds = list(edge_folds(data, generator(), folds=3, negatives=2))
        rows = labelled_rows(folds, lambda graph, pairs: np.zeros((len(pairs), 1)), 1)
        assert rows.offset == pytest.approx(np.log(2), abs=1e-3)
        assert rows.shift.min() < 0
