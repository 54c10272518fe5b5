from __future__ import annotations

import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn import two_fwl_conv
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.pair_features import DensePairs, LabelledPairs, ProductPairs, SumPairs
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.two_fwl_conv import TwoFWLConv


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


@pytest.fixture(params=["large", "small"])
def blocks(request, monkeypatch):
    """All middle nodes in one block, or a few in each."""
    monkeypatch.setattr(two_fwl_conv, "BLOCK_ELEMENTS", 5000 if request.param == "small" else 1 << 20)


def gated():
    left, right = (GatedBranch(3, 4) for _ in range(2))
    return randomised(TwoFWLConv(left, right, Perceptron(9, 2)))


def plain_branches(in_channels=5):
    left, right = (Perceptron(in_channels, 4) for _ in range(2))
    return randomised(TwoFWLConv(left, right, Perceptron(in_channels + 4, 2)))


def labelled(adjacency):
    return LabelledPairs.weighted(normal(adjacency.num_nodes, 3), adjacency)


def table_of(x):
    nodes = torch.arange(x.num_nodes)
    return x.block(nodes, nodes)


def by_definition(conv, table):
    """Everything for all pairs, one middle node after the other."""
    scale = len(table) ** -0.5
    is_gated = isinstance(conv.left, GatedBranch)
    g, h = (branch(table, scale) if is_gated else branch(table) for branch in (conv.left, conv.right))
    walks = sum(g[:, i, None] * h[None, i] for i in range(len(table)))
    return conv.update(torch.cat([table, walks], dim=2))


def test_closed_form_is_the_streamed_one_is_the_product_of_matrices(adjacency, blocks):
    conv, x = gated(), labelled(adjacency)
    targets = all_pairs_of(x.num_nodes)
    inputs = [x.h, *conv.parameters()]
    plain = by_definition(conv, table_of(x))
    assert_same_function(conv(x, targets), plain.flatten(0, 1), inputs)
    assert_same_function(conv(DensePairs(table_of(x)), targets), plain.flatten(0, 1), inputs)
    assert_same_function(conv(x), plain, inputs)
    assert_same_function(conv(table_of(x)), plain, inputs)


def test_streamed_perceptrons_are_the_product_of_matrices(adjacency, blocks):
    conv, x = plain_branches(), labelled(adjacency)
    targets = all_pairs_of(x.num_nodes)
    inputs = [x.h, *conv.parameters()]
    plain = by_definition(conv, table_of(x))
    assert_same_function(conv(x, targets), plain.flatten(0, 1), inputs)
    assert_same_function(conv(x), plain, inputs)


@pytest.mark.parametrize("form", ["table", "product", "sum"])
def test_any_form_of_pairs(form, blocks):
    a, b, table = normal(6, 3), normal(6, 3, seed=1), normal(6, 6, 3)
    x, inputs = {
        "table": (DensePairs(table), [table]),
        "product": (ProductPairs(a), [a]),
        "sum": (SumPairs(a, b), [a, b]),
    }[form]
    conv = plain_branches(3)
    plain = by_definition(conv, table_of(x))
    assert_same_function(conv(x), plain, [*inputs, *conv.parameters()])
    some = torch.tensor([[5, 1], [1, 5], [2, 2], [5, 1]])
    assert_same_function(conv(x, some), plain[some[:, 0], some[:, 1]], [*inputs, *conv.parameters()])


@pytest.mark.parametrize("conv", [gated(), plain_branches()], ids=["gated", "perceptron"])
def test_a_pair_does_not_depend_on_the_others(adjacency, conv):
    x, targets = labelled(adjacency), all_pairs_of(adjacency.num_nodes)
    together = conv(x, targets)
    for i in range(0, len(targets), 11):
        torch.testing.assert_close(conv(x, targets[i : i + 1])[0], together[i], rtol=0, atol=1e-11)
    assert conv(x, targets[:0]).shape == (0, 2)


def test_only_a_block_is_held(monkeypatch):
    """The pairs of a block and of the targets' walks through it are no more than are allowed."""
    seen = []

    class Spy(Perceptron):
        def forward(self, x):
            seen.append(x.numel())
            return super().forward(x)

    monkeypatch.setattr(two_fwl_conv, "BLOCK_ELEMENTS", 600)
    conv = TwoFWLConv(Spy(3, 4), Spy(3, 4), Perceptron(7, 2))
    conv(ProductPairs(torch.ones(30, 3)), torch.tensor([[0, 1], [0, 2], [5, 1]]))
    assert max(seen) <= 600
    assert sum(seen) == (2 + 2) * 30 * 3


def test_branches_that_do_not_fit_each_other_are_refused():
    update = Perceptron(9, 2)
    for left, right in (
        (GatedBranch(3, 4), Perceptron(5, 4)),
        (GatedBranch(3, 4), GatedBranch(3, 5)),
    ):
        with pytest.raises(ValueError, match="same kind and widths"):
            TwoFWLConv(left, right, update)


def test_fresh_weights_everywhere():
    for conv in (gated(), plain_branches()):
        before = {name: weight.detach().clone() for name, weight in conv.named_parameters()}
        conv.reset_parameters()
        assert all(not torch.equal(weight, before[name]) for name, weight in conv.named_parameters())
