from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from adjacencies import GRAPHS, adjacency_of, assert_same_function, normal, randomised
from linkwl.nn.gated_branch import GatedBranch
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
