from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse.trees import Trees, tree_sums


def arrays(root, feature, threshold, children, leaf):
    return Trees(
        np.array(root, dtype=np.int32),
        np.array(feature, dtype=np.int32),
        np.array(threshold, dtype=np.float64),
        np.array(children, dtype=np.int32).reshape(-1, 2),
        np.array(leaf, dtype=np.float64),
    )


TREES = arrays([0, ~3], [1, 0], [0.5, -1.0], [[~0, 1], [~1, ~2]], [1.0, 2.0, 4.0, 0.25])
"""A tree with three leaves, and one that is a single leaf."""


def plain(trees, row):
    total = 0.0
    for child in trees.root.tolist():
        while child >= 0:
            is_left = row[trees.feature[child]] <= trees.threshold[child]
            child = int(trees.children[child, 0 if is_left else 1])
        total += trees.leaf[~child]
    return total


def test_by_hand():
    x = np.array([(0.0, 0.5), (-1.0, 0.6), (-0.9, 0.6)], dtype=np.float32)
    assert tree_sums(TREES, x).tolist() == [1.25, 2.25, 4.25]


def test_plain_version_and_threads(monkeypatch):
    x = np.random.default_rng(0).normal(size=(5000, 2)).astype(np.float32)
    expected = [plain(TREES, row) for row in x]
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        assert tree_sums(TREES, x).tolist() == expected


def test_no_trees():
    assert tree_sums(arrays([], [], [], [], []), np.ones((3, 2), dtype=np.float32)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "damaged",
    [
        TREES._replace(children=np.array([[~0, 0], [~1, ~2]], dtype=np.int32)),  # a circle
        TREES._replace(children=np.array([[~0, 2], [~1, ~2]], dtype=np.int32)),
        TREES._replace(children=np.array([[~0, 1], [~1, ~4]], dtype=np.int32)),
        TREES._replace(root=np.array([5, ~3], dtype=np.int32)),
        TREES._replace(feature=np.array([1, 2], dtype=np.int32)),
        TREES._replace(feature=np.array([1, -1], dtype=np.int32)),
    ],
)
def test_damaged_trees_are_refused(damaged):
    TREES.check(2)
    with pytest.raises(ValueError, match="splits point to columns, later splits and leaves"):
        damaged.check(2)
