from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from adjacencies import GRAPHS, adjacency_of, assert_same_function, normal, randomised
from linkwl.nn.encoder import APPNP, BothWaysConv, GCNConv, NodeBlock, NodeEncoder, NodeInput, SAGEConv, gcn_sum
from linkwl.nn.norms import GraphNorm
from linkwl.nn.sparse_linear import SparseRows


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def sparse(table):
    row, col = np.nonzero(table)
    rowptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(table)))])
    return SparseRows(rowptr.astype(np.int64), col.astype(np.int32), table[row, col], table.shape[1])


def normalised(x):
    centred = x - x.mean(1, keepdim=True)
    return centred / (centred.square().mean(1, keepdim=True) + 1e-5).sqrt()


def test_degrees_alone(adjacency):
    node_input = randomised(NodeInput(3, num_features=0, max_degree=9))
    plain = node_input.degree(adjacency.degree)
    assert_same_function(node_input(adjacency, None), plain, node_input.parameters())


def test_both_directions_have_a_degree(adjacency):
    node_input = randomised(NodeInput(3, num_features=0, max_degree=9, is_directed=True))
    plain = node_input.degree(adjacency.degree) + node_input.in_degree(adjacency.transpose.degree)
    assert_same_function(node_input(adjacency, None), plain, node_input.parameters())


@pytest.mark.parametrize("max_degree", [None, 9])
def test_features_are_mapped_normalised_and_added(adjacency, max_degree):
    node_input = randomised(NodeInput(3, num_features=5, max_degree=max_degree))
    table = normal(adjacency.num_nodes, 5, requires_grad=False)
    plain = normalised(table @ node_input.features.weight + node_input.features.bias)
    if max_degree is not None:
        plain = plain + node_input.degree(adjacency.degree)
    for features in (table, sparse(table.numpy())):
        assert_same_function(node_input(adjacency, features), plain, node_input.parameters())


def test_dense_features_are_standardised_by_the_graph_to_train_on():
    adjacency = adjacency_of(GRAPHS["undirected"])
    node_input = randomised(NodeInput(3, num_features=4, max_degree=None))
    train, other = (normal(14, 4, seed=seed, requires_grad=False) * 7 + 2 for seed in (1, 2))
    train[:, 3] = other[:, 3] = 5.0
    node_input.standardise(train)
    standard = (other - train.mean(0)) / torch.where(train.std(0, correction=0) > 0, train.std(0, correction=0), 1.0)
    plain = normalised(standard @ node_input.features.weight + node_input.features.bias)
    torch.testing.assert_close(node_input(adjacency, other), plain)


def test_statistics_of_features_are_saved_with_the_weights():
    node_input = NodeInput(3, num_features=4, max_degree=None)
    node_input.standardise(normal(14, 4, requires_grad=False).float() + 3)
    copy = NodeInput(3, num_features=4, max_degree=None)
    copy.load_state_dict(node_input.state_dict())
    assert torch.equal(copy.center, node_input.center)
    assert torch.equal(copy.spread, node_input.spread)
    assert copy.center.abs().max() > 1


def test_a_node_needs_an_input():
    with pytest.raises(ValueError, match="needs an input"):
        NodeInput(3, num_features=0, max_degree=None)


def test_features_that_are_missing_are_missed():
    node_input = NodeInput(3, num_features=4, max_degree=2)
    with pytest.raises(ValueError, match="4 features"):
        node_input(adjacency_of(GRAPHS["one node"]), None)


def test_dropout_in_training_only():
    adjacency = adjacency_of(GRAPHS["undirected"])
    node_input = randomised(NodeInput(3, num_features=4, max_degree=2, feature_dropout=0.5, dropout=0.5))
    table = normal(14, 4, requires_grad=False)
    for features in (table, sparse(table.numpy())):
        assert torch.equal(node_input.eval()(adjacency, features), node_input(adjacency, features))
        first, second = node_input.train()(adjacency, features), node_input(adjacency, features)
        assert not torch.equal(first, second)
        assert (first == 0).any()


BLOCKS = [NodeBlock("graph", 0.0, True), NodeBlock("layer", 0.0, False), NodeBlock("none", 0.0, True)]


