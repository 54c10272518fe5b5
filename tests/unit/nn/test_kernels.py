from __future__ import annotations

import pytest
import torch

from linkwl.nn.kernels import has_kernels


@pytest.mark.parametrize(
    ("dtype", "device", "expected"),
    [
        (torch.float32, "cpu", True),
        (torch.float64, "cpu", True),
        (torch.float16, "cpu", False),
        (torch.int64, "cpu", False),
        (torch.float32, "meta", False),
    ],
)
def test_kernels_read_two_types_on_the_processor(dtype, device, expected):
    assert has_kernels(torch.empty(2, dtype=dtype, device=device)) is expected
