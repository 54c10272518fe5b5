from __future__ import annotations

import pytest
import torch

from linkwl.nn.log_scale import log_scale


def test_nothing_stays_nothing_and_one_is_about_one():
    scaled = log_scale(torch.tensor([0.0, 1.0], dtype=torch.float64))
    assert abs(scaled[0].item()) < 1e-12
    assert abs(scaled[1].item() - 1) < 1e-4


def test_a_factor_of_ten_is_a_step():
    steps = log_scale(torch.tensor([0.01, 0.1, 1, 10, 100], dtype=torch.float64)).diff()
    torch.testing.assert_close(steps, torch.full((4,), 0.25, dtype=torch.float64), rtol=0, atol=2e-3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_any_weight_and_its_gradient_is_finite(dtype):
    x = torch.tensor([0, 1e-30, 1e-9, 1, 1e9], dtype=dtype, requires_grad=True)
    scaled = log_scale(x)
    assert (scaled.diff() >= 0).all()
    scaled.sum().backward()
    assert torch.isfinite(scaled).all()
    assert (x.grad > 0).all()
    assert torch.isfinite(x.grad).all()
