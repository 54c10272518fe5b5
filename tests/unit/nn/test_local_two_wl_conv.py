from __future__ import annotations

import pytest
import torch
from torch import nn

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn.local_two_wl_conv import LocalTwoWLConv
from linkwl.nn.norms import GraphNorm
from linkwl.nn.pair_features import DensePairs, ProductPairs


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def second_order_graph(pairs, num_observed, end):
    """Every observed pair sends to all pairs that share the given end with it, itself among them."""
    ends = pairs[:, end]
    sender, receiver = (ends[:num_observed, None] == ends).nonzero().T
    return torch.stack([sender, receiver])


def explicit(pyg, convs, x, adjacency, targets):
    """The rounds as graph convolutions of PyG on the second-order graph, which adds the loop that targets lack."""
    pairs, observed = torch.cat([adjacency.pairs, targets]), adjacency.num_entries
    graphs = [second_order_graph(pairs, observed, end) for end in (0, 1)]
    z = x.at(pairs)
    for conv in convs:
        heard = []
        for branch, graph in zip((conv.first, conv.second), graphs, strict=True):
            gcn = pyg.GCNConv(conv.in_channels, conv.out_channels).double()
            gcn.lin.weight, gcn.bias = branch.linear.weight, branch.linear.bias
            out = normalised(branch, gcn(z, graph), observed)
            heard.append(out.relu() if branch.activation else out)
        z = heard[0] + heard[1]
    return z[:observed], z[observed:]


def normalised(branch, z, observed):
    """Graph norm with statistics over the observed pairs alone."""
    if not isinstance(branch.norm, GraphNorm):
        return branch.norm(z)
    norm = branch.norm
    rows = z[:observed] if observed else z.new_zeros(1, z.shape[1])
    mean = rows.mean(0)
    variance = (rows - norm.alpha * mean).square().mean(0) if observed else torch.zeros_like(mean)
    return norm.gamma * (z - norm.alpha * mean) / (variance + 0.1).sqrt() + norm.beta


def fast(convs, x, adjacency, targets):
    state, z = x, x.at(targets)
    for conv in convs:
        state, z = conv(state, adjacency, targets, z)
    return state.at(adjacency.pairs), z


def rounds_of(count, **options):
    widths = [3, *[4] * count]
    return randomised(nn.ModuleList(LocalTwoWLConv(a, b, **options) for a, b in zip(widths, widths[1:], strict=False)))


def assert_same_rounds(pyg, convs, adjacency):
    h = normal(adjacency.num_nodes, 3)
    targets = all_pairs_of(adjacency.num_nodes)  # edges, other pairs and (v, v)
    targets = torch.cat([targets, targets[:2]])
    inputs = [h, *convs.parameters()]
    plain = explicit(pyg, convs, ProductPairs(h), adjacency, targets)
    for ours, theirs in zip(fast(convs, ProductPairs(h), adjacency, targets), plain, strict=True):
        assert_same_function(ours, theirs, inputs)


@pytest.mark.parametrize("activation", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_it_is_a_graph_convolution_on_the_second_order_graph(pyg, adjacency, count, activation):
    assert_same_rounds(pyg, rounds_of(count, norm="none", activation=activation), adjacency)


@pytest.mark.parametrize("norm", ["graph", "layer"])
def test_statistics_are_those_of_the_observed_pairs(pyg, adjacency, norm):
    assert_same_rounds(pyg, rounds_of(2, norm=norm), adjacency)


def test_any_features_of_the_observed_pairs(pyg, adjacency):
    table = normal(adjacency.num_nodes, adjacency.num_nodes, 3)
    convs, targets = rounds_of(2, norm="none"), all_pairs_of(adjacency.num_nodes)[::3]
    plain = explicit(pyg, convs, DensePairs(table), adjacency, targets)
    for ours, theirs in zip(fast(convs, DensePairs(table), adjacency, targets), plain, strict=True):
        assert_same_function(ours, theirs, [table, *convs.parameters()])


@pytest.mark.parametrize("norm", ["none", "graph", "layer"])
def test_a_target_does_not_depend_on_the_others(adjacency, norm):
    convs, x = rounds_of(2, norm=norm), ProductPairs(normal(adjacency.num_nodes, 3))
    targets = all_pairs_of(adjacency.num_nodes)
    observed, together = fast(convs, x, adjacency, targets)
    for i in range(0, len(targets), 11):
        still, alone = fast(convs, x, adjacency, targets[i : i + 1])
        torch.testing.assert_close(alone[0], together[i], rtol=0, atol=1e-11)
        assert torch.equal(still, observed)
    assert fast(convs, x, adjacency, targets[:0])[1].shape == (0, 4)


def test_observing_once_is_enough_for_any_targets():
    adjacency = adjacency_of(GRAPHS["directed"])
    conv, x = rounds_of(1)[0], ProductPairs(normal(adjacency.num_nodes, 3))
    targets = all_pairs_of(adjacency.num_nodes)
    _, stars = conv.observe(x, adjacency)
    assert torch.equal(conv.score(stars, targets, x.at(targets)), conv(x, adjacency, targets, x.at(targets))[1])


def test_the_two_sides_have_weights_of_their_own():
    adjacency = adjacency_of(GRAPHS["undirected"])
    conv, x = rounds_of(1, norm="none", activation=False)[0], ProductPairs(normal(14, 3))
    pair = torch.tensor([[0, 9]])
    there, back = (conv(x, adjacency, t, x.at(t))[1] for t in (pair, pair.flip(1)))
    assert not torch.allclose(there, back)


def test_dropout_in_training_only():
    adjacency = adjacency_of(GRAPHS["complete"])
    convs, x, targets = rounds_of(1, dropout=0.5), ProductPairs(normal(5, 3)), all_pairs_of(5)
    torch.manual_seed(0)
    assert not torch.equal(fast(convs.train(), x, adjacency, targets)[1], fast(convs, x, adjacency, targets)[1])
    assert torch.equal(fast(convs.eval(), x, adjacency, targets)[1], fast(convs, x, adjacency, targets)[1])


def test_fresh_weights_everywhere():
    conv = rounds_of(1)[0]
    conv.reset_parameters()
    for branch in (conv.first, conv.second):
        assert not branch.linear.bias.any()
        assert branch.linear.weight.abs().max() <= (6 / 7) ** 0.5
        assert torch.equal(branch.norm.gamma, torch.ones(4, dtype=torch.float64))
    assert not torch.equal(conv.first.linear.weight, conv.second.linear.weight)
