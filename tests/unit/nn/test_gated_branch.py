from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn.gated_branch import GatedBranch, gated_walks
from linkwl.nn.pair_features import LabelledPairs


@pytest.fixture(params=GRAPHS)
def x(request):
    """Labelled pairs with a weight for every edge."""
    adjacency = adjacency_of(GRAPHS[request.param])
    return LabelledPairs(normal(adjacency.num_nodes, 3), adjacency, normal(adjacency.num_entries, seed=1))


@pytest.fixture
def branch():
    return randomised(GatedBranch(3, 4))


def table_of(x):
    nodes = torch.arange(x.num_nodes)
    return x.block(nodes, nodes)


def test_a_pair_tells_its_definition(branch, x):
    table, scale = table_of(x), 0.3
    product, edge, identity = table[..., :3], table[..., 3], table[..., 4]
    expected = [
        scale * (product @ branch.everywhere.weight[c])
        + edge * F.softplus(product @ branch.edges.weight[c] + branch.edges.bias[c])
        + identity * branch.identity[c]
        for c in range(4)
    ]
    inputs = [x.h, x.edge_weight, *branch.parameters()]
    assert_same_function(branch(table, scale), torch.stack(expected, dim=2), inputs)


def test_sums_are_those_of_the_table(branch, x):
    x = LabelledPairs.weighted(x.h, x.adjacency)  # alike in both directions of an undirected edge
    inputs = [x.h, *branch.parameters()]
    rows, columns = branch.sums(x, 0.3)
    assert_same_function(rows, branch(table_of(x), 0.3).sum(1), inputs)
    assert_same_function(columns, branch(table_of(x), 0.3).sum(0), inputs)


def test_the_gate_is_what_an_edge_tells_beyond_others(branch, x):
    edges = torch.arange(x.adjacency.num_entries).flip(0)
    labelled = x.at(x.adjacency.pairs[edges])
    unlabelled = labelled * torch.tensor([1, 1, 1, 0, 1])
    plain = branch(labelled) - branch(unlabelled)
    assert_same_function(branch.gate(x, edges), plain, [x.h, x.edge_weight, *branch.parameters()])


def test_fresh_weights_leave_the_identity_silent():
    branch = randomised(GatedBranch(3, 4), scale=9)
    branch.reset_parameters()
    assert not branch.identity.any()
    assert not branch.edges.bias.any()
    assert branch.everywhere.weight.abs().max() <= 1


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def labelled(adjacency):
    """Pairs with weighted edges, an undirected one the same both ways, and what they are made of."""
    h, leaving, arriving = (normal(adjacency.num_nodes, width, seed=width) for width in (3, 1, 2))
    arriving = leaving if adjacency.is_symmetric else arriving
    weight = leaving[adjacency.row, 0] * arriving[adjacency.col, 0]
    return LabelledPairs(h, adjacency, weight), [h, leaving, arriving]


def walks_by_definition(left, right, x, scale=1.0):
    """Every pair with every other, added up one middle node at a time."""
    nodes = torch.arange(x.num_nodes)
    table = x.block(nodes, nodes)
    g, h = left(table, scale), right(table, scale)
    return sum(g[:, i, None] * h[None, i] for i in range(x.num_nodes))


@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_walks_between_all_pairs(adjacency, scale):
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    x, inputs = labelled(adjacency)
    targets = all_pairs_of(x.num_nodes)
    walks = gated_walks(left, right, x, targets, scale)
    plain = walks_by_definition(left, right, x, scale).flatten(0, 1)
    assert_same_function(walks, plain, [*inputs, *left.parameters(), *right.parameters()])


def test_walks_between_some_pairs_in_any_order_and_twice(adjacency):
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    x, inputs = labelled(adjacency)
    targets = all_pairs_of(x.num_nodes).flip(0)[::3]
    targets = torch.cat([targets, targets[:2], targets[:2].flip(1)])
    plain = walks_by_definition(left, right, x)[targets[:, 0], targets[:, 1]]
    assert_same_function(gated_walks(left, right, x, targets), plain, [*inputs, *left.parameters()])


def test_walks_between_no_pairs(adjacency):
    x, _ = labelled(adjacency)
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    assert gated_walks(left, right, x, torch.empty(0, 2, dtype=torch.int64)).shape == (0, 4)


def test_walks_of_a_pair_do_not_depend_on_the_others(adjacency):
    x, _ = labelled(adjacency)
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    targets = all_pairs_of(x.num_nodes)
    together = gated_walks(left, right, x, targets)
    for i in range(0, len(targets), 7):
        alone = gated_walks(left, right, x, targets[i : i + 1])
        torch.testing.assert_close(alone[0], together[i], rtol=0, atol=1e-11)
