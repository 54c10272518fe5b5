from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from adjacencies import assert_same_function, normal, randomised
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.perceptron import Perceptron, PerceptronEnsemble, reset_children
from linkwl.nn.readout import PairReadout
from linkwl.nn.rounds import UnionRounds, WalkRounds
from linkwl.nn.two_wl_conv import TwoWLConv


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


def test_each_member_is_a_perceptron_of_its_own():
    torch.manual_seed(0)
    ensemble = PerceptronEnsemble(5, 7, 3, layers=2).double()
    x = torch.randn(11, 5, dtype=torch.float64)
    told = ensemble(x)
    assert told.shape == (3, 11, 1)
    for k in range(3):
        layers: list[nn.Module] = []
        for weight, bias in zip(ensemble.weights, ensemble.biases, strict=True):
            linear = nn.Linear(*weight.shape[1:]).double()
            linear.weight.data, linear.bias.data = weight[k].T, bias[k, 0]
            layers += [linear, nn.ReLU()]
        torch.testing.assert_close(nn.Sequential(*layers[:-1])(x), told[k])


def test_members_learn_each_by_itself():
    torch.manual_seed(0)
    ensemble, x = PerceptronEnsemble(5, 7, 3), torch.randn(11, 5)
    ensemble(x)[1].sum().backward()
    for weight in ensemble.weights:
        assert weight.grad[1].any()
        assert not weight.grad[[0, 2]].any()


def test_members_begin_differently_and_dropout_is_drawn_for_each():
    torch.manual_seed(0)
    ensemble = PerceptronEnsemble(5, 64, 2, dropout=0.5)
    assert not torch.equal(ensemble.weights[0][0], ensemble.weights[0][1])
    with torch.no_grad():
        for weight in ensemble.weights:
            weight[1] = weight[0]
    x = torch.randn(11, 5)
    first, second = ensemble(x)
    assert not torch.equal(first, second)
    first, second = ensemble.eval()(x)
    assert torch.equal(first, second)


def test_every_module_inside_gets_fresh_weights():
    inner = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Sequential(nn.Linear(3, 3)))
    before = [weight.detach().clone() for weight in inner.parameters()]
    reset_children(inner)
    assert all(not torch.equal(old, new) for old, new in zip(before, inner.parameters(), strict=True))


def test_the_module_itself_is_not_asked_again():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls = 0
            self.linear = nn.Linear(2, 2)

        def reset_parameters(self):
            self.calls += 1
            reset_children(self)

    outer = Outer()
    outer.reset_parameters()
    assert outer.calls == 1


@pytest.mark.parametrize(
    "build",
    [
        lambda: WalkRounds(8, 4, 2),
        lambda: UnionRounds(8, 4, 2),
        lambda: PairReadout(4, 8, 2),
        lambda: TwoWLConv(GatedBranch(6, 5), Perceptron(5, 4)),
    ],
    ids=["walk rounds", "union rounds", "readout", "2-WL layer"],
)
def test_fresh_weights_are_like_those_of_a_new_module(build):
    """What a layer sets by itself, such as no bias, is not undone by the layers inside of it."""
    torch.manual_seed(0)
    new, again = build(), build()
    again.reset_parameters()
    for (name, weight), other in zip(new.named_parameters(), again.parameters(), strict=True):
        assert torch.equal(weight, weight[:1].expand_as(weight)) == torch.equal(other, other[:1].expand_as(other)), name
        assert weight.abs().max() < 3 * other.abs().max() + 1e-9, name
        assert other.abs().max() < 3 * weight.abs().max() + 1e-9, name
