from __future__ import annotations

import json

import numpy as np
import pytest

from facts import random_facts
from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph
from linkwl.models.triples.mixed_batches import MixedBatches
from linkwl.splits import Fold, Targets

GRAPH = random_facts(60, 6, 200)
HELD_OUT = np.array([(0, 5, 1), (7, 3, 9), (8, 8 % 6, 2)])


def stream(graph=GRAPH, **settings):
    nothing = np.empty((0, 3), dtype=np.int32)
    train = Fold(graph, Targets(graph.triples, nothing))
    settings = {"batch_size": 30, "uniform": 2, "corrupted": 3, "seed": 0} | settings
    return MixedBatches(train, graph.reserve(HELD_OUT), **settings)


def test_positives_are_hidden_and_each_fact_comes_once_in_an_epoch():
    batches, seen = stream(), []
    for _ in range(GRAPH.num_facts // 30):
        batch = next(batches)
        assert not batch.observed.contains(batch.positives).any()
        assert batch.observed.num_facts == GRAPH.num_facts - 30
        assert GRAPH.contains(batch.positives).all()
        seen += map(tuple, batch.positives.tolist())
    assert len(set(seen)) == len(seen)


def test_negatives_are_neither_facts_nor_held_out():
    batches, reserved = stream(), GRAPH.reserve(HELD_OUT)
    for _ in range(20):
        batch = next(batches)
        assert len(batch.uniform) == 60
        assert len(batch.corrupted) > 30
        assert not reserved.contains(np.concatenate([batch.uniform, batch.corrupted])).any()
        assert len(batch.queries) == 30 + 60 + len(batch.corrupted)


def test_corruptions_are_near_the_facts_and_uniform_ones_are_not():
    batch = next(stream())
    pairs = {tuple(row) for row in batch.positives[:, [0, 2]].tolist()}
    near = [tuple(row) in pairs for row in batch.corrupted[:, [0, 2]].tolist()]
    assert np.mean(near) > 0.5
    assert np.mean([tuple(row) in pairs for row in batch.uniform[:, [0, 2]].tolist()]) < 0.1


def test_some_negatives_join_an_entity_with_itself():
    batch = next(stream())
    loops = batch.corrupted[batch.corrupted[:, 0] == batch.corrupted[:, 2]]
    assert len(loops) >= 2
    assert not GRAPH.contains(loops).any()


def test_a_stream_continues_where_another_stopped():
    first = stream()
    for _ in range(8):
        next(first)
    state = json.loads(json.dumps(first.state()))
    second = stream()
    second.restore(state)
    for _ in range(8):
        one, other = next(first), next(second)
        np.testing.assert_array_equal(one.queries, other.queries)
        assert one.observed.digest == other.observed.digest


def test_a_seed_decides():
    assert not np.array_equal(next(stream()).queries, next(stream(seed=1)).queries)


def test_nothing_to_train_on():
    with pytest.raises(SplitError, match="no fact to train on"):
        stream(KnowledgeGraph.from_triples([], 60, 6))


def test_too_few_triples_for_negatives():
    full = KnowledgeGraph.from_triples([(0, 0, 0), (0, 0, 1), (1, 0, 0)], 2, 1)
    nothing = np.empty((0, 3), dtype=np.int32)
    with pytest.raises(SplitError, match=r"needs 2 negatives, but only 1 .* lower 'training.batch_ratio'"):
        MixedBatches(Fold(full, Targets(full.triples, nothing)), full, batch_size=1, uniform=2, corrupted=0, seed=0)
