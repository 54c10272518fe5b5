from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.models.array_state import check_arrays

EXPECTED = {"a": torch.empty(2, dtype=torch.int32, device="meta"), "b": torch.empty((0, 3), device="meta")}
GOOD = {"a": np.zeros(2, dtype=np.int32), "b": np.zeros((0, 3), dtype=np.float32)}


def test_arrays_that_fit():
    check_arrays("toy", GOOD, EXPECTED)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"a": GOOD["a"]}, "arrays of toy; missing or unknown: 'b'"),
        (GOOD | {"c": np.zeros(1)}, "arrays of toy; missing or unknown: 'c'"),
        (GOOD | {"a": np.zeros(3, dtype=np.int32)}, r"array 'a' of `state` must be int32 of shape \(2,\)"),
        (GOOD | {"b": np.zeros((0, 3))}, r"array 'b' of `state` must be float32 of shape \(0, 3\)"),
    ],
)
def test_others_are_refused(state, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_arrays("toy", state, EXPECTED)
