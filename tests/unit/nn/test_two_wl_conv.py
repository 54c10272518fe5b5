from __future__ import annotations

import math

import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn import two_wl_conv
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.pair_features import DensePairs, LabelledPairs, ProductPairs, SumPairs
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.two_wl_conv import TwoWLConv


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


@pytest.fixture(params=["large", "small"])
def blocks(request, monkeypatch):
    """All rows in one block, or a few in each."""
    monkeypatch.setattr(two_wl_conv, "BLOCK_ELEMENTS", 400 if request.param == "small" else 1 << 20)


def gated():
    return randomised(TwoWLConv(GatedBranch(3, 4), Perceptron(13, 2)))


def plain_branch(in_channels=5):
    branch = Perceptron(in_channels, 4, layers=2, norm=True)
    return randomised(TwoWLConv(branch, Perceptron(in_channels + 8, 2)))


def labelled(adjacency):
    return LabelledPairs.weighted(normal(adjacency.num_nodes, 3), adjacency)


def table_of(x):
    nodes = torch.arange(x.num_nodes)
    return x.block(nodes, nodes)


def sums_by_definition(conv, table):
    n = len(table)
    if not isinstance(conv.branch, GatedBranch):
        return conv.branch(table).sum(1), conv.branch(table).sum(0)
    told = conv.branch(table, 1 / n)
    return told.sum(1) + math.log(1 + n) * conv.count, told.sum(0) + math.log(1 + n) * conv.count


def by_definition(conv, table):
    """Everything for all pairs."""
    n = len(table)
    rows, columns = sums_by_definition(conv, table)
    parts = [table, rows[:, None].expand(-1, n, -1), columns[None].expand(n, -1, -1)]
    return conv.update(torch.cat(parts, dim=2))


def test_closed_form_is_the_streamed_one_is_the_dense_one(adjacency, blocks):
    conv, x = gated(), labelled(adjacency)
    targets = all_pairs_of(x.num_nodes)
    inputs = [x.h, *conv.parameters()]
    plain = by_definition(conv, table_of(x))
    assert_same_function(conv(x, targets), plain.flatten(0, 1), inputs)
    assert_same_function(conv(DensePairs(table_of(x)), targets), plain.flatten(0, 1), inputs)
    assert_same_function(conv(x), plain, inputs)
    assert_same_function(conv(table_of(x)), plain, inputs)


def test_a_streamed_perceptron_is_the_dense_one(adjacency, blocks):
    conv, x = plain_branch(), labelled(adjacency)
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
    conv = plain_branch(3)
    plain = by_definition(conv, table_of(x))
    assert_same_function(conv(x), plain, [*inputs, *conv.parameters()])
    some = torch.tensor([[5, 1], [1, 5], [2, 2], [5, 1]])
    assert_same_function(conv(x, some), plain[some[:, 0], some[:, 1]], [*inputs, *conv.parameters()])


@pytest.mark.parametrize("conv", [gated(), plain_branch()], ids=["gated", "perceptron"])
def test_a_pair_does_not_depend_on_the_others(adjacency, conv):
    x, targets = labelled(adjacency), all_pairs_of(adjacency.num_nodes)
    together = conv(x, targets)
    for i in range(0, len(targets), 11):
        torch.testing.assert_close(conv(x, targets[i : i + 1])[0], together[i], rtol=0, atol=1e-11)
    assert conv(x, targets[:0]).shape == (0, 2)


@pytest.mark.parametrize("conv", [gated(), plain_branch()], ids=["gated", "perceptron"])
def test_sums_of_the_nodes_that_are_named(adjacency, conv, blocks):
    x = labelled(adjacency)
    nodes = torch.tensor([adjacency.num_nodes - 1, 0, 0])
    plain = sums_by_definition(conv, table_of(x))
    inputs = [x.h, *conv.branch.parameters(), *([] if conv.count is None else [conv.count])]
    for fast, slow in zip(conv.sums(x, nodes), plain, strict=True):
        assert_same_function(fast, slow[nodes], inputs)


def test_only_a_block_is_held(monkeypatch):
    """The largest array that a branch sees has no more elements than are allowed, or one row."""
    seen = []

    class Spy(Perceptron):
        def forward(self, x):
            seen.append(x.numel())
            return super().forward(x)

    monkeypatch.setattr(two_wl_conv, "BLOCK_ELEMENTS", 400)
    conv = TwoWLConv(Spy(3, 4), Perceptron(11, 2))
    conv(ProductPairs(torch.ones(30, 3)))
    assert max(seen) <= 400
    assert sum(seen) == 2 * 30 * 30 * 3


def test_fresh_weights_everywhere():
    for conv in (gated(), plain_branch()):
        before = {name: weight.detach().clone() for name, weight in conv.named_parameters()}
        conv.reset_parameters()
        assert all(not torch.equal(weight, before[name]) for name, weight in conv.named_parameters())
