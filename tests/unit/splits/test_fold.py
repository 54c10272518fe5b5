from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fitting import swapped
from linkwl import Fold, Graph, RandomSplit, Split, Targets
from linkwl.datasets import load_airports


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
