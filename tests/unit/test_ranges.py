from __future__ import annotations

import numpy as np
import pytest

from linkwl.ranges import equal_entries, range_entries


@pytest.mark.parametrize("count", [0, 1, 30])
def test_entries_equal_the_plain_ones(count):
    generator = np.random.default_rng(count)
    starts = generator.integers(50, size=count)
    stops = starts + generator.integers(4, size=count)
    expected = [(k, entry) for k in range(count) for entry in range(starts[k], stops[k])]
    owner, entry = range_entries(starts, stops)
    assert list(zip(owner.tolist(), entry.tolist(), strict=True)) == expected


def test_every_match_is_found():
    generator = np.random.default_rng(0)
    values, ascending = generator.integers(9, size=20), np.sort(generator.integers(9, size=15))
    expected = [(i, j) for i in range(20) for j in range(15) if values[i] == ascending[j]]
    assert list(zip(*(part.tolist() for part in equal_entries(values, ascending)), strict=True)) == expected