@pytest.mark.parametrize("conv", ["gcn", "sage"])
def test_blocks_follow_each_other(adjacency, conv):
    encoder = randomised(NodeEncoder(NodeInput(3, num_features=0, max_degree=9), 3, BLOCKS, conv=conv))
    x = encoder.input(adjacency, None)
    depths = [x]
    for operator, norm, block in zip(encoder.convs, encoder.norms, BLOCKS, strict=True):
        x = operator(x, adjacency)
        x = norm(x) if isinstance(norm, GraphNorm) else F.layer_norm(x, (3,)) if block.norm == "layer" else x
        x = x.relu() if block.activation else x
        depths.append(x)
    ours = encoder(adjacency)
    assert len(ours) == len(BLOCKS) + 1
    for own, plain in zip(ours, depths, strict=True):
        assert_same_function(own, plain, encoder.parameters())


def test_propagation_has_every_step_and_no_weights(adjacency):
    encoder = randomised(NodeEncoder(NodeInput(3, num_features=0, max_degree=9), 3, BLOCKS, conv="appnp", alpha=0.3))
    depths = encoder(adjacency)
    assert len(depths) == 4
    for before, after in zip(depths, depths[1:], strict=False):
        table = torch.eye(adjacency.num_nodes, dtype=torch.float64)
        table[adjacency.col, adjacency.row] = 1
        scale = table.sum(1).rsqrt()
        plain = 0.7 * (scale[:, None] * table * scale) @ before + 0.3 * depths[0]
        torch.testing.assert_close(after, plain)
    assert {name.split(".")[0] for name, _ in encoder.named_parameters()} == {"input"}


def test_no_blocks(adjacency):
    for conv in ("gcn", "sage", "appnp"):
        encoder = NodeEncoder(NodeInput(3, num_features=0, max_degree=9), 3, [], conv=conv)
        (only,) = encoder(adjacency)
        assert torch.equal(only, encoder.input(adjacency, None))


def test_each_block_has_its_own_dropout():
    adjacency = adjacency_of(GRAPHS["undirected"])
    blocks = [NodeBlock("none", 0.0, False), NodeBlock("none", 0.6, False)]
    encoder = NodeEncoder(NodeInput(8, num_features=0, max_degree=9), 8, blocks).train()
    first, second = encoder(adjacency)[1:], encoder(adjacency)[1:]
    assert torch.equal(first[0], second[0])
    assert not torch.equal(first[1], second[1])
    assert 0.4 < (first[1] == 0).double().mean() < 0.8


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


def test_fresh_weights_of_convolutions():
    conv = randomised(GCNConv(4, 4), scale=9)
    conv.reset_parameters()
    assert not conv.linear.bias.any()
    assert conv.linear.weight.abs().max() <= (6 / 8) ** 0.5
    sage = randomised(SAGEConv(4, 4), scale=9)
    sage.reset_parameters()
    assert max(weight.abs().max().item() for weight in sage.parameters()) <= 0.5
    assert list(APPNP(2, 0.1).parameters()) == []


def test_residual_connections_add_the_input(adjacency):
    blocks = [NodeBlock("none", 0.0, True), NodeBlock("none", 0.0, False)]
    encoder = NodeEncoder(NodeInput(3, num_features=0, max_degree=9), 3, blocks, residual=True)
    first, second, third = randomised(encoder)(adjacency)
    assert torch.allclose(second, encoder.convs[0](first, adjacency).relu() + first)
    assert torch.allclose(third, encoder.convs[1](second, adjacency) + first)


@pytest.mark.parametrize("out_channels", [2, 5])
def test_a_convolution_without_a_bias(adjacency, out_channels):
    conv = randomised(GCNConv(3, out_channels, bias=False))
    x = normal(adjacency.num_nodes, 3)
    plain = gcn_sum(x, adjacency) @ conv.linear.weight.T
    assert_same_function(conv(x, adjacency), plain, [x, *conv.parameters()])


def test_directed_nodes_hear_along_edges_and_against_them():
    """In 1 -> 0, node 1 hears what it points to and node 0 what points to it, each with other weights."""
    adjacency, x = adjacency_of(GRAPHS["one directed edge"]), normal(3, 4)
    conv = randomised(BothWaysConv(SAGEConv(4, 2), SAGEConv(4, 2)))
    along, against = conv.incoming, conv.outgoing
    heard = torch.stack([along.neighbours(x[1]), against.neighbours(x[0]), torch.zeros(2, dtype=torch.float64)])
    assert_same_function(conv(x, adjacency), along.own(x) + against.own(x) + heard, [x, *conv.parameters()])
    encoder = NodeEncoder(NodeInput(4, num_features=0, max_degree=3), 4, [NodeBlock()] * 2, is_directed=True)
    assert all(isinstance(layer, BothWaysConv) for layer in encoder.convs)
