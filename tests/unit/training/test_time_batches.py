from __future__ import annotations

import json

import numpy as np

from linkwl import PROTOCOLS, Graph
from linkwl.models.gradient import TrainingConfig
from linkwl.protocols import TrainingData
from linkwl.training.batches import BatchStream
from linkwl.training.time_batches import TimeBatches, batch_stream

CONFIG = TrainingConfig(batch_ratio=0.1, near_share=0.5)


def data():
    ends = np.random.default_rng(0).integers(0, 60, (400, 2))
    graph = Graph.from_pairs(ends, 60, time=np.random.default_rng(1).integers(0, 300, 400))
    protocol = PROTOCOLS["temporal"]
    return TrainingData.of(protocol.apply(graph, 0), protocol)


def test_batches_are_windows_of_the_past():
    folds = data()
    time = dict(zip(map(tuple, folds.train.observed.edges.tolist()), folds.train.observed.edge_time, strict=True))
    stream = TimeBatches(folds, CONFIG, 0)
    sizes = set()
    for _ in range(20):
        batch = next(stream)
        begin = min(time[tuple(pair)] for pair in batch.positives.tolist())
        assert batch.observed.edge_time.max() < begin
        for pairs in (batch.negatives, batch.near.pairs):
            assert not folds.reserved.has_edges(pairs).any()
        assert batch.observed.degree[batch.queries].min() > 0
        sizes.add(batch.observed.num_edges)
    assert len(sizes) > 5


def test_a_stream_continues_from_its_state():
    one, other = TimeBatches(data(), CONFIG, 0), TimeBatches(data(), CONFIG, 0)
    for _ in range(3):
        next(one)
    other.restore(json.loads(json.dumps(one.state())))
    for _ in range(2):
        first, second = next(one), next(other)
        np.testing.assert_array_equal(first.queries, second.queries)
        assert first.observed.digest == second.observed.digest


def test_the_protocol_decides():
    folds = data()
    assert isinstance(batch_stream(folds, CONFIG, 0), TimeBatches)
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 60, (400, 2)), 60)
    random = TrainingData.of(PROTOCOLS["paper"].apply(graph, 0), PROTOCOLS["paper"])
    assert type(batch_stream(random, CONFIG, 0)) is BatchStream
