"""Members are perceptrons by themselves."""

from __future__ import annotations

import torch
from torch import nn

from linkwl.nn.perceptron_ensemble import PerceptronEnsemble


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
