from __future__ import annotations

import numpy as np

from linkwl.graph.pair_numbers import PairNumbers


def test_listed_pairs_have_their_numbers_and_others_none():
    table = PairNumbers(
        ("a", "b"), np.array([[0, 2], [1, 0], [3, 1]], dtype=np.int32), np.array([[1.0, 2], [3, 4], [5, 6]])
    )
    values, is_listed = table.at(np.array([[1, 0], [0, 1], [3, 1], [3, 3], [0, 2]]))
    assert values.tolist() == [[3, 4], [0, 0], [5, 6], [0, 0], [1, 2]]
    assert is_listed.tolist() == [True, False, True, False, True]


def test_pairs_of_some_nodes():
    table = PairNumbers(("a",), np.array([[0, 2], [1, 0], [3, 1]], dtype=np.int32), np.array([[1.0], [3], [5]]))
    found = table.take(np.array([2, -1, 1, 0]))
    assert (found.pairs.tolist(), found.values.tolist()) == ([[2, 3], [3, 0]], [[3], [1]])
    assert len(table.take(np.array([-1, 9])).pairs) == 0


def test_no_pair():
    table = PairNumbers(("a",), np.empty((0, 2), dtype=np.int32), np.empty((0, 1)))
    values, is_listed = table.at(np.array([[0, 1]]))
    assert (values.tolist(), is_listed.tolist()) == ([[0]], [False])
