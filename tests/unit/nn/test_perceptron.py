from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from adjacencies import assert_same_function, normal, randomised
from linkwl.nn.perceptron import Perceptron


@pytest.mark.parametrize("shape", [(5,), (2, 3), (0,)])
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("activation", [False, True])
def test_it_is_its_blocks_one_after_the_other(shape, layers, norm, activation):
    perceptron = randomised(Perceptron(4, 3, layers=layers, norm=norm, activation=activation))
    x = normal(*shape, 4)
    expected = x
    for linear in perceptron.linears:
        expected = expected @ linear.weight.T + linear.bias
        if norm:
            centred = expected - expected.mean(-1, keepdim=True)
            expected = centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()
        if activation:
            expected = expected.clamp(min=0)
    assert len(perceptron.linears) == layers
    assert_same_function(perceptron(x), expected, [x, *perceptron.parameters()])


def test_dropout_comes_before_the_activation_and_in_training_only():
    perceptron = randomised(Perceptron(4, 50, dropout=0.5))
    x = normal(20, 4, requires_grad=False)
    plain = F.relu(perceptron.linears[0](x))
    torch.testing.assert_close(perceptron.eval()(x), plain)
    torch.manual_seed(0)
    dropped = perceptron.train()(x)
    is_kept = dropped > 0
    torch.testing.assert_close(dropped[is_kept], 2 * plain[is_kept])
    assert 0.4 < is_kept.sum().item() / (plain > 0).sum().item() < 0.6


def test_fresh_weights_have_no_bias():
    perceptron = randomised(Perceptron(40, 40, layers=2), scale=9)
    perceptron.reset_parameters()
    for linear in perceptron.linears:
        assert not linear.bias.any()
        assert abs(linear.weight.std().item() - (2 / 80) ** 0.5) < 0.02
