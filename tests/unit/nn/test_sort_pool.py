from __future__ import annotations

import torch

from linkwl.nn.sort_pool import SortPool


def test_nodes_are_sorted_cut_and_filled_up():
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [4.0, 5.0], [7.0, 1.0]])
    out = SortPool(2)(x, torch.tensor([0, 3, 4]))
    assert out.tolist() == [[[4.0, 5.0], [3.0, 5.0]], [[7.0, 1.0], [0.0, 0.0]]]


def test_the_order_of_the_nodes_does_not_matter():
    x = torch.randn(20, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    order = torch.randperm(20, generator=torch.Generator().manual_seed(1))
    pool, ptr = SortPool(12), torch.tensor([0, 20])
    assert torch.equal(pool(x[order], ptr), pool(x, ptr))


def test_gradients():
    x = torch.randn(9, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0), requires_grad=True)
    ptr = torch.tensor([0, 2, 9])
    assert torch.autograd.gradcheck(lambda x: SortPool(4)(x, ptr), x)
