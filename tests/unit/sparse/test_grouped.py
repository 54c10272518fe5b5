from __future__ import annotations

import numpy as np

from linkwl.sparse.grouped import group_by


def test_every_position_is_in_the_group_of_its_key():
    key = np.random.default_rng(0).integers(0, 9, 100)
    keys, start, order = group_by(key)
    assert keys.tolist() == sorted(set(key.tolist()))
    for g, value in enumerate(keys):
        assert order[start[g] : start[g + 1]].tolist() == np.flatnonzero(key == value).tolist()


def test_nothing():
    keys, start, order = group_by(np.empty(0, dtype=np.int64))
    assert (len(keys), start.tolist(), len(order)) == (0, [0], 0)
