from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from adjacencies import assert_same_function, normal, randomised
from facts import random_facts
from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.models.triples.published_two_wl import normalised_columns
from linkwl.nn.norms import GraphNorm
from linkwl.sparse.reference import pair_adjacency


def started(graph, **settings):
    model = create_model("local-2wl", task="triples", variant="paper", channels=6, **settings)
    model.start(graph, 0)
    randomised(model.trained.double().eval(), scale=0.5)
    return model


@pytest.mark.parametrize("rounds", [1, 2])
def test_the_published_network_equals_one_on_the_explicit_graph_of_pairs(rounds):
    graph = random_facts(num_nodes=12, num_facts=25)
    network = started(graph, rounds=rounds).trained
    read = network.read(graph.triples, graph.num_nodes, np.array([(1, 9), (2, 2)]))
    adjacency = pair_adjacency(read.members.stars.ends)
    twice = torch.from_numpy(2 * adjacency + np.eye(len(adjacency)))
    degree = twice.sum(1)
    symmetric = twice / (degree[:, None] * degree).sqrt()
    x = torch.zeros(len(adjacency), 2 * graph.num_relations, dtype=torch.float64)
    x[torch.from_numpy(read.rows.row.astype(np.int64)), torch.from_numpy(read.rows.col.astype(np.int64))] = 1
    x = symmetric @ x @ network.inner.weight + network.branch.bias
    if rounds == 2:
        x = network.branch.norm(x)
    x = F.layer_norm(x, (6,)).relu()
    expected = network.outer(x) if rounds == 1 else network.norm(network.outer(symmetric @ x))
    encoding = network.encode(read)
    weight, bias = network.columns(encoding)
    assert_same_function(network.states(encoding, None) @ weight.T + bias, expected, list(network.parameters()), 1e-9)


def test_a_norm_after_a_linear_map_is_a_linear_map():
    z, weight, bias = normal(9, 3), normal(5, 3, seed=1), normal(5, seed=2)
    norm = randomised(GraphNorm(5).double())
    merged, shift = normalised_columns(z, weight, bias, norm)
    assert_same_function(z @ merged.T + shift, norm(z @ weight.T + bias), (z, weight, bias, *norm.parameters()))


@pytest.mark.parametrize("rounds", [1, 2])
def test_published_members_score_the_same_as_queries(rounds):
    graph = random_facts(loops=False)
    network = started(graph, rounds=rounds).trained
    read = network.read(graph.triples, graph.num_nodes)
    encoding = network.encode(read)
    one, other = (
        network.logits(encoding, locate(read, graph.triples)) for locate in (network.locate, network.locate_members)
    )
    assert_same_function(one, other, list(network.parameters()), 1e-9)


def test_settings_reach_the_layers():
    network = started(random_facts(), rounds=1, dropout=0.25, activation=False).trained
    assert (network.branch.dropout, network.branch.activation, network.norm) == (0.25, False, None)


def test_there_are_two_published_forms():
    with pytest.raises(InputError, match="`rounds` must be 1 or 2 with variant=paper"):
        create_model("local-2wl", task="triples", variant="paper", rounds=3)
