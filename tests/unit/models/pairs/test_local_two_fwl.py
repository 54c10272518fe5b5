from __future__ import annotations

import numpy as np
import pytest
import torch

from graphs import all_pairs
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.pairs.local_two_fwl import LocalTwoFWL
from linkwl.nn.encodings import log_scale
from linkwl.nn.rounds import UnionRounds, WalkRounds
from network_cases import random_graph, started


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("variant", ["local-2fwl", "local-2fwl, published", "local-2fwl, either", "appnp"])
def test_scores_read_both_ways_round(variant, is_directed):
    graph = random_graph(20, 30, is_directed=is_directed)
    model = started(variant, graph)
    network, adjacency = model.trained.eval(), model._adjacency(graph)
    nodes, n = network.encoder(adjacency, None), graph.num_nodes
    pairs = torch.from_numpy(all_pairs(graph))
    heard = network.walks(nodes[-1], adjacency, pairs)
    if variant in ("local-2fwl", "appnp"):
        heard = torch.cat([log_scale(x) for x in heard], dim=1)
    z = heard if isinstance(heard, torch.Tensor) else heard[-1]
    table = z.view(n, n, -1)
    expected = network.readout(table.flatten(0, 1), table.transpose(0, 1).flatten(0, 1), nodes, pairs)
    np.testing.assert_allclose(model(graph, all_pairs(graph)), expected.detach().numpy(), rtol=1e-9, atol=1e-9)


def test_a_walk_through_a_hub_counts_for_less():
    """Two pairs of nodes with one common neighbour each; nodes are told apart by nothing but that neighbour."""
    spokes = [(0, v) for v in range(1, 30)]
    graph = Graph.from_pairs([*spokes, (30, 31), (30, 32)], num_nodes=33)
    model = create_model("local-2fwl", pairs={"rounds": 1})
    model.start(graph, seed=0)
    network, alike = model.trained.double().eval(), torch.zeros(33, 32, dtype=torch.float64)
    hub, quiet = network.walks(alike, model._adjacency(graph), torch.tensor([[1, 2], [31, 32]]))[0]
    torch.testing.assert_close(hub * 29, quiet * 2)


def test_settings_reach_the_layers():
    pairs = {"channels": 6, "rounds": 3, "dropout": 0.25, "normalise": False, "factor": "relu", "update_dropout": 0.5}
    model = create_model("local-2fwl", pairs={**pairs, "bias": True, "norm": "layer"})
    model.start(random_graph(), seed=0)
    walks = model.trained.walks
    assert isinstance(walks, WalkRounds)
    assert (walks.rounds, walks.dropout, walks.normalise, walks.factor, walks.bias) == (3, 0.25, False, "relu", True)
    for conv in walks.convs:
        assert (conv.in_channels, conv.dropout, type(conv.norm).__name__) == (6, 0.5, "LayerNorm")
    either = create_model("local-2fwl", pairs={"neighbourhood": "either", "rounds": 1, "dropout": 0.25})
    either.start(random_graph(), seed=0)
    assert isinstance(either.trained.walks, UnionRounds)
    assert (either.trained.walks.rounds, either.trained.walks.dropout) == (1, 0.25)


@pytest.mark.parametrize(
    ("pairs", "width"),
    [({}, 32), ({"read": "last"}, 16), ({"rounds": 4}, 64), ({"neighbourhood": "either"}, 16)],
    ids=str,
)
def test_width_of_what_is_read(pairs, width):
    assert create_model("local-2fwl", pairs=pairs).config.pairs.read_channels == width


def test_cost_counts_the_walks_of_either_neighbourhood():
    graph = random_graph()
    costs = [
        create_model("local-2fwl", pairs={"neighbourhood": kind}).pair_cost(graph, 100) for kind in ("both", "either")
    ]
    assert 0 < costs[0].operations < costs[1].operations


def test_description():
    assert LocalTwoFWL().describe(random_graph()) == "walks of 2 to 3 edges, 16 channels"
