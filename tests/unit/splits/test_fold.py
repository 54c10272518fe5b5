from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from fitting import swapped
from linkwl import PROTOCOLS, Fold, Graph, RandomSplit, Split, Targets
from linkwl.datasets import load_airports
from linkwl.metrics import auc
from linkwl.splits import OtherRelations
from triple_graphs import random_triples


def test_the_digest_sees_every_part():
    split = RandomSplit().apply(load_airports(), seed=0)
    moved = replace(split.test, targets=Targets(split.test.positives, split.test.negatives[1:]))
    assert replace(split, test=moved).digest != split.digest
    assert replace(split, valid=replace(split.valid, observed=split.test.observed)).digest != split.digest
    assert replace(split, protocol="other").digest != split.digest
    assert replace(split, seed=5).digest == split.digest


def keys(pairs):
    return {tuple(sorted(pair)) for pair in np.asarray(pairs).tolist()}


def test_reserved_is_everything_but_train_negatives():
    split = RandomSplit().apply(load_airports(), seed=0)
    expected = keys(split.train.observed.edges)
    for fold in (split.valid, split.test):
        expected |= keys(fold.positives) | keys(fold.negatives)
    assert keys(split.reserved.edges) == expected
    assert split.reserved.num_edges == 3017 + 2 * 150 + 2 * 301 - 150 - 301
    assert split.reserved.name == "airports"


def test_reserved_does_not_tell_labels():
    split = RandomSplit().apply(load_airports(), seed=0)
    assert replace(split, test=swapped(split.test)).reserved.digest == split.reserved.digest


@pytest.mark.parametrize("protocol", ["indigo", "facts", "entities", "entities-50", "entities-roles"])
def test_reserved_triples_around_a_target_do_not_tell_its_label(protocol):
    n, r = 200, 10
    graph = random_triples(n, r, 2000)
    split = PROTOCOLS[protocol].apply(graph, 0)
    others = split.reserved.triples[~split.train.observed.contains(split.reserved.triples)]
    around = np.zeros((3, n, max(n, r)))
    for column, (k, m) in enumerate(((0, 1), (2, 1), (0, 2))):
        np.add.at(around[column], (others[:, k], others[:, m]), 1)
    h, relation, t = split.test.targets.queries.T
    scores = around[0, h, relation] + around[1, t, relation] + around[2, h, t]
    positives, negatives = np.split(scores, [len(split.test.positives)])
    assert auc(positives, negatives) == pytest.approx(0.5, abs=0.06)


def test_reserved_pairs_of_a_directed_graph_have_a_direction():
    graph = Graph.from_pairs([(0, 1), (2, 1)], 4, is_directed=True)
    none = np.empty((0, 2), dtype=np.int32)
    fold = Fold(graph, Targets(graph.edges, none))
    valid, test = Fold(graph, Targets(np.array([(1, 0)]), none)), Fold(graph, Targets(none, none))
    split = Split(fold, valid, test, "by hand")
    assert split.reserved.edges.tolist() == [[0, 1], [1, 0], [2, 1]]


def test_folds_come_in_order():
    split = RandomSplit().apply(load_airports(), seed=0)
    assert list(split.folds) == ["train", "valid", "test"]
    assert split.folds["valid"] is split.valid


def test_lists_must_divide_the_negatives():
    pairs = np.zeros((2, 2), dtype=int)
    with pytest.raises(ValueError, match="`candidates` must divide the 2 negatives into 2 lists"):
        Targets(pairs, pairs, np.array([0, 1, 3]))


def test_lists_count_in_the_digest():
    split = RandomSplit().apply(load_airports(), seed=0)
    targets = split.test.targets
    listed = replace(targets, candidates=np.arange(len(targets.positives) + 1))
    assert replace(split, test=replace(split.test, targets=listed)).digest != split.digest


def test_a_sample_of_a_pool_keeps_the_shares():
    targets = RandomSplit().apply(load_airports(), seed=0).test.targets
    some = targets.sample(100, np.random.default_rng(0))
    assert (len(some.positives), len(some.negatives)) == (50, 50)
    assert keys(some.positives) <= keys(targets.positives)
    assert keys(some.negatives) <= keys(targets.negatives)
    assert targets.sample(10**6, np.random.default_rng(0)) is targets


