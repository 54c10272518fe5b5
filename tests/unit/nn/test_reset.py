from __future__ import annotations

import torch
from torch import nn

from linkwl.nn.reset import reset_children


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
