from __future__ import annotations

import numpy as np
import pytest

import linkwl
from linkwl.errors import SplitError
from linkwl.graph.decisions import Decisions
from linkwl.protocols import PROTOCOLS, TrainingData, protocol_for
from linkwl.splits import audit_split, decided
from triple_graphs import relatives

NOTHING = np.empty((0, 2), dtype=np.int32)


def graphs():
    generator = np.random.default_rng(0)
    edges = generator.integers(0, 40, (200, 2))
    yield linkwl.Graph.from_pairs(edges, 40, name="pairs")
    yield linkwl.Graph.from_pairs(edges, 40, is_directed=True, name="directed")
    part = np.arange(40) % 2
    yield linkwl.Graph.from_pairs(edges // 2 * 2 + [0, 1], 40, part=part, name="sides")
    yield linkwl.Graph.from_pairs(edges, 40, time=np.arange(200), name="times")
    yield relatives(8)


@pytest.fixture(params=list(graphs()), ids=lambda graph: graph.name)
def case(request):
    """A graph, its split, and decisions about some negatives of every fold and about other queries."""
    graph = request.param
    split = protocol_for(graph).apply(graph, seed=0)
    held_out = np.concatenate([fold.negatives[:3] for fold in (split.train, split.valid, split.test)])
    others = graph.absent(np.arange(0, graph.num_absent, graph.num_absent // 9)[:8])
    judged = np.unique(np.concatenate([held_out, others]), axis=0)
    return graph, split, Decisions(judged[::2], judged[1::2])


def as_set(queries):
    return set(map(tuple, queries.tolist()))


def test_held_out_facts_do_not_change(case):
    _, split, decisions = case
    found = decided(split, decisions)
    for fold in ("valid", "test"):
        before, after = getattr(split, fold), getattr(found, fold)
        assert np.array_equal(before.positives, after.positives)
        assert as_set(after.negatives) == as_set(before.negatives) - as_set(decisions.judged)
        assert after.observed.contains(decisions.accepted).all()


def test_accepted_are_train_positives_and_rejected_train_negatives(case):
    graph, split, decisions = case
    found = decided(split, decisions)
    assert as_set(found.train.positives) == as_set(split.train.positives) | as_set(decisions.accepted)
    assert as_set(decisions.rejected) <= as_set(found.train.negatives)
    assert not as_set(decisions.accepted) & as_set(found.train.negatives)
    assert found.train.observed.contains(decisions.accepted).all()
    assert not any(fold.observed.contains(decisions.rejected).any() for fold in found.folds.values())
    assert np.array_equal(TrainingData.of(found, protocol_for(graph)).rejected, decisions.rejected)
    assert audit_split(found, graph.with_(decisions.accepted)).passed


def test_lists_of_candidates_stay_those_of_their_facts():
    graph = relatives(6)
    split = PROTOCOLS["entities"].apply(graph, seed=0)
    judged = split.test.negatives[::5]
    found = decided(split, Decisions(judged[:0], judged))
    targets, before = found.test.targets, split.test.targets
    for k in range(len(targets.positives)):
        own, all_ = (as_set(some.negatives[some.candidates[k] : some.candidates[k + 1]]) for some in (targets, before))
        assert own == all_ - as_set(judged)


def test_the_digest_covers_decisions(case):
    _, split, decisions = case
    swapped = Decisions(decisions.rejected, decisions.accepted)
    digests = {split.digest, decided(split, decisions).digest, decided(split, swapped).digest}
    assert len(digests) == 3


def test_no_decision_changes_nothing():
    graph = next(graphs())
    split = linkwl.PROTOCOLS["paper"].apply(graph, seed=0)
    assert decided(split, Decisions(NOTHING, NOTHING)).digest == split.digest


def test_a_fold_without_negatives_is_refused():
    graph = next(graphs())
    split = linkwl.PROTOCOLS["paper"].apply(graph, seed=0)
    with pytest.raises(SplitError, match="all negatives of the validation fold"):
        decided(split, Decisions(NOTHING, split.valid.negatives))


def test_without_directions_a_rejected_pair_is_none_if_its_reverse_is_a_link():
    graph = linkwl.Graph.from_pairs([(k, k + 1) for k in range(60)], 61, is_directed=True)
    split = linkwl.PROTOCOLS["paper"].apply(graph, seed=0)
    link = split.train.positives[0]
    rejected = np.array([link[::-1], (60, 0)], dtype=np.int32)
    data = TrainingData.of(decided(split, Decisions(NOTHING, rejected)), linkwl.PROTOCOLS["paper"])
    assert data.undirected().rejected.tolist() == [[0, 60]]
