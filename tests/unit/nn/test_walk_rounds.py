from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, dense, normal, randomised
from linkwl.nn.walk_rounds import WalkRounds


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


def tables(rounds, h, adjacency):
    """All rounds on a table of all pairs, in which only pairs that edges or walks join speak."""
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)[..., 0]
    degrees = edges.sum(1, keepdim=True) * edges.sum(0)
    label = edges / degrees.clamp(min=1).sqrt() if rounds.normalise else edges
    phi = F.softplus if rounds.factor == "softplus" else torch.relu
    factors = [phi(layer.first(h)[:, None] + layer.second(h)[None]) * label[..., None] for layer in rounds.factors]
    x, pattern, out = factors[0], edges, []
    for conv, factor in zip(rounds.convs, factors[1:], strict=True):
        walks = torch.einsum("prc,rqc->pqc", x, factor)
        pattern = ((pattern @ edges + edges) > 0).double()
        y = conv.norm(conv.update(torch.cat([walks, label[..., None]], dim=2)))
        x = y.relu() * pattern[..., None]
        out.append(x)
    return out


def assert_same_walks(rounds, adjacency, targets):
    h = normal(adjacency.num_nodes, 3)
    inputs = [h, *rounds.parameters()]
    for fast, table in zip(rounds(h, adjacency, targets), tables(rounds, h, adjacency), strict=True):
        assert_same_function(fast, table[targets[:, 0], targets[:, 1]], inputs)


@pytest.mark.parametrize("count", [1, 3])
def test_rounds_are_those_of_the_tables(adjacency, count):
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


def test_dropout_in_training_only():
    adjacency, h, pairs = adjacency_of(GRAPHS["complete"]), normal(5, 3), all_pairs_of(5)
    rounds = randomised(WalkRounds(3, 4, 1, dropout=0.5))
    assert torch.equal(rounds.eval()(h, adjacency, pairs)[0], rounds(h, adjacency, pairs)[0])
    assert not torch.equal(rounds.train()(h, adjacency, pairs)[0], rounds(h, adjacency, pairs)[0])


def test_fresh_weights_everywhere():
    rounds = randomised(WalkRounds(3, 4, 2, bias=True), scale=9)
    rounds.reset_parameters()
    assert max(weight.abs().max().item() for weight in rounds.parameters()) <= 1
