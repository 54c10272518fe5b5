from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.nn import reference
from linkwl.nn.pna import pna
from linkwl.sparse.pna import MessageRows


def some_rows(seed, num_messages=15):
    generator = np.random.default_rng(seed)
    ptr = np.concatenate([[0], np.cumsum(generator.integers(0, 6, 20))]).astype(np.int64)
    col = generator.integers(0, num_messages, ptr[-1]).astype(np.int32)
    return MessageRows(ptr, col, generator.random(20) < 0.4)


@pytest.mark.parametrize("channels", [1, 3, 17])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_reference_in_value_and_gradient(seed, channels):
    generator = torch.Generator().manual_seed(seed)
    x, boundary, weight = (
        torch.randn(*shape, generator=generator, dtype=torch.float64)
        for shape in ((15, channels), (channels,), (20, 4 * channels))
    )
    x.requires_grad_()
    boundary.requires_grad_()
    rows = some_rows(seed)
    outs = [function(x, boundary, rows) for function in (pna, reference.pna)]
    torch.testing.assert_close(*outs, rtol=0, atol=1e-12)
    grads = [torch.autograd.grad((out * weight).sum(), [x, boundary]) for out in outs]
    torch.testing.assert_close(*grads, rtol=1e-10, atol=1e-10)


def test_its_gradient_is_that_of_differences():
    x, boundary = torch.randn(15, 2, dtype=torch.float64), torch.randn(2, dtype=torch.float64)
    rows = some_rows(5)
    x.requires_grad_()
    boundary.requires_grad_()
    assert torch.autograd.gradcheck(lambda x, boundary: pna(x, boundary, rows), (x, boundary))


def test_half_precision_takes_the_reference():
    x, boundary, rows = torch.randn(15, 3).bfloat16(), torch.randn(3).bfloat16(), some_rows(1)
    out = pna(x, boundary, rows)
    assert out.dtype == torch.bfloat16
    torch.testing.assert_close(out.float(), pna(x.float(), boundary.float(), rows), rtol=0.05, atol=0.05)
