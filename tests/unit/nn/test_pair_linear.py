from __future__ import annotations

import pytest
import torch

from adjacencies import all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn.pair_linear import PairLinear


@pytest.mark.parametrize("num_nodes", [4, 99], ids=["many pairs", "few pairs"])
def test_it_is_a_linear_map_of_both_ends_side_by_side(num_nodes):
    linear, h = randomised(PairLinear(3, 2)), normal(num_nodes, 3)
    pairs = torch.cat([all_pairs_of(4).flip(0), torch.tensor([[1, 2], [1, 2]])])
    weight = torch.cat([linear.first.weight, linear.second.weight], dim=1)
    plain = torch.cat([h[pairs[:, 0]], h[pairs[:, 1]]], dim=1) @ weight.T + linear.first.bias
    assert_same_function(linear(h, pairs), plain, [h, *linear.parameters()])


def test_no_pairs():
    assert PairLinear(3, 2)(torch.ones(4, 3), torch.empty(0, 2, dtype=torch.int64)).shape == (0, 2)


def test_fresh_weights():
    linear = randomised(PairLinear(4, 2), scale=9)
    linear.reset_parameters()
    assert max(weight.abs().max().item() for weight in linear.parameters()) <= 0.5
