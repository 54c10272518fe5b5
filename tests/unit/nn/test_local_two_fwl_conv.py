from __future__ import annotations

import pytest
import torch
from torch import nn

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, dense, normal, randomised
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.rounds import walk_tensors


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def planned(convs, factors, label, adjacency, targets):
    """All rounds through a plan, each read at the targets."""
    plan = walk_tensors(adjacency, targets, len(convs))
    x, out = factors[0][plan.edges][plan.first], []
    for conv, factor, join, adjacent, place in zip(
        convs, factors[1:], plan.joins, plan.adjacent, plan.targets, strict=True
    ):
        own = label.new_zeros(len(adjacent), 1)
        own = own.index_put((adjacent >= 0,), label[plan.edges][adjacent[adjacent >= 0]])
        x = conv(x, factor[plan.edges], join, own)
        out.append(x[place])
    return out


def tables(convs, factors, label, adjacency):
    """All rounds on a table of all pairs, in which only pairs of the pattern speak."""
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)[..., 0]
    pattern, own = edges, dense(label, adjacency)
    x, out = dense(factors[0], adjacency), []
    for conv, factor in zip(convs, factors[1:], strict=True):
        walks = torch.einsum("prc,rqc->pqc", x * pattern[..., None], dense(factor, adjacency))
        x = torch.cat([walks, own], dim=2) @ conv.update.weight.T
        x = conv.norm(x if conv.update.bias is None else x + conv.update.bias)
        x = x.relu() if conv.activation else x
        out.append(x)
        pattern = ((pattern @ edges + edges) > 0).double()
    return out


def case(adjacency, rounds, **options):
    widths = [3, *[4] * rounds]
    convs = nn.ModuleList(LocalTwoFWLConv(a, b, **options) for a, b in zip(widths, widths[1:], strict=False))
    factors = [normal(adjacency.num_entries, 3, seed=0)]
    factors += [normal(adjacency.num_entries, width, seed=k) for k, width in enumerate(widths[:-1])]
    return randomised(convs), factors, normal(adjacency.num_entries, 1, seed=9)


def assert_same_walks(adjacency, targets, rounds, **options):
    convs, factors, label = case(adjacency, rounds, **options)
    inputs = [*factors, label, *convs.parameters()]
    ways = planned(convs, factors, label, adjacency, targets), tables(convs, factors, label, adjacency)
    for fast, table in zip(*ways, strict=True):
        assert_same_function(fast, table[targets[:, 0], targets[:, 1]], inputs)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_planned_walks_are_those_of_the_tables(adjacency, rounds):
    assert_same_walks(adjacency, all_pairs_of(adjacency.num_nodes), rounds)


@pytest.mark.parametrize("options", [{"activation": False}, {"bias": True}, {"bias": True, "norm": "layer"}], ids=str)
@pytest.mark.parametrize("name", ["undirected", "directed"])
def test_every_switch_and_few_pairs(name, options):
    adjacency = adjacency_of(GRAPHS[name])
    pairs = all_pairs_of(adjacency.num_nodes)
    targets = torch.cat([pairs.flip(0)[::5], pairs[1:4], pairs[1:4].flip(1), pairs[1:3]])
    assert_same_walks(adjacency, targets, 3, **options)


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_pair_does_not_depend_on_the_others(adjacency, rounds):
    convs, factors, label = case(adjacency, rounds, bias=True)
    pairs = all_pairs_of(adjacency.num_nodes)
    together = planned(convs, factors, label, adjacency, pairs)
    for i in range(0, len(pairs), 9):
        for alone, whole in zip(planned(convs, factors, label, adjacency, pairs[i : i + 1]), together, strict=True):
            torch.testing.assert_close(alone[0], whole[i], rtol=0, atol=1e-11)


def test_a_pair_that_no_walk_reaches_stays_zero():
    adjacency = adjacency_of(GRAPHS["undirected"])
    convs, factors, label = case(adjacency, 2)
    apart = torch.tensor([[0, 9], [8, 13], [13, 13], [1, 8]])
    for out in planned(convs, factors, label, adjacency, apart):
        assert not out.any()


def test_dropout_in_training_only():
    adjacency = adjacency_of(GRAPHS["complete"])
    convs, factors, label = case(adjacency, 1, dropout=0.5)
    pairs = all_pairs_of(5)
    torch.manual_seed(0)
    noisy = planned(convs.train(), factors, label, adjacency, pairs)[0]
    still = planned(convs.eval(), factors, label, adjacency, pairs)[0]
    plain = tables(convs, factors, label, adjacency)[0].flatten(0, 1)
    torch.testing.assert_close(still, plain)
    is_kept = noisy > 0
    torch.testing.assert_close(noisy[is_kept], 2 * plain[is_kept])
    assert (~is_kept & (plain > 0)).any()


def test_fresh_weights_pass_walks_on_as_they_are():
    conv = randomised(LocalTwoFWLConv(3, 3, bias=True))
    conv.reset_parameters()
    expected = torch.cat([torch.eye(3), torch.zeros(3, 1)], dim=1).double()
    assert torch.equal(conv.update.weight, expected)
    assert not conv.update.bias.any()
    narrow = randomised(LocalTwoFWLConv(4, 2), scale=9)
    narrow.reset_parameters()
    assert narrow.update.weight.abs().max() <= (6 / 7) ** 0.5


def test_statistics_over_the_pairs_that_are_scored_are_refused():
    with pytest.raises(ValueError, match="other pairs of its batch"):
        LocalTwoFWLConv(3, 3, norm="graph")
