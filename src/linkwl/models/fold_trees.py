"""Decision trees that minimise the training loss on rows that are read once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from linkwl.models.boosted_trees import TreeSettings, boost
from linkwl.models.fold_rows import ReadFold
from linkwl.models.loss import NEAR
from linkwl.sparse.trees import Trees
from linkwl.typing import FloatArray

SETTINGS = TreeSettings(
    trees=200,
    patience=200,
    learning_rate=0.03,
    leaves=15,
    min_data=20,
    feature_fraction=0.5,
    row_fraction=0.8,
    penalty=1.0,
)


FOLDS = 16
"""Number of folds of the rows that trees are grown on. Trees learn how sparse a graph is, and with few folds the graphs
without one are clearly sparser than the graph that is scored. Further divisions into folds add nothing then."""


class WeightedRows(NamedTuple):
    """Rows, and how much each counts."""

    x: FloatArray
    labels: FloatArray
    weight: FloatArray
    shift: FloatArray
    """What is added to the logit of a row before its label is compared."""


def grow_trees(folds: Iterable[ReadFold], num_absent: int, seed: int) -> Trees:
    """Grows trees on the numbers that were read of the pairs of all folds.

    Args:
        folds: The folds; the rows of each have ``numbers``.
        num_absent: Number of pairs that the negatives were drawn from.
        seed: Chooses rows and columns of each tree.
    """
    parts = [weighted_rows(fold, num_absent) for fold in folds]
    x, labels, weight, shift = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return boost(x, labels, SETTINGS, seed, weight=weight, shift=shift).trees


def weighted_rows(fold: ReadFold, num_absent: int) -> WeightedRows:
    """The pairs of a fold, weighted and shifted so that the best logits are those of the perceptrons' loss.

    As in :func:`linkwl.models.loss.cross_entropy`, a logit is the log-odds among as many links as other pairs. With
    near pairs, near links occur a second time beside them, at their natural frequency.
    """
    x, num_links, num_others = fold.rows.numbers, len(fold.links), len(fold.others)
    count = num_links + num_others
    labels, weight = np.repeat([1.0, 0.0], [num_links, num_others]), np.ones(count)
    shift = np.full(count, math.log(num_links / max(num_others, 1)))
    if fold.near is None or fold.near_links is None:
        return WeightedRows(x, labels, weight, shift)
    near_links, num_near = np.flatnonzero(fold.near_links), len(fold.near.weight)
    num_rare = len(near_links) + num_near
    return WeightedRows(
        np.concatenate([x[:count], x[near_links], x[count:]]),
        np.concatenate([labels, np.repeat([1.0, 0.0], [len(near_links), num_near])]),
        np.concatenate([weight, np.full(len(near_links), 2 * NEAR), 2 * NEAR * fold.near.weight]),
        np.concatenate([shift, np.full(num_rare, math.log(num_links / num_absent))]),
    )
