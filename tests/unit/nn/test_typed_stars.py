from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from adjacencies import randomised
from facts import random_facts
from linkwl.models.triples.local_two_wl import read_role_graph
from linkwl.nn.typed_stars import PairPlaces, TypedStars
from linkwl.sparse import Stars


def plain(layer, graph, pair, rounds):
    """The vector of one pair after some rounds, by the definition, pair by pair."""
    n, r = graph.num_nodes, graph.num_relations
    table = torch.zeros(n, n, 2 * r, dtype=torch.float64)
    for head, relation, tail in graph.triples.tolist():
        table[head, tail, relation] = 1
        table[tail, head, r + relation] = 1

    def finish(x):
        return F.layer_norm(x, x.shape).relu()

    def linear(module, x):
        return x @ module.weight + module.bias

    def state(a, b, t):
        if t == 1:
            roles = (table[a].sum(0).log1p(), table[b].sum(0).log1p())
            own = linear(layer.own, table[a, b]) if table[a, b].any() else 0
            return finish(linear(layer.first, roles[0]) + linear(layer.second, roles[1]) + own)
        k, x = t - 2, state(a, b, t - 1)
        starts = [state(a, v, t - 1) for v in range(n) if table[a, v].any()]
        stops = [state(u, b, t - 1) for u in range(n) if table[u, b].any()]
        total = layer.keeps[k](x)
        if starts:
            total = total + layer.starts[k](torch.stack(starts).mean(0))
        if stops:
            total = total + layer.stops[k](torch.stack(stops).mean(0))
        return x + finish(total)

    return state(*pair, rounds)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_rounds_are_those_of_the_definition(rounds):
    graph = random_facts(num_nodes=7, num_relations=2, num_facts=6)
    layer = randomised(TypedStars(2, 5, rounds).double()).eval()
    read = read_role_graph(graph.triples, graph.num_nodes, graph.num_relations)
    pairs = np.array([(0, 1), (1, 0), (2, 4), (3, 3), (5, 6), (6, 6)])
    places = PairPlaces(Stars.by_position(pairs, graph.num_nodes), read.pairs.find(pairs))
    with torch.no_grad():
        found = layer(layer.encode(read.typed), places)
        for pair, vector in zip(pairs.tolist(), found, strict=True):
            torch.testing.assert_close(vector, plain(layer, graph, pair, rounds), rtol=0, atol=1e-9)


def test_it_says_its_width_and_rounds():
    assert TypedStars(3, 8, 2).extra_repr() == "8, rounds=2"
