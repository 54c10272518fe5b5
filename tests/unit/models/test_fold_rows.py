"""Training on rows that are read once."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.models import fold_rows
from linkwl.models.fold_rows import FoldRows
from linkwl.models.gradient import TrainingConfig
from linkwl.models.near_pairs import are_near
from linkwl.protocols import PAPER, TrainingData
from network_cases import random_graph

CONFIG = TrainingConfig(negatives_per_positive=2, near_share=0.5)


class Recorded:
    """Rows that know their pairs; ``asked`` collects what was read."""

    def __init__(self, asked, observed, pairs):
        asked.append((observed, pairs))
        self.pairs = pairs

    def take(self, chosen):
        return self.pairs[chosen]


def stream(config=CONFIG, seed=0, is_directed=False, num_nodes=120):
    graph = random_graph(num_nodes, 3 * num_nodes, is_directed=is_directed)
    data, asked = TrainingData.of(PAPER.apply(graph, seed=0), PAPER), []
    return FoldRows(data, config, seed, lambda observed, pairs: Recorded(asked, observed, pairs)), data, asked


@pytest.mark.parametrize("is_directed", [False, True])
def test_rows_are_those_of_the_queries_on_a_graph_without_the_positives(is_directed):
    batches, data, _ = stream(is_directed=is_directed)
    for batch in islice(batches, 40):
        np.testing.assert_array_equal(batch.rows, batch.queries)
        assert not batch.observed.has_edges(batch.positives).any()
        assert data.train.observed.has_edges(batch.positives).all()
        others = np.concatenate([batch.negatives, batch.near.pairs])
        assert not data.reserved.has_edges(others).any()
        np.testing.assert_array_equal(batch.are_positives_near(), are_near(batch.observed, batch.positives))


def test_a_pass_has_every_link_as_often_as_there_are_divisions():
    batches, data, asked = stream()
    next(batches)
    links = len(data.train.positives)
    divisions = min(fold_rows.FEW_LINKS // links, fold_rows.MOST_DIVISIONS)
    batches.restore({"step": 0})
    parts = sum(-(-len(fold.links) // batches.batch_size) for fold in batches.folds())
    seen = np.concatenate([batch.positives for batch in islice(batches, parts)])
    assert len(seen) == divisions * links
    _, counts = np.unique(seen, axis=0, return_counts=True)
    assert set(counts) == {divisions}
    assert len(asked) == 8 * divisions


def test_graphs_are_read_once_and_only_when_a_batch_is_wanted():
    batches, _, asked = stream()
    assert asked == []
    list(islice(batches, 3))
    count = len(asked)
    list(islice(batches, 100))
    assert len(asked) == count


def test_near_pairs_of_a_batch_stand_for_all_of_them():
    batches, _, _ = stream()
    first = next(batches)
    pools = {id(fold.observed): fold.near for fold in batches._folds}
    pool = pools[id(first.observed)]
    assert first.near.weight.mean() * len(first.near.pairs) == pytest.approx(
        pool.weight.mean() * len(pool.pairs), rel=0.5
    )


def test_the_step_and_the_seed_determine_a_batch():
    expected = [batch.queries for batch in islice(stream()[0], 30)]
    batches, _, _ = stream()
    batches.restore({"step": 17})
    for batch, queries in zip(islice(batches, 13), expected[17:], strict=True):
        np.testing.assert_array_equal(batch.queries, queries)
    assert batches.state() == {"step": 30}
    other = next(stream(seed=1)[0])
    assert not np.array_equal(other.queries, expected[0])


def test_more_edges_than_rows_are_kept_for_are_sampled(monkeypatch):
    monkeypatch.setattr(fold_rows, "MOST_LINKS", 50)
    monkeypatch.setattr(fold_rows, "FEW_LINKS", 1)
    batches, _, asked = stream()
    next(batches)
    assert sum(len(fold.links) for fold in batches._folds) == 50
    assert len(asked) < 8


def test_too_few_negatives_are_one_sentence():
    complete = Graph.from_pairs(np.array([(p, q) for p in range(6) for q in range(p)]), 6)
    data = TrainingData.of(PAPER.apply(random_graph(), seed=0), PAPER)
    with pytest.raises(SplitError, match=r"lower 'training\.batch_ratio'"):
        FoldRows(replace(data, reserved=complete), CONFIG, 0, Recorded)


def test_no_edges_are_one_sentence():
    data = TrainingData.of(PAPER.apply(random_graph(), seed=0), PAPER)
    nothing = replace(data.train.targets, positives=data.train.positives[:0])
    with pytest.raises(SplitError, match="no edge to train on"):
        FoldRows(replace(data, train=replace(data.train, targets=nothing)), CONFIG, 0, Recorded)
