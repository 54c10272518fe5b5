from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, dense, normal, randomised
from linkwl.nn.rounds import PairLinear, UnionRounds, WalkRounds, walk_tensors
from linkwl.sparse import plan_walks


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def directions_of(adjacency):
    """Whether each pair is an edge, and whether its reverse is."""
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)
    return torch.cat([edges, edges.transpose(0, 1)], dim=2)


def walk_tables(rounds, h, adjacency):
    """All rounds on a table of all pairs, in which only pairs that edges or walks join speak."""
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)[..., 0]
    if rounds.is_directed:
        edges = ((edges + edges.T) > 0).double()
    degrees = edges.sum(1, keepdim=True) * edges.sum(0)
    label = edges / degrees.clamp(min=1).sqrt() if rounds.normalise else edges
    phi = F.softplus if rounds.factor == "softplus" else torch.relu
    factors = [layer.first(h)[:, None] + layer.second(h)[None] for layer in rounds.factors]
    own = label[..., None]
    if rounds.is_directed:
        directions = directions_of(adjacency)
        factors = [factor + layer(directions) for factor, layer in zip(factors, rounds.directions, strict=True)]
        own = own * directions
    factors = [phi(factor) * label[..., None] for factor in factors]
    x, pattern, out = factors[0], edges, []
    for conv, factor in zip(rounds.convs, factors[1:], strict=True):
        walks = torch.einsum("prc,rqc->pqc", x, factor)
        pattern = ((pattern @ edges + edges) > 0).double()
        y = conv.norm(conv.update(torch.cat([walks, own], dim=2)))
        x = y.relu() * pattern[..., None]
        out.append(x)
    return out


def assert_same_walks(rounds, adjacency, targets):
    h = normal(adjacency.num_nodes, 3)
    inputs = [h, *rounds.parameters()]
    for fast, table in zip(rounds(h, adjacency, targets), walk_tables(rounds, h, adjacency), strict=True):
        assert_same_function(fast, table[targets[:, 0], targets[:, 1]], inputs)


@pytest.mark.parametrize("count", [1, 3])
def test_walks_are_those_of_the_tables(adjacency, count):
    assert_same_walks(randomised(WalkRounds(3, 4, count)), adjacency, all_pairs_of(adjacency.num_nodes))


@pytest.mark.parametrize(
    "options", [{"normalise": False}, {"factor": "relu"}, {"bias": True}, {"bias": True, "norm": "layer"}], ids=str
)
@pytest.mark.parametrize("name", ["undirected", "directed", "no edges"])
def test_every_switch_and_few_pairs(name, options):
    adjacency = adjacency_of(GRAPHS[name])
    pairs = all_pairs_of(adjacency.num_nodes)
    targets = torch.cat([pairs.flip(0)[::5], pairs[1:4], pairs[1:4].flip(1)])
    assert_same_walks(randomised(WalkRounds(3, 4, 2, **options)), adjacency, targets)


@pytest.mark.parametrize("options", [{}, {"normalise": False, "bias": True}], ids=str)
@pytest.mark.parametrize("name", ["directed", "one directed edge", "no directed edges"])
def test_directed_walks_go_both_ways_and_hear_which(name, options):
    adjacency = adjacency_of(GRAPHS[name])
    rounds = randomised(WalkRounds(3, 4, 3, is_directed=True, **options))
    assert_same_walks(rounds, adjacency, all_pairs_of(adjacency.num_nodes))


def test_weights_count_walks():
    """With factors of one and fresh updates, round t counts the walks of t + 1 edges."""
    adjacency = adjacency_of(GRAPHS["undirected"])
    rounds = WalkRounds(3, 1, 3, normalise=False, factor="relu").double()
    for layer in rounds.factors:
        for weight in layer.parameters():
            torch.nn.init.zeros_(weight)
        torch.nn.init.ones_(layer.first.bias)
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)[..., 0]
    walks = edges
    for heard in rounds(normal(14, 3), adjacency, all_pairs_of(14)):
        walks = walks @ edges
        torch.testing.assert_close(heard.view(14, 14), walks)


def test_a_pair_that_no_walk_reaches_stays_zero():
    adjacency = adjacency_of(GRAPHS["undirected"])
    apart = torch.tensor([[0, 9], [8, 13], [13, 13]])
    for options in ({}, {"bias": True}):
        for heard in randomised(WalkRounds(3, 4, 3, **options))(normal(14, 3), adjacency, apart):
            assert not heard.any()


def test_walks_dropout_in_training_only():
    adjacency, h, pairs = adjacency_of(GRAPHS["complete"]), normal(5, 3), all_pairs_of(5)
    rounds = randomised(WalkRounds(3, 4, 1, dropout=0.5))
    assert torch.equal(rounds.eval()(h, adjacency, pairs)[0], rounds(h, adjacency, pairs)[0])
    assert not torch.equal(rounds.train()(h, adjacency, pairs)[0], rounds(h, adjacency, pairs)[0])


def test_walks_fresh_weights_everywhere():
    rounds = randomised(WalkRounds(3, 4, 2, bias=True), scale=9)
    rounds.reset_parameters()
    assert max(weight.abs().max().item() for weight in rounds.parameters()) <= 1


def table(rounds, h, adjacency):
    """All rounds on a table of all pairs, one term for every middle node that an edge leads to."""
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)[..., 0]
    labels = torch.stack([edges, torch.eye(adjacency.num_nodes, dtype=torch.float64)], dim=2)
    x = (rounds.ends.first(h)[:, None] + rounds.ends.second(h)[None] + rounds.labels(labels)).relu()
    takes_part = ((edges[:, :, None] + edges[None]) > 0).double()  # p, r, q
    weight = ((edges.sum(1)[:, None] + 1) * (edges.sum(0) + 1)).rsqrt()[..., None]
    for left, right, conv in zip(rounds.left, rounds.right, rounds.convs, strict=True):
        walks = torch.einsum("prq,prc,rqc->pqc", takes_part, F.softplus(left(x)), F.softplus(right(x)))
        x = conv.update(torch.cat([weight * walks, x], dim=2)).relu()
    return x