def test_a_sample_of_lists_keeps_them_whole():
    positives = np.stack([np.arange(30), np.arange(30)], axis=1)
    sizes = np.random.default_rng(0).integers(1, 9, 30)
    owner = np.repeat(np.arange(30), sizes)
    targets = Targets(positives, np.stack([owner, np.arange(len(owner))], axis=1), np.append(0, np.cumsum(sizes)))
    some = targets.sample(60, np.random.default_rng(1))
    assert 1 < len(some.positives) < 30
    for (p, _), start, stop in zip(some.positives, some.candidates[:-1], some.candidates[1:], strict=True):
        assert (some.negatives[start:stop, 0] == p).all()
        assert stop - start == sizes[p]


def pooled() -> Targets:
    """Ten positives, three pools of negatives, and i % 3 other relations of positive i."""
    positives = np.stack([np.arange(10), np.zeros(10, int), np.arange(10)], axis=1)
    negatives = np.stack([np.arange(24), np.ones(24, int), np.zeros(24, int)], axis=1)
    owner = np.repeat(np.arange(10), np.arange(10) % 3)
    others = np.stack([owner, np.full(len(owner), 2), owner], axis=1)
    offsets = np.concatenate([[0], np.cumsum(np.arange(10) % 3)])
    return Targets(positives, negatives, None, np.array([0, 8, 16, 24]), OtherRelations(others, offsets))


def test_queries_are_positives_then_negatives_then_other_relations():
    targets = pooled()
    assert targets.queries[:, 1].tolist() == [0] * 10 + [1] * 24 + [2] * 9


def test_a_sample_keeps_pools_and_other_relations():
    targets = pooled()
    some = targets.sample(22, np.random.default_rng(0))
    assert (len(some.positives), np.diff(some.pools).tolist()) == (5, [4, 4, 4])
    for k, pool in enumerate(np.split(some.negatives, some.pools[1:-1])):
        assert ((pool[:, 0] >= 8 * k) & (pool[:, 0] < 8 * k + 8)).all()
    for i, (p, _, _) in enumerate(some.positives):
        rows = some.relations.queries[some.relations.offsets[i] : some.relations.offsets[i + 1]]
        assert rows[:, 0].tolist() == [p] * (p % 3)
    assert targets.sample(43, np.random.default_rng(0)) is targets


def test_pools_and_other_relations_count_in_the_digest():
    def digest(targets):
        found = hashlib.sha256()
        targets.update_digest(found)
        return found.hexdigest()

    targets = pooled()
    others = OtherRelations(targets.relations.queries[::-1], targets.relations.offsets)
    variants = [
        targets,
        replace(targets, pools=None),
        replace(targets, pools=np.array([0, 9, 16, 24])),
        replace(targets, relations=None),
        replace(targets, relations=others),
    ]
    assert len({digest(variant) for variant in variants}) == 5


def test_pools_and_other_relations_must_fit():
    targets = pooled()
    for pools in ([0, 24, 24], [0, 8], [1, 24], [0]):
        with pytest.raises(ValueError, match="`pools` must divide the 24 negatives"):
            replace(targets, pools=np.array(pools))
    with pytest.raises(ValueError, match="`pools` must divide"):
        Targets(targets.positives[:1], targets.negatives, np.array([0, 24]), np.array([0, 24]))
    with pytest.raises(ValueError, match="`relations` must divide its 9 queries into 9 lists"):
        replace(targets, positives=targets.positives[1:])


def test_test_targets_about_other_nodes_are_not_reserved():
    split = RandomSplit().apply(load_airports(), seed=0)
    inductive = replace(split, is_inductive=True)
    expected = keys(split.train.observed.edges) | keys(split.valid.positives) | keys(split.valid.negatives)
    assert keys(inductive.reserved.edges) == expected
    assert inductive.digest == split.digest
