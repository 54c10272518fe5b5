from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.triple_ensemble import EndRows, PairInputs, TripleEnsemble

R, PAIR, QUERY = 3, 4, 5


def rows(generator, count):
    """Random sparse rows of width 2 R, an empty one first."""
    sizes = np.concatenate([[0], generator.integers(0, 4, count - 1)]) if count else np.empty(0, dtype=np.int64)
    ptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return SparseRows(ptr, generator.integers(2 * R, size=ptr[-1], dtype=np.int32), generator.random(ptr[-1]), 2 * R)


@pytest.fixture
def inputs():
    generator = np.random.default_rng(0)
    return PairInputs(
        EndRows(rows(generator, 4), rows(generator, 4)),
        EndRows(rows(generator, 3), rows(generator, 3)),
        torch.tensor([0, 1, 2, 3, 3, 0]),
        torch.tensor([2, 2, 1, 0, 1, 0]),
        rows(generator, 6),
        torch.from_numpy(generator.standard_normal((6, PAIR))),
    )


@pytest.fixture
def network():
    torch.manual_seed(0)
    network = TripleEnsemble(R, PAIR, QUERY, members=2, channels=3, hidden=4, generic_hidden=5).double().eval()
    torch.nn.init.normal_(network.relation)
    torch.nn.init.normal_(network.relation_bias)
    network.num_facts += torch.tensor([0.0, 5.0, 1e9])
    return network


def test_some_relations_are_a_part_of_all(network, inputs):
    queries = torch.randn(6, R, QUERY, dtype=torch.float64)
    z = network.pairs(inputs)
    every = network.all_relations(z, inputs, queries)
    place, relation = (index.reshape(-1) for index in torch.meshgrid(torch.arange(6), torch.arange(R), indexing="ij"))
    one_by_one = network(z, inputs, queries.flatten(0, 1), place, relation)
    torch.testing.assert_close(one_by_one.view(2, 6, R), every)


def test_weights_of_a_relation_count_by_its_facts(network, inputs):
    queries = torch.randn(6, R, QUERY, dtype=torch.float64)
    z = network.pairs(inputs)
    before = network.all_relations(z, inputs, queries)
    with torch.no_grad():
        network.relation_bias += 1
    torch.testing.assert_close(
        network.all_relations(z, inputs, queries) - before,
        torch.tensor([0.0, 0.5, 1.0], dtype=torch.float64).expand_as(before),
        atol=1e-6,
        rtol=0,
    )


def test_relations_that_training_never_saw_have_the_generic_part_alone(network, inputs):
    z = network.pairs(inputs)
    queries, place = torch.randn(1, QUERY, dtype=torch.float64), torch.tensor([2])
    unseen = network(z, inputs, queries, place, torch.tensor([R + 4]))
    torch.testing.assert_close(unseen, network(z, inputs, queries, place, torch.tensor([0])))  # no facts either
    asked = torch.randn(6, R + 2, QUERY, dtype=torch.float64)
    every = network.all_relations(z, inputs, asked)
    assert every.shape == (2, 6, R + 2)
    alone = network(z, inputs, asked[2, [R + 1]], place, torch.tensor([R + 1]))
    torch.testing.assert_close(alone[:, 0], every[:, 2, R + 1])


def test_members_are_trained_separately(network, inputs):
    queries = torch.randn(6, R, QUERY, dtype=torch.float64)
    network.all_relations(network.pairs(inputs), inputs, queries)[0].sum().backward()
    for name in ("pair", "bias", "relation", "mix_bias"):
        gradient = getattr(network, name).grad
        assert not gradient[1].any()
    assert network.bias.grad[0].any()
    assert not network.mix.grad[:, 1].any()


def test_gradients(network, inputs):
    queries = torch.randn(4, QUERY, dtype=torch.float64)
    place, relation = torch.tensor([0, 3, 5, 5]), torch.tensor([1, 2, 2, 0])
    weights = [network.pair, network.mix, network.relation, network.sparse["head_near"].weight]

    def logits(*_):
        return network(network.pairs(inputs), inputs, queries, place, relation)

    assert torch.autograd.gradcheck(logits, weights)


def test_relations_are_dropped_in_training_only(inputs):
    torch.manual_seed(0)
    network = TripleEnsemble(
        R, PAIR, QUERY, members=1, channels=3, hidden=4, generic_hidden=5, column_dropout=0.5
    ).double()
    network.num_facts += 5
    shares = torch.stack([network._shares() for _ in range(200)])
    assert set(shares.unique().tolist()) == {0.0, 0.5}
    assert network.eval()._shares().tolist() == [0.5] * R
