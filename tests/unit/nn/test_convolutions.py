from __future__ import annotations

import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, assert_same_function, normal, randomised
from linkwl.nn.convolutions import APPNP, GCNConv, SAGEConv, gcn_sum


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def edge_index(adjacency):
    return torch.stack([adjacency.row, adjacency.col])


def test_gcn_sum_is_a_product_with_the_normalised_adjacency(adjacency):
    x = normal(adjacency.num_nodes, 3)
    matrix = torch.eye(adjacency.num_nodes, dtype=torch.float64)
    matrix[adjacency.col, adjacency.row] = 1  # row q hears from column p along p -> q
    scale = matrix.sum(1).rsqrt()
    assert_same_function(gcn_sum(x, adjacency), (scale[:, None] * matrix * scale) @ x, [x])


@pytest.mark.parametrize("widths", [(5, 2), (2, 5), (3, 3)])
def test_gcn_is_that_of_pyg(pyg, adjacency, widths):
    x = normal(adjacency.num_nodes, widths[0])
    conv, other = randomised(GCNConv(*widths)), pyg.GCNConv(*widths).double()
    other.lin.weight, other.bias = conv.linear.weight, conv.linear.bias
    assert_same_function(conv(x, adjacency), other(x, edge_index(adjacency)), [x, *conv.parameters()])


def test_sage_is_that_of_pyg(pyg, adjacency):
    x = normal(adjacency.num_nodes, 3)
    conv, other = randomised(SAGEConv(3, 2)), pyg.SAGEConv(3, 2, aggr="mean").double()
    other.lin_l.weight, other.lin_l.bias, other.lin_r.weight = conv.neighbours.weight, conv.own.bias, conv.own.weight
    assert_same_function(conv(x, adjacency), other(x, edge_index(adjacency)), [x, *conv.parameters()])


@pytest.mark.parametrize("steps", [0, 1, 4])
def test_appnp_is_that_of_pyg(pyg, adjacency, steps):
    x = normal(adjacency.num_nodes, 3)
    other = pyg.APPNP(steps, alpha=0.3)
    assert_same_function(APPNP(steps, alpha=0.3)(x, adjacency), other(x, edge_index(adjacency)), [x])


def test_appnp_shows_every_step(adjacency):
    x = normal(adjacency.num_nodes, 3)
    steps = APPNP(3, alpha=0.3).steps_from(x, adjacency)
    assert len(steps) == 3
    for count, step in enumerate(steps, start=1):
        assert_same_function(step, APPNP(count, alpha=0.3)(x, adjacency), [x])


def test_fresh_weights():
    conv = randomised(GCNConv(4, 4), scale=9)
    conv.reset_parameters()
    assert not conv.linear.bias.any()
    assert conv.linear.weight.abs().max() <= (6 / 8) ** 0.5
    sage = randomised(SAGEConv(4, 4), scale=9)
    sage.reset_parameters()
    assert max(weight.abs().max().item() for weight in sage.parameters()) <= 0.5
    assert list(APPNP(2, 0.1).parameters()) == []
