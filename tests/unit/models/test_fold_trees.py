"""Decision trees that minimise the training loss on rows that are read once."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from linkwl.models.batch import Batch
from linkwl.models.fold_rows import ReadFold
from linkwl.models.fold_trees import grow_trees, weighted_rows
from linkwl.models.loss import NEAR, cross_entropy
from linkwl.models.near_pairs import NearPairs
from linkwl.sparse.trees import tree_sums
from network_cases import random_graph

NUM_ABSENT = 5000


def fold(num_links=60, num_others=60, num_near=0, seed=0):
    """Links have a larger first number; so have near pairs, somewhat."""
    generator = np.random.default_rng(seed)
    count = num_links + num_others + num_near
    numbers = generator.normal(size=(count, 3)).astype(np.float32)
    numbers[:num_links, 0] += 2
    numbers[num_links + num_others :, 0] += 1
    pairs = generator.integers(40, size=(count, 2)).astype(np.int32)
    links, others, rest = np.split(pairs, [num_links, num_links + num_others])
    near = NearPairs(rest, generator.uniform(1, 30, num_near)) if num_near else None
    near_links = generator.random(num_links) < 0.5 if num_near else None
    return ReadFold(random_graph(), links, others, near, near_links, SimpleNamespace(numbers=numbers))


def loss_of(rows, logits):
    """The weighted cross-entropy of logits of these rows."""
    z = logits + rows.shift
    return (rows.weight * np.where(rows.labels > 0, np.logaddexp(0, -z), np.logaddexp(0, z))).sum()


@pytest.mark.parametrize("num_near", [0, 80])
def test_the_loss_of_the_rows_is_the_loss_of_the_perceptrons(num_near):
    """With as many links as other pairs both are the same but for a factor."""
    read = fold(num_near=num_near)
    rows = weighted_rows(read, NUM_ABSENT)
    logits = np.random.default_rng(1).normal(size=120 + num_near)
    batch = Batch(read.observed, read.links, read.others, NUM_ABSENT, read.near)
    if num_near:
        object.__setattr__(batch, "are_positives_near", lambda: read.near_links)
    expected = cross_entropy(torch.from_numpy(logits), batch).item()
    near_links = np.flatnonzero(read.near_links) if num_near else np.empty(0, dtype=int)
    spread = np.concatenate([logits[:120], logits[near_links], logits[120:]])
    assert loss_of(rows, spread) / 120 == pytest.approx(expected, rel=1e-12)


def test_more_other_pairs_shift_the_logits_and_not_the_trees():
    rows = weighted_rows(fold(num_others=180), NUM_ABSENT)
    np.testing.assert_array_equal(rows.weight, np.ones(240))
    np.testing.assert_allclose(rows.shift, math.log(1 / 3))
    assert rows.labels.sum() == 60


def test_near_links_occur_twice_and_near_pairs_by_their_weight():
    read = fold(num_near=80)
    rows = weighted_rows(read, NUM_ABSENT)
    twice = read.near_links.sum()
    assert len(rows.x) == 200 + twice
    np.testing.assert_array_equal(rows.x[120 : 120 + twice], read.rows.numbers[:60][read.near_links])
    np.testing.assert_allclose(rows.weight[120 + twice :], 2 * NEAR * read.near.weight)
    assert rows.labels.sum() == 60 + twice


@pytest.mark.parametrize("num_near", [0, 80])
def test_grown_trees_lower_the_loss_of_other_folds(num_near):
    folds = [fold(seed=seed, num_near=num_near) for seed in range(4)]
    trees = grow_trees(folds, NUM_ABSENT, seed=0)
    rows = weighted_rows(fold(seed=9, num_near=num_near), NUM_ABSENT)
    assert loss_of(rows, tree_sums(trees, rows.x)) < 0.9 * loss_of(rows, np.zeros(len(rows.x)))
    again = grow_trees(folds, NUM_ABSENT, seed=0)
    assert all(np.array_equal(a, b) for a, b in zip(trees, again, strict=True))
