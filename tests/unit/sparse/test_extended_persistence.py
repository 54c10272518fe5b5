from __future__ import annotations

import numpy as np
import pytest

from graphs import random_rows
from linkwl.sparse.extended_persistence import COMPONENT, LOOP, ORDINARY, RELATIVE, extended_persistence


def points(num_nodes, edges, value):
    """The points of each kind, sorted."""
    birth, death, kind = extended_persistence(num_nodes, np.array(edges).reshape(-1, 2), np.array(value, dtype=float))
    return [
        sorted(zip(birth[kind == one].tolist(), death[kind == one].tolist(), strict=True))
        for one in (ORDINARY, RELATIVE, COMPONENT, LOOP)
    ]


def by_gudhi(num_nodes, edges, value):
    """The points that gudhi finds, without those of no persistence."""
    gudhi = pytest.importorskip("gudhi")
    tree = gudhi.SimplexTree()
    for v in range(num_nodes):
        tree.insert([v], value[v])
    for u, v in edges:
        tree.insert([u, v], max(value[u], value[v]))
    tree.extend_filtration()
    kinds = tree.extended_persistence(min_persistence=-1)
    return [sorted((b, d) for _, (b, d) in kind if abs(b - d) > 1e-9) for kind in kinds]


def random_edges(num_nodes, num_rows, seed):
    rows = np.unique(np.sort(random_rows(num_nodes, num_rows, seed), axis=1), axis=0)
    return rows[rows[:, 0] != rows[:, 1]]


@pytest.mark.parametrize("num_levels", [1, 2, 3, 6, 1000])
@pytest.mark.parametrize(("num_nodes", "num_rows"), [(5, 4), (12, 14), (12, 60), (30, 45), (40, 200)])
def test_points_are_those_of_gudhi(num_nodes, num_rows, num_levels):
    for seed in range(4):
        edges = random_edges(num_nodes, num_rows, seed)
        value = np.random.default_rng(seed).integers(0, num_levels, num_nodes) / 4
        for found, expected in zip(points(num_nodes, edges, value), by_gudhi(num_nodes, edges, value), strict=True):
            np.testing.assert_allclose(np.reshape(found, (-1, 2)), np.reshape(expected, (-1, 2)), atol=1e-9)


def test_a_path_by_hand():
    """Values 0, 3, 1: the component of the last node joins at 3, and nothing joins on the way down."""
    assert points(3, [(0, 1), (1, 2)], [0, 3, 1]) == [[(1, 3)], [], [(0, 3)], []]


def test_a_square_by_hand():
    """Values 0, 1, 2, 1: one loop, closed at 2 from below and at 0 from above."""
    assert points(4, [(0, 1), (1, 2), (2, 3), (3, 0)], [0, 1, 2, 1]) == [[], [], [(0, 2)], [(2, 0)]]


def test_two_peaks_by_hand():
    """Values 2, 0, 3 on a path, and a node alone: the lower peak joins the higher one at 0 from above."""
    assert points(4, [(0, 1), (1, 2)], [2, 0, 3, 5]) == [[], [(2, 0)], [(0, 3)], []]


def test_no_edges():
    assert points(0, [], []) == points(3, [], [1, 2, 3]) == [[], [], [], []]
