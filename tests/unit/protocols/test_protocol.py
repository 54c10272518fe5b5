from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from linkwl import Graph
from linkwl.datasets import load_airports
from linkwl.errors import LinkwlWarning, SplitError
from linkwl.metrics import auc, average_precision
from linkwl.protocols import PAPER, PROTOCOLS, Protocol, TrainingData, target_scores
from linkwl.splits import RandomSplit, Targets, UniformNegatives
from triple_graphs import relatives


def test_metrics_are_measured_on_the_scores_of_the_targets():
    targets = PAPER.apply(load_airports(), 0).test.targets
    scores = np.random.default_rng(0).random(len(targets.queries))
    positive, negative = np.split(scores, [len(targets.positives)])
    assert PAPER.measure(targets, scores) == {
        "auc": auc(positive, negative),
        "ap": average_precision(positive, negative),
    }


def test_the_metric_that_selects_is_the_first_or_the_one_named():
    half = RandomSplit(0.25, 0.25)
    assert Protocol("p", half, UniformNegatives(), ("ap", "auc")).selection.id == "ap"
    named = Protocol("p", half, UniformNegatives(), ("ap", "auc"), selects="auc")
    assert named.selection.id == "auc"
    assert named.to_json()["selects"] == "auc"
    assert "selects" not in PAPER.to_json()
    with pytest.raises(ValueError, match="`selects` must be one of the metrics ap, auc, got 'mrr'"):
        Protocol("p", half, UniformNegatives(), ("ap", "auc"), selects="mrr")


def test_a_protocol_that_needs_more_negatives_says_so():
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 40, (100, 2)), 40)
    with pytest.raises(SplitError, match=r"Hits@100 of protocol `hits` needs 100 negatives, and the validation fold"):
        PROTOCOLS["hits"].apply(graph, 0)


def test_a_metric_of_the_first_targets_needs_so_many():
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 40, (100, 2)), 40)
    narrow = replace(PAPER, metrics=("auc", "precision@50"))
    with pytest.raises(SplitError, match=r"P@50 of protocol `paper` needs 50 targets, and the validation fold has"):
        narrow.apply(graph, 0)


def random_directed() -> Graph:
    pairs = np.random.default_rng(0).integers(0, 40, (200, 2))
    return Graph.from_pairs(pairs, 40, is_directed=True, name="d")


def test_directions_are_kept_and_recorded_unless_pairs_have_no_order():
    directed = random_directed()
    assert PAPER.view(directed) is directed
    assert PAPER.apply(directed, 0).train.observed.is_directed
    assert PAPER.to_json(directed) == PAPER.to_json() | {"pairs": "ordered"}
    assert PAPER.to_json(directed.links) == PAPER.to_json()
    unordered = replace(PAPER, is_ordered=False)
    with pytest.warns(LinkwlWarning, match="d: the directions of the edges are dropped, because protocol `paper`"):
        assert not unordered.view(directed).is_directed
    assert unordered.to_json(directed) == PAPER.to_json()
    plain = directed.to_undirected()
    assert unordered.view(plain) is plain


def test_training_data_without_directions():
    directed = random_directed()
    split = PAPER.apply(directed, 0)
    data = TrainingData.of(split, PAPER).undirected()
    links = split.train.observed.links
    assert (data.train.observed.digest, data.valid.observed.digest) == (links.digest, links.digest)
    np.testing.assert_array_equal(data.train.positives, links.edges)
    assert 0 < len(data.train.negatives) < len(split.train.negatives)
    assert not links.has_edges(data.train.negatives).any()
    assert data.valid.targets is split.valid.targets
    assert data.reserved.has_edges(split.valid.targets.queries[:, ::-1]).all()


def test_training_sees_two_folds_and_never_the_third():
    split = PAPER.apply(load_airports(), 0)
    data = TrainingData.of(split, PAPER)
    assert (data.train, data.valid, data.selection.id) == (split.train, split.valid, "auc")
    assert not hasattr(data, "test")


def test_scores_are_divided_as_the_targets_are():
    targets = Targets(np.zeros((2, 2), int), np.zeros((3, 2), int), np.array([0, 1, 3]))
    scores = target_scores(targets, np.arange(5.0))
    assert (scores.positive.tolist(), scores.negative.tolist()) == ([0, 1], [2, 3, 4])
    assert scores.lists is targets.candidates


def test_the_mean_of_several_metrics_selects():
    half = RandomSplit(0.25, 0.25)
    protocol = Protocol("p", half, UniformNegatives(), ("acc", "auc", "ap"), selects="acc+auc")
    targets = protocol.apply(load_airports(), 0).valid.targets
    scores = np.random.default_rng(0).random(len(targets.queries))
    found = protocol.validate(targets, scores, threshold=0.5)
    assert found["acc+auc"] == (found["acc"] + found["auc"]) / 2
    assert set(protocol.measure(targets, scores)) == {"acc", "auc", "ap"}
    assert protocol.to_json()["selects"] == "acc+auc"
    assert PAPER.validate(targets, scores) == PAPER.measure(targets, scores)
    with pytest.raises(ValueError, match="`selects` must be one of the metrics"):
        Protocol("p", half, UniformNegatives(), ("acc", "auc"), selects="acc+ap")


def test_scores_of_pools_and_other_relations_are_divided():
    targets = PROTOCOLS["indigo"].apply(relatives(), 0).test.targets
    scores = np.arange(len(targets.queries), dtype=np.float64)
    found = target_scores(targets, scores, threshold=3.0)
    assert found.positive.tolist() == scores[: len(targets.positives)].tolist()
    assert len(found.negative) == len(targets.negatives) == found.pools[-1]
    assert found.relations.scores[-1] == scores[-1]
    assert found.relations.offsets is targets.relations.offsets
    assert found.threshold == 3.0
    metrics = PROTOCOLS["indigo"].measure(targets, np.zeros(len(scores)))
    assert metrics == {"acc": 0.5, "auc": 0.5, "relation-hits@3": 0.75, "relation-hits@3-pessimistic": 0.0}


def test_a_random_split_of_edges_with_times_says_that_it_flatters():
    ends = np.random.default_rng(0).integers(0, 60, (200, 2))
    graph = Graph.from_pairs(ends, 60, time=np.arange(200))
    with pytest.warns(LinkwlWarning, match="do better than on the future; protocol `temporal` measures that"):
        PAPER.apply(graph, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PROTOCOLS["temporal"].apply(graph, 0)


def test_weights_that_tell_of_the_future_are_left_out():
    ends = np.random.default_rng(0).integers(0, 30, (300, 2))
    times = np.random.default_rng(1).integers(0, 300, 300)
    graph = Graph.from_pairs(ends, 30, time=times, weight=np.ones(300), name="calls")
    with pytest.warns(LinkwlWarning, match="calls: the weights are left out, because .* include later times"):
        assert PROTOCOLS["temporal"].view(graph).weight is None
    assert PROTOCOLS["paper"].view(graph).weight is not None
    once = Graph.from_pairs(graph.edges, 30, time=graph.edge_time, weight=graph.edge_weight)
    assert PROTOCOLS["temporal"].view(once) is once
