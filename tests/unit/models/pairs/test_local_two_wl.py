from __future__ import annotations

import numpy as np
import pytest
import torch

from graphs import all_pairs
from linkwl.models import create_model
from linkwl.models.pairs.local_two_wl import LocalTwoWL
from linkwl.nn.pair_features import PairFeatures, ProductPairs
from network_cases import random_graph, started


class Plain(PairFeatures):
    """Features of all pairs in a table, with the sums of the definition."""

    def __init__(self, table):
        self.table, (self.num_nodes, _, self.channels) = table, table.shape

    def at(self, pairs):
        return self.table[pairs[:, 0], pairs[:, 1]]


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("variant", ["local-2wl", "local-2wl, no norm"])
def test_scores_are_those_of_the_layers_one_after_the_other(variant, is_directed):
    """Here observed edges have vectors of their own in every round; the model keeps vectors of nodes alone."""
    graph = random_graph(20, 30, is_directed=is_directed)
    model = started(variant, graph)
    network, adjacency = model.trained.eval(), model._adjacency(graph)
    nodes = network.encoder(adjacency, None)
    pairs = torch.from_numpy(all_pairs(graph))
    both = torch.cat([pairs, pairs.flip(1)])
    x = network.widen(nodes[-1])
    everything = torch.arange(graph.num_nodes)
    state, z = Plain(ProductPairs(x).block(everything, everything)), x[both[:, 0]] * x[both[:, 1]]
    for conv in network.convs:
        observed, z = conv(state, adjacency, both, z)
        state = Plain(observed.a[:, None] + observed.b[None])
    expected = network.readout(*z.chunk(2), nodes, pairs).detach().numpy()
    scores = model(graph, all_pairs(graph))
    np.testing.assert_allclose(scores, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())


def test_what_is_kept_of_a_graph_is_vectors_of_nodes():
    graph = random_graph()
    model = started("local-2wl", graph)
    encoding = model.trained.encode(model._read(graph))
    kept = [*encoding.nodes, encoding.x, *(part for star in encoding.stars for side in star for part in side[:2])]
    assert all(len(part) == graph.num_nodes for part in kept)


def test_settings_reach_the_layers():
    model = create_model("local-2wl", pairs={"channels": 6, "rounds": 3, "norm": "layer", "dropout": 0.25})
    model.start(random_graph(), seed=0)
    convs = list(model.trained.convs)
    assert [(conv.in_channels, conv.out_channels) for conv in convs] == [(6, 6)] * 3
    assert {type(conv.first.norm).__name__ for conv in convs} == {"LayerNorm"}
    assert {conv.second.dropout for conv in convs} == {0.25}


def test_description_and_cost():
    graph = random_graph()
    assert LocalTwoWL().describe(graph) == "2 rounds over the edges at both ends, 64 channels"
    one, three = (create_model("local-2wl", pairs={"rounds": rounds}).pair_cost(graph, 100) for rounds in (1, 3))
    assert three.operations == pytest.approx(3 * one.operations)
    assert three.memory == pytest.approx(3 * one.memory)
