from __future__ import annotations

import numpy as np

from linkwl.metrics.counting import count_above, kth_largest


def test_counts_by_hand():
    above, tied = count_above(np.array([2.0, 5.0, -0.0]), np.array([2.0, 3.0, 2.0, 0.0]))
    assert above.tolist() == [1, 0, 3]
    assert tied.tolist() == [2, 0, 1]


def test_kth_largest_counts_from_one():
    scores = np.array([1.0, 3.0, 2.0, 3.0])
    assert [kth_largest(scores, k) for k in (1, 2, 3, 4)] == [3, 3, 2, 1]
