from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import assert_same_function, randomised
from facts import random_facts
from linkwl.models import create_model
from linkwl.sparse.reference import pair_adjacency


def started(graph, variant, **settings):
    model = create_model("indigo", variant=variant, channels=6, **settings)
    model.start(graph, 0)
    randomised(model.trained.double().eval(), scale=0.5)
    return model


@pytest.mark.parametrize("variant", ["ours", "paper"])
def test_both_convolutions_equal_those_on_the_explicit_graph_of_pairs(variant):
    graph = random_facts(num_nodes=12, num_facts=25)
    model = started(graph, variant)
    network = model.trained
    read = network.read(graph.triples, graph.num_nodes)
    adjacency = pair_adjacency(read.members.stars.ends)
    twice = torch.from_numpy(2 * adjacency + np.eye(len(adjacency)))
    average = twice / twice.sum(1, keepdim=True)
    x = torch.zeros(len(adjacency), 2 * graph.num_relations, dtype=torch.float64)
    x[torch.from_numpy(read.rows.row.astype(np.int64)), torch.from_numpy(read.rows.col.astype(np.int64))] = 1
    hidden = (average @ x @ network.inner.weight + network.bias).relu()
    explicit = average @ hidden
    assert_same_function(network.states(network.encode(read), None), explicit, list(network.parameters()))


@pytest.mark.parametrize("variant", ["ours", "paper"])
def test_members_score_the_same_as_queries(variant):
    graph = random_facts()
    network = started(graph, variant).trained
    read = network.read(graph.triples, graph.num_nodes)
    encoding = network.encode(read)
    one, other = (
        network.logits(encoding, locate(read, graph.triples)) for locate in (network.locate, network.locate_members)
    )
    assert_same_function(one, other, list(network.parameters()))


def test_first_weights_are_uniform_by_the_output_width():
    graph = random_facts(num_relations=8)
    model = create_model("indigo", variant="paper", channels=100)
    model.start(graph, 0)
    network = model.trained
    for weight, width in (
        (network.inner.weight, 100),
        (network.bias, 100),
        (network.outer.weight, 16),
        (network.outer.bias, 16),
    ):
        bound = width**-0.5
        assert 0.7 * bound < weight.abs().max() <= bound