@pytest.mark.parametrize("count", [1, 2, 3])
def test_unions_are_those_of_the_table(adjacency, count):
    rounds, h = randomised(UnionRounds(3, 4, count), scale=0.5), normal(adjacency.num_nodes, 3)
    targets = all_pairs_of(adjacency.num_nodes)
    plain = table(rounds, h, adjacency)
    inputs = [h, *rounds.parameters()]
    assert_same_function(rounds(h, adjacency, targets), plain.flatten(0, 1), inputs)
    some = torch.cat([targets.flip(0)[::5], targets[:2], targets[:2].flip(1)])
    assert_same_function(rounds(h, adjacency, some), plain[some[:, 0], some[:, 1]], inputs)


def test_unions_a_pair_does_not_depend_on_the_others(adjacency):
    rounds, h = randomised(UnionRounds(3, 4, 2), scale=0.5), normal(adjacency.num_nodes, 3)
    targets = all_pairs_of(adjacency.num_nodes)
    together = rounds(h, adjacency, targets)
    for i in range(0, len(targets), 9):
        torch.testing.assert_close(rounds(h, adjacency, targets[i : i + 1])[0], together[i], rtol=0, atol=1e-11)
    assert rounds(h, adjacency, targets[:0]).shape == (0, 4)


def test_unions_dropout_in_training_only():
    adjacency, h, pairs = adjacency_of(GRAPHS["complete"]), normal(5, 3), all_pairs_of(5)
    rounds = randomised(UnionRounds(3, 4, 1, dropout=0.5))
    assert torch.equal(rounds.eval()(h, adjacency, pairs), rounds(h, adjacency, pairs))
    assert not torch.equal(rounds.train()(h, adjacency, pairs), rounds(h, adjacency, pairs))


def test_unions_fresh_weights_everywhere():
    rounds = randomised(UnionRounds(3, 4, 2), scale=9)
    rounds.reset_parameters()
    assert max(weight.abs().max().item() for weight in rounds.parameters()) <= 1


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("name", GRAPHS)
def test_walk_tensors_are_the_plan_with_its_indices_as_tensors(name, rounds):
    graph = GRAPHS[name]
    adjacency, targets = adjacency_of(graph), all_pairs_of(graph.num_nodes)[::2]
    turned = adjacency.transpose.arrays if graph.is_directed else None
    plan = plan_walks(graph.rowptr, graph.col, targets.numpy(), rounds, transposed=turned)
    tensors = walk_tensors(adjacency, targets, rounds)
    for ours, theirs in (
        (tensors.edges, plan.edges),
        (tensors.first, plan.first),
        *zip(tensors.adjacent, plan.adjacent, strict=True),
        *zip(tensors.targets, plan.targets, strict=True),
    ):
        assert ours.dtype == torch.int64
        np.testing.assert_array_equal(ours.numpy(), theirs)
    assert len(tensors.joins) == len(tensors.adjacent) == len(tensors.targets) == rounds
    for ours, theirs in zip(tensors.joins, plan.joins, strict=True):
        np.testing.assert_array_equal(ours.left, theirs.left)
        np.testing.assert_array_equal(ours.right, theirs.right)
        np.testing.assert_array_equal(ours.ptr, theirs.ptr)


def test_terms_are_walks_of_edges():
    adjacency = adjacency_of(GRAPHS["directed"])
    targets = all_pairs_of(adjacency.num_nodes)
    tensors = walk_tensors(adjacency, targets, rounds=1)
    ends = adjacency.pairs[tensors.edges]
    first = ends[tensors.first]
    (join,) = tensors.joins
    table = torch.zeros(adjacency.num_nodes, adjacency.num_nodes)
    table[adjacency.row, adjacency.col] = 1
    walks = table @ table
    for (p, q), place in zip(targets.tolist(), tensors.targets[0].tolist(), strict=True):
        terms = slice(join.ptr[place], join.ptr[place + 1])
        left, right = first[join.left[terms].astype(np.int64)], ends[join.right[terms].astype(np.int64)]
        assert len(left) == walks[p, q]
        assert (left[:, 0] == p).all()
        assert (right[:, 1] == q).all()
        assert torch.equal(left[:, 1], right[:, 0])


@pytest.mark.parametrize("num_nodes", [4, 99], ids=["many pairs", "few pairs"])
def test_pair_linear_is_a_map_of_both_ends_side_by_side(num_nodes):
    linear, h = randomised(PairLinear(3, 2)), normal(num_nodes, 3)
    pairs = torch.cat([all_pairs_of(4).flip(0), torch.tensor([[1, 2], [1, 2]])])
    weight = torch.cat([linear.first.weight, linear.second.weight], dim=1)
    plain = torch.cat([h[pairs[:, 0]], h[pairs[:, 1]]], dim=1) @ weight.T + linear.first.bias
    assert_same_function(linear(h, pairs), plain, [h, *linear.parameters()])


def test_pair_linear_of_no_pairs():
    assert PairLinear(3, 2)(torch.ones(4, 3), torch.empty(0, 2, dtype=torch.int64)).shape == (0, 2)


def test_fresh_weights_of_pair_linear():
    linear = randomised(PairLinear(4, 2), scale=9)
    linear.reset_parameters()
    assert max(weight.abs().max().item() for weight in linear.parameters()) <= 0.5
