from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse.sort_rows import largest_rows


@pytest.mark.parametrize("levels", [2, 100])
def test_rows_are_sorted_by_the_last_column_then_by_those_before(levels):
    generator = np.random.default_rng(0)
    x = generator.integers(0, levels, (60, 3)).astype(np.float32)
    ptr = np.array([0, 0, 1, 7, 40, 60])
    found = largest_rows(x, ptr, 9)
    for i in range(5):
        rows = sorted(range(ptr[i], ptr[i + 1]), key=lambda row: tuple(-x[row, ::-1]))[:9]
        assert found[i].tolist() == rows + [-1] * (9 - len(rows))


def test_no_parts():
    assert largest_rows(np.empty((0, 2)), np.array([0]), 4).shape == (0, 4)
