from __future__ import annotations

import json
from itertools import islice

import numpy as np
import pytest

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.models.gradient import TrainingConfig
from linkwl.splits import Fold, Targets
from linkwl.training.batches import BatchStream


def stream(split, seed=0, **settings):
    return BatchStream(split.train, split.reserved, TrainingConfig(**settings), seed)


def keys(pairs):
    return {tuple(sorted(pair)) for pair in np.asarray(pairs).tolist()}


def same(one, other):
    return (
        np.array_equal(one.positives, other.positives)
        and np.array_equal(one.negatives, other.negatives)
        and one.observed.digest == other.observed.digest
    )


def test_an_epoch_takes_every_positive_once(split):
    count = len(split.train.positives)
    batches = list(islice(stream(split, batch_ratio=1 / 5), 5))
    assert {len(batch.positives) for batch in batches} == {count // 5}
    taken = [key for batch in batches for key in keys(batch.positives)]
    assert len(taken) == len(set(taken)) == count // 5 * 5


def test_epochs_differ(split):
    batches = list(islice(stream(split, batch_ratio=1.0), 2))
    assert not np.array_equal(batches[0].positives, batches[1].positives)
    assert keys(batches[0].positives) == keys(batches[1].positives)


def test_the_positives_leave_the_observed_graph_and_nothing_else_does(split):
    batch = next(stream(split, batch_ratio=0.3))
    assert keys(batch.observed.edges) == keys(split.train.observed.edges) - keys(batch.positives)
    assert batch.observed.num_edges == split.train.observed.num_edges - len(batch.positives)
    assert batch.observed.digest == split.train.observed.without(batch.positives).digest


def test_negatives_avoid_edges_and_all_held_out_pairs_alike(split):
    avoided = keys(split.train.observed.edges)
    for fold in (split.valid, split.test):
        avoided |= keys(fold.positives) | keys(fold.negatives)
    drawn = [keys(batch.negatives) for batch in islice(stream(split, batch_ratio=0.5, negatives_per_positive=3), 6)]
    for batch in drawn:
        assert len(batch) == 3 * (len(split.train.positives) // 2)
        assert not batch & avoided
    assert drawn[0] != drawn[1]


def test_labels_go_with_pairs(split):
    batch = next(stream(split, negatives_per_positive=2))
    assert batch.labels.dtype == np.float32
    assert batch.labels.sum() == len(batch.positives)
    np.testing.assert_array_equal(batch.queries[batch.labels == 1], batch.positives)
    np.testing.assert_array_equal(batch.queries[batch.labels == 0], batch.negatives)


def test_sizes_are_capped_and_never_zero(split):
    assert stream(split, batch_ratio=0.5, max_batch=7).batch_size == 7
    assert stream(split, batch_ratio=1e-9).batch_size == 1


def test_the_seed_decides(split):
    first, again, other = stream(split), stream(split), stream(split, seed=1)
    for _ in range(3):
        batch = next(first)
        assert same(batch, next(again))
        assert not same(batch, next(other))


@pytest.mark.parametrize("steps", [0, 1, 7, 8, 9, 20])
def test_a_state_goes_through_json_and_back(split, steps):
    first = stream(split)
    for _ in range(steps):
        next(first)
    state = json.loads(json.dumps(first.state()))
    second = stream(split, seed=99)
    second.restore(state)
    assert all(same(next(first), next(second)) for _ in range(10))


def test_a_state_does_not_change_when_the_stream_goes_on(split):
    batches = stream(split)
    state = batches.state()
    text = json.dumps(state)
    list(islice(batches, 20))
    assert json.dumps(state) == text


def test_positives_that_are_reversed_or_not_observed(split):
    positives = np.concatenate([split.train.positives[:3, ::-1], split.valid.positives[:2]])
    fold = Fold(split.train.observed, Targets(positives, split.train.negatives))
    batch = next(BatchStream(fold, split.reserved, TrainingConfig(batch_ratio=1.0), 0))
    assert keys(split.train.observed.edges) - keys(batch.observed.edges) == keys(positives[:3])


def test_directed_edges_leave_one_way():
    graph = Graph.from_pairs([(0, 1), (1, 0), (2, 1)], 4, is_directed=True)
    fold = Fold(graph, Targets(np.array([(1, 0), (0, 2)]), np.empty((0, 2), dtype=np.int32)))
    batch = next(BatchStream(fold, graph, TrainingConfig(batch_ratio=1.0), 0))
    assert batch.observed.edges.tolist() == [[0, 1], [2, 1]]


def test_no_edges_and_no_room(split):
    empty = np.empty((0, 2), dtype=np.int32)
    with pytest.raises(SplitError, match="no edge to train on"):
        BatchStream(Fold(split.train.observed, Targets(empty, empty)), split.reserved, TrainingConfig(), 0)
    complete = Graph.from_pairs([(p, q) for q in range(8) for p in range(q)], 8).without([(0, 1)])
    with pytest.raises(SplitError, match="needs 3 negatives, but only 1 pairs are neither"):
        BatchStream(Fold(complete, Targets(complete.edges, empty)), complete, TrainingConfig(), 0)


def test_near_pairs_take_the_place_of_some_negatives(split):
    batches = stream(split, batch_ratio=0.2, near_share=0.25)
    plain = next(stream(split, batch_ratio=0.2))
    batch = next(batches)
    assert np.array_equal(batch.positives, plain.positives)
    assert len(batch.negatives) == len(plain.negatives) - len(plain.negatives) // 4
    assert 0 < len(batch.near.pairs) <= len(plain.negatives) // 4
    assert not keys(batch.near.pairs) & (keys(split.reserved.edges) | keys(batch.observed.edges))
    np.testing.assert_array_equal(batch.queries, np.concatenate([batch.positives, batch.negatives, batch.near.pairs]))


def test_near_pairs_go_on_where_they_were(split):
    batches, again = (stream(split, near_share=0.5) for _ in range(2))
    next(batches)
    state = json.loads(json.dumps(batches.state()))
    again.restore(state)
    np.testing.assert_array_equal(next(again).near.pairs, next(batches).near.pairs)


def test_near_pairs_of_directed_links_include_those_the_wrong_way_round(split):
    directed = Graph.from_pairs(split.train.positives, split.train.observed.num_nodes, is_directed=True)
    batch = next(BatchStream(Fold(directed, split.train.targets), directed, TrainingConfig(near_share=0.5), 0))
    hidden = Graph.from_pairs(batch.positives, directed.num_nodes, is_directed=True)
    assert hidden.has_edges(batch.near.pairs[:, ::-1]).any()
    assert batch.observed.has_edges(batch.near.pairs[:, ::-1]).any()
    assert not directed.has_edges(batch.near.pairs).any()
