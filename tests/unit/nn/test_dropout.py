from __future__ import annotations

import pytest
import torch

from linkwl.nn.dropout import dropout


@pytest.mark.parametrize("probability", [0.1, 0.3, 0.5, 0.8, 0.999])
def test_numbers_are_dropped_with_the_probability_and_the_mean_stays(probability):
    torch.manual_seed(0)
    x = torch.ones(1000, 401, requires_grad=True)
    out = dropout(x, probability, True)
    share = (out == 0).float().mean().item()
    assert abs(share - probability) < 1 / 256
    assert abs(out.mean().item() - 1) < (0.01 if probability < 0.9 else 0.1)
    assert len(out.unique()) == 2
    out.sum().backward()
    assert torch.equal(x.grad, out.detach())


def test_every_place_of_a_word_is_alike():
    torch.manual_seed(0)
    out = dropout(torch.ones(80_000), 0.25, True).view(-1, 8)
    assert ((out == 0).float().mean(0) - 0.25).abs().max() < 0.02


def test_nothing_happens_in_evaluation_or_without_a_probability():
    x = torch.randn(3, 4)
    assert dropout(x, 0.5, False) is x
    assert dropout(x, 0.0, True) is x
    assert dropout(x[:0], 0.5, True).shape == (0, 4)


def test_the_generator_decides():
    x = torch.ones(50)
    torch.manual_seed(1)
    first, second = dropout(x, 0.5, True), dropout(x, 0.5, True)
    torch.manual_seed(1)
    assert torch.equal(dropout(x, 0.5, True), first)
    assert not torch.equal(first, second)


def test_types_are_kept():
    assert dropout(torch.ones(3, dtype=torch.float64), 0.5, True).dtype == torch.float64
