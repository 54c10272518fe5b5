"""Sums of decision trees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray


class Trees(NamedTuple):
    """Binary trees in plain arrays; a child is the number of a split, or ``~leaf`` for a leaf."""

    root: IntArray
    """The first child of each tree; int32, shape ``(num_trees,)``."""
    feature: IntArray
    """The column that each split reads; int32, shape ``(num_splits,)``."""
    threshold: FloatArray
    """Rows with at most this value go left; float64, shape ``(num_splits,)``."""
    children: IntArray
    """Left and right child of each split; int32, shape ``(num_splits, 2)``. A split comes before its children."""
    leaf: FloatArray
    """The value of each leaf; float64, shape ``(num_leaves,)``."""

    def check(self, num_columns: int) -> None:
        """Raises ValueError if a number points outside of its array, or a tree could run in a circle."""
        num_splits, num_leaves = len(self.feature), len(self.leaf)
        parent = np.concatenate([np.full(len(self.root), -1), np.repeat(np.arange(num_splits), 2)])
        child = np.concatenate([self.root, self.children.ravel()]).astype(np.int64)
        is_split = child >= 0
        good = np.where(is_split, (child > parent) & (child < num_splits), ~child < num_leaves)
        if not good.all() or not ((self.feature >= 0) & (self.feature < num_columns)).all():
            raise ValueError("`state` must hold trees whose splits point to columns, later splits and leaves.")


def tree_sums(trees: Trees, x: FloatArray) -> FloatArray:
    """The sum over all trees of the leaf that each row reaches, in the order of the trees.

    Args:
        trees: Checked trees.
        x: The rows, without NaN.

    Shape:
        - x: ``(num_rows, num_columns)``
        - output: ``(num_rows,)``
    """
    out = np.zeros(len(x))
    run_ranges(lambda start, stop: _sum(*trees, x[start:stop], out[start:stop]), len(x))
    return out


@kernel
def _sum(root, feature, threshold, children, leaf, x, out):
    for i in range(len(x)):
        for child in root:
            while child >= 0:
                child = children[child, 0 if x[i, feature[child]] <= threshold[child] else 1]
            out[i] += leaf[~child]
