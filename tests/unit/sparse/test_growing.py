from __future__ import annotations

import numpy as np

from linkwl.sparse.growing import with_room


def test_an_array_with_room_is_kept():
    array = np.arange(5, dtype=np.int32)
    longer = with_room(array, 3, 2)
    longer[0] = 9
    assert array[0] == 9
    assert len(longer) == 5


def test_a_full_array_is_copied_into_a_longer_one():
    array = np.arange(5, dtype=np.int32)
    longer = with_room(array, 4, 20)
    assert len(longer) >= 24
    assert longer.dtype == np.int32
    assert longer[:4].tolist() == [0, 1, 2, 3]
    assert len(with_room(np.empty(0), 0, 1)) >= 1
