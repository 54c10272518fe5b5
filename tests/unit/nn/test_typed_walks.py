from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from adjacencies import randomised
from facts import random_facts
from linkwl.models.triples.local_two_wl import read_role_graph
from linkwl.nn.encodings import log_scale
from linkwl.nn.typed_walks import JoinedPairs, TypedWalks, reached


@pytest.fixture
def graph():
    return random_facts(num_nodes=8, num_relations=2, num_facts=10)


@pytest.mark.parametrize("rounds", [1, 2])
def test_walks_are_those_of_the_definition(graph, rounds):
    read = read_role_graph(graph.triples, graph.num_nodes, graph.num_relations)
    joined = JoinedPairs(read.pairs.pairs, graph.num_nodes)
    layer = randomised(TypedWalks(2, 3, rounds).double()).eval()
    n = graph.num_nodes
    with torch.no_grad():
        steps = [torch.zeros(n, n, 3, dtype=torch.float64) for _ in range(rounds + 1)]
        for table, linear in zip(steps, layer.steps, strict=True):
            for (a, b), vector in zip(read.pairs.pairs.tolist(), linear(read.typed.rows).relu(), strict=True):
                table[a, b] = vector
        for table in steps[1:]:
            table /= torch.from_numpy(np.maximum(joined.degree, 1)).double().sqrt()[:, None, None]
        pairs = np.array(list(itertools.product(range(n), repeat=2)))
        found = layer(layer.encode(read.typed.rows, joined), joined.walks(pairs, rounds))
        x, expected = steps[0], []
        for table in steps[1:]:
            x = torch.einsum("auc,ubc->abc", x, table)
            expected.append(log_scale(x.reshape(n * n, 3)))
    torch.testing.assert_close(found, torch.cat(expected, dim=1), rtol=0, atol=1e-9)


def test_a_pair_is_reached_by_a_fact_or_by_two(graph):
    links = np.zeros((graph.num_nodes,) * 2, dtype=bool)
    links[graph.triples[:, 0], graph.triples[:, 2]] = True
    links |= links.T
    pairs = np.stack(np.nonzero(np.ones_like(links)), axis=1)
    joined = JoinedPairs(np.stack(np.nonzero(links), axis=1), graph.num_nodes)
    expected = (links | ((links.astype(int) @ links) > 0)).reshape(-1)
    np.testing.assert_array_equal(reached(joined.walks(pairs, 1)), expected)


def test_it_says_its_width_and_rounds():
    assert TypedWalks(3, 8, 2).extra_repr() == "8, rounds=2"
