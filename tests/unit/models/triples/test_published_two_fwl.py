from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from adjacencies import assert_same_function, randomised
from facts import random_facts
from linkwl.models import create_model


def started(graph, **settings):
    groups = {"stars": {"channels": 5}, "walks": {"channels": 4}}
    for name, group in groups.items():
        settings[name] = group | settings.get(name, {})
    model = create_model("local-2fwl", task="triples", variant="paper", **settings)
    model.start(graph, 0)
    randomised(model.trained.double().eval(), scale=0.5)
    return model


def plain_states(network, stars, graph, also):
    """The published network by its definition, on tables over all ordered pairs; pairs that are no members are 0."""
    n, r = graph.num_nodes, graph.num_relations
    x, is_member = torch.zeros(n, n, 2 * r, dtype=torch.float64), torch.zeros(n, n, dtype=torch.bool)
    for head, relation, tail in graph.triples.tolist():
        a, b, column = (head, tail, relation) if head < tail else (tail, head, r + relation)
        x[a, b, column] = x[b, a, column] = 1  # both orientations alike
        is_member[a, b] = is_member[b, a] = True
    is_fact = x.any(-1)
    for a, b in also:
        is_member[a, b] = is_member[b, a] = True
    member = is_member.double()

    def branch(u, axis):
        """Symmetric convolution over the members with the same node on one axis."""
        degree = 2 * (member.sum(1 - axis, keepdim=True) - 1) + 1
        degree = degree.expand(n, n)[..., None]
        own = u * member[..., None]
        total = own.sum(1 - axis, keepdim=True)  # all have the same degree
        return (2 * (total - own) + own) / degree

    def block(z, config):
        z = F.layer_norm(z, z.shape[-1:]) if config.norm and not network.has_graph_norm else z
        return z.relu() if config.activation else z

    states = x
    for k in range(stars.rounds):
        branches = []
        for b in (0, 1):
            linear = network.inputs[b] if k == 0 else network.later[2 * (k - 1) + b]
            u = states @ linear.weight if k == 0 else linear(states)
            z = branch(u, b) + network.branches[2 * k + b].bias
            if network.has_graph_norm:
                norm = network.branches[2 * k + b].norm
                z = norm(z, norm.statistics(z[is_member]))
                branches.append(z.relu() if stars.activation and k == 0 else z)
            else:
                branches.append(block(z, stars))
        states = sum(branches)
    left, right = (
        block(x @ linear.weight + linear.bias, network.steps) * is_fact[..., None]
        for linear in (network.left, network.right)
    )
    y = torch.einsum("auc,ubc->abc", left, right)
    is_reached = is_fact | ((is_fact.double() @ is_fact.double()) > 0)
    product = block(network.product(torch.cat([y, is_fact[..., None].double()], -1)), network.walks)
    both = torch.cat([states, product * is_reached[..., None]], -1)
    return both + both.transpose(0, 1)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("norm", [False, True])
def test_the_published_network_is_that_of_the_definition(rounds, norm):
    graph = random_facts(num_nodes=10, num_relations=2, num_facts=14, loops=False)
    also = np.array([(1, 7), (5, 2)])
    settings = {"norm": norm, "activation": norm}
    model = started(graph, stars={"rounds": rounds} | settings, steps=settings)
    network = model.trained
    read = network.read(graph.triples, graph.num_nodes, also)
    found = network.states(network.encode(read), None)
    a, b = torch.from_numpy(read.pairs.pairs).T
    expected = plain_states(network, model.config.stars, graph, also.tolist())[a, b]
    assert_same_function(found, expected, list(network.parameters()), 1e-9)


@pytest.mark.parametrize("rounds", [1, 2])
def test_published_members_score_the_same_as_queries(rounds):
    graph = random_facts(loops=False)
    network = started(graph, stars={"rounds": rounds}).trained
    read = network.read(graph.triples, graph.num_nodes)
    encoding = network.encode(read)
    one, other = (
        network.logits(encoding, locate(read, graph.triples)) for locate in (network.locate, network.locate_members)
    )
    assert_same_function(one, other, list(network.parameters()), 1e-9)
