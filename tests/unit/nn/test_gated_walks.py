from __future__ import annotations

import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, normal, randomised
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.gated_walks import gated_walks
from linkwl.nn.pair_features import LabelledPairs


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def labelled(adjacency):
    """Pairs with weighted edges, an undirected one the same both ways, and what they are made of."""
    h, leaving, arriving = (normal(adjacency.num_nodes, width, seed=width) for width in (3, 1, 2))
    arriving = leaving if adjacency.is_symmetric else arriving
    weight = leaving[adjacency.row, 0] * arriving[adjacency.col, 0]
    return LabelledPairs(h, adjacency, weight), [h, leaving, arriving]


def by_definition(left, right, x, scale=1.0):
    """Every pair with every other, added up one middle node at a time."""
    nodes = torch.arange(x.num_nodes)
    table = x.block(nodes, nodes)
    g, h = left(table, scale), right(table, scale)
    return sum(g[:, i, None] * h[None, i] for i in range(x.num_nodes))


@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_all_pairs(adjacency, scale):
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    x, inputs = labelled(adjacency)
    targets = all_pairs_of(x.num_nodes)
    walks = gated_walks(left, right, x, targets, scale)
    plain = by_definition(left, right, x, scale).flatten(0, 1)
    assert_same_function(walks, plain, [*inputs, *left.parameters(), *right.parameters()])


def test_some_pairs_in_any_order_and_twice(adjacency):
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    x, inputs = labelled(adjacency)
    targets = all_pairs_of(x.num_nodes).flip(0)[::3]
    targets = torch.cat([targets, targets[:2], targets[:2].flip(1)])
    plain = by_definition(left, right, x)[targets[:, 0], targets[:, 1]]
    assert_same_function(gated_walks(left, right, x, targets), plain, [*inputs, *left.parameters()])


def test_no_pairs(adjacency):
    x, _ = labelled(adjacency)
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    assert gated_walks(left, right, x, torch.empty(0, 2, dtype=torch.int64)).shape == (0, 4)


def test_a_pair_does_not_depend_on_the_others(adjacency):
    x, _ = labelled(adjacency)
    left, right = (randomised(GatedBranch(3, 4), seed) for seed in (1, 2))
    targets = all_pairs_of(x.num_nodes)
    together = gated_walks(left, right, x, targets)
    for i in range(0, len(targets), 7):
        alone = gated_walks(left, right, x, targets[i : i + 1])
        torch.testing.assert_close(alone[0], together[i], rtol=0, atol=1e-11)
