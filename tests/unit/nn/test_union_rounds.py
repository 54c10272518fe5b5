from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, dense, normal, randomised
from linkwl.nn.union_rounds import UnionRounds


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


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
def test_rounds_are_those_of_the_table(adjacency, count):
    rounds, h = randomised(UnionRounds(3, 4, count), scale=0.5), normal(adjacency.num_nodes, 3)
    targets = all_pairs_of(adjacency.num_nodes)
    plain = table(rounds, h, adjacency)
    inputs = [h, *rounds.parameters()]
    assert_same_function(rounds(h, adjacency, targets), plain.flatten(0, 1), inputs)
    some = torch.cat([targets.flip(0)[::5], targets[:2], targets[:2].flip(1)])
    assert_same_function(rounds(h, adjacency, some), plain[some[:, 0], some[:, 1]], inputs)


def test_a_pair_does_not_depend_on_the_others(adjacency):
    rounds, h = randomised(UnionRounds(3, 4, 2), scale=0.5), normal(adjacency.num_nodes, 3)
    targets = all_pairs_of(adjacency.num_nodes)
    together = rounds(h, adjacency, targets)
    for i in range(0, len(targets), 9):
        torch.testing.assert_close(rounds(h, adjacency, targets[i : i + 1])[0], together[i], rtol=0, atol=1e-11)
    assert rounds(h, adjacency, targets[:0]).shape == (0, 4)


def test_dropout_in_training_only():
    adjacency, h, pairs = adjacency_of(GRAPHS["complete"]), normal(5, 3), all_pairs_of(5)
    rounds = randomised(UnionRounds(3, 4, 1, dropout=0.5))
    assert torch.equal(rounds.eval()(h, adjacency, pairs), rounds(h, adjacency, pairs))
    assert not torch.equal(rounds.train()(h, adjacency, pairs), rounds(h, adjacency, pairs))


def test_fresh_weights_everywhere():
    rounds = randomised(UnionRounds(3, 4, 2), scale=9)
    rounds.reset_parameters()
    assert max(weight.abs().max().item() for weight in rounds.parameters()) <= 1
