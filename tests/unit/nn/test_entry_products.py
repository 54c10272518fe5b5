from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import assert_same_function, normal
from linkwl.nn.entry_products import Entries, entry_products


@pytest.mark.parametrize("count", [0, 1, 50, 5000])
def test_value_and_gradient_are_those_of_the_whole_product(count):
    generator = np.random.default_rng(0)
    entries = Entries(generator.integers(0, 7, count), generator.integers(0, 5, count), 7, 5)
    z, weight = normal(7, 3), normal(5, 3, seed=1)
    plain = (z @ weight.T)[torch.from_numpy(entries.row), torch.from_numpy(entries.col)]
    assert_same_function(entry_products(z, weight, entries), plain, (z, weight))


def test_other_types_use_torch():
    entries = Entries(np.array([1, 0]), np.array([0, 1]), 2, 2)
    z, weight = normal(2, 3, requires_grad=False).bfloat16(), normal(2, 3, seed=1, requires_grad=False).bfloat16()
    expected = torch.stack([(z[1] * weight[0]).sum(), (z[0] * weight[1]).sum()])
    torch.testing.assert_close(entry_products(z, weight, entries), expected)


@pytest.mark.parametrize("wanted", [0, 1])
def test_only_the_gradient_that_is_asked_for_is_computed(wanted):
    factors = [normal(2, 3, requires_grad=wanted == 0), normal(2, 3, seed=1, requires_grad=wanted == 1)]
    entry_products(*factors, Entries(np.array([1, 0]), np.array([0, 1]), 2, 2)).sum().backward()
    torch.testing.assert_close(factors[wanted].grad, factors[1 - wanted].flip(0))
