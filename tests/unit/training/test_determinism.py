from __future__ import annotations

import pytest
import torch
import torch.utils.deterministic

from linkwl.training.determinism import deterministic


def switches():
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        torch.utils.deterministic.fill_uninitialized_memory,
    )


def test_switches_are_left_as_they_were():
    before = switches()
    with pytest.raises(RuntimeError), deterministic():
        assert switches() == (True, True, False)
        raise RuntimeError
    assert switches() == before


def test_gradients_of_indexing_have_the_same_bits_every_time():
    x = torch.randn(50, 16, requires_grad=True)
    index = torch.randint(0, 50, (40_000,))
    weight = torch.randn(40_000, 16)
    with deterministic():
        first, *others = (torch.autograd.grad((x[index] * weight).sum(), x)[0] for _ in range(5))
    assert all(torch.equal(first, other) for other in others)
