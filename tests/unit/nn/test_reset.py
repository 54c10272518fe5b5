from __future__ import annotations

import pytest
import torch
from torch import nn

from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.readout import PairReadout
from linkwl.nn.reset import reset_children
from linkwl.nn.two_wl_conv import TwoWLConv
from linkwl.nn.union_rounds import UnionRounds
from linkwl.nn.walk_rounds import WalkRounds


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
