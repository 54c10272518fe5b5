"""The running mean of the weights."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from linkwl.training.weight_average import WeightAverage


def test_it_follows_its_formula():
    network = nn.Linear(2, 1)
    average = WeightAverage(network, 0.5)
    expected = network.weight.detach().clone()
    for step in range(1, 30):
        with torch.no_grad():
            network.weight.fill_(step)
        average.update(step)
        decay = min(0.5, (1 + step) / (10 + step))
        expected = decay * expected + (1 - decay) * step
        assert torch.allclose(average.weights["weight"], expected, rtol=1e-5)


def test_without_decay_it_is_the_weights_to_the_bit():
    network = nn.Linear(3, 2)
    average = WeightAverage(network, 0.0)
    for step in range(1, 4):
        nn.init.normal_(network.weight)
        average.update(step)
        assert torch.equal(average.weights["weight"], network.weight)


def test_the_network_borrows_it_for_a_block():
    network = nn.Linear(3, 2)
    average = WeightAverage(network, 0.9)
    mean = {name: weight.clone() for name, weight in average.weights.items()}
    nn.init.normal_(network.weight)
    own = network.weight.detach().clone()
    with pytest.raises(RuntimeError), average.in_place():
        assert torch.equal(network.weight, mean["weight"])
        raise RuntimeError
    assert torch.equal(network.weight, own)
    assert torch.equal(average.weights["weight"], mean["weight"])
