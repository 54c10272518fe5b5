from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwl import Fold, Graph, RandomSplit, Split
from linkwl.datasets import load_airports


def test_the_digest_sees_every_part():
    split = RandomSplit().apply(load_airports(), seed=0)
    moved = replace(split.test, negatives=split.test.negatives[1:])
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
    swapped = replace(split.test, positives=split.test.negatives, negatives=split.test.positives)
    assert replace(split, test=swapped).reserved.digest == split.reserved.digest


def test_reserved_pairs_of_a_directed_graph_have_a_direction():
    graph = Graph.from_pairs([(0, 1), (2, 1)], 4, is_directed=True)
    none = np.empty((0, 2), dtype=np.int32)
    fold = Fold(graph, graph.edges, none)
    split = Split(fold, Fold(graph, np.array([(1, 0)]), none), Fold(graph, none, none), "by hand")
    assert split.reserved.edges.tolist() == [[0, 1], [1, 0], [2, 1]]


def test_folds_come_in_order():
    split = RandomSplit().apply(load_airports(), seed=0)
    assert list(split.folds) == ["train", "valid", "test"]
    assert split.folds["valid"] is split.valid
