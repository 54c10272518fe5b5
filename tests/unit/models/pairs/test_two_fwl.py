from __future__ import annotations

import numpy as np
import pytest
import torch

from graphs import all_pairs
from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.pairs.two_fwl import ColumnUpdate, TwoFWL
from linkwl.nn.encodings import log_scale
from linkwl.nn.pair_features import LabelledPairs
from network_cases import random_graph, started


def readout(model, z, nodes, graph):
    """Scores of all pairs from a table of their last vectors."""
    pairs = torch.from_numpy(all_pairs(graph))
    scores = model.trained.readout(z.flatten(0, 1), z.transpose(0, 1).flatten(0, 1), nodes, pairs)
    return scores.detach().numpy()


def by_table(model, graph):
    """Every round on all pairs."""
    network, adjacency = model.trained.eval(), model._adjacency(graph)
    nodes, n = network.encoder(adjacency, None), graph.num_nodes
    everyone = torch.arange(n)
    x = LabelledPairs.weighted(nodes[-1], adjacency)
    table = x.block(everyone, everyone)
    if model.config.pairs.branch == "gated":
        pairs = torch.from_numpy(all_pairs(graph))
        walks = [log_scale(heard).view(n, n, -1) for heard in network.walks(nodes[-1], adjacency, pairs)]
        return readout(model, torch.cat([network.conv(table), *walks], dim=2), nodes, graph)
    for conv in network.convs:
        table = conv(table)
    return readout(model, table, nodes, graph)


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("variant", ["2fwl", "2fwl, perceptron", "2fwl, columns"])
def test_scores_are_those_of_a_table_of_all_pairs(variant, is_directed):
    graph = random_graph(20, 30, is_directed=is_directed)
    model = started(variant, graph)
    np.testing.assert_allclose(model(graph, all_pairs(graph)), by_table(model, graph), rtol=1e-9, atol=1e-9)


def test_published_update_is_a_norm_of_columns():
    update = ColumnUpdate(5, 4, dropout=0.0).double()
    x = torch.randn(6, 6, 5, dtype=torch.float64)
    z = update.linear(x)
    centred = z - z.mean(0)
    torch.testing.assert_close(update(x), (centred / (centred.square().mean(0) + 1e-5).sqrt()).relu())


def test_settings_reach_the_layers():
    model = create_model("2fwl", pairs={"channels": 6, "wide_channels": 3, "rounds": 3, "dropout": 0.25})
    model.start(random_graph(), seed=0)
    network = model.trained
    assert (network.conv.left.out_channels, network.conv.update.out_channels) == (3, 6)
    assert (network.walks.rounds, network.walks.dropout) == (3, 0.25)
    plain = create_model("2fwl", pairs={"branch": "perceptron", "rounds": 3, "norm": "none", "channels": 5})
    plain.start(random_graph(), seed=0)
    assert [conv.left.out_channels for conv in plain.trained.convs] == [5] * 3
    assert not any(conv.update.norm for conv in plain.trained.convs)


def test_a_large_graph_takes_no_table():
    """A table of all pairs of this graph would take over a terabyte."""
    n = 100_000
    graph = Graph.from_pairs(np.stack([np.arange(n - 1), np.arange(1, n)], axis=1), n)
    model = create_model("2fwl", encoder={"channels": 4}, pairs={"channels": 4, "wide_channels": 2})
    model.start(graph, seed=0)
    assert np.isfinite(model(graph, [(0, 1), (5, 99_999)])).all()
    model.plan(graph).check(limit=8e9)


def test_a_table_that_does_not_fit_is_refused_beforehand():
    n = 100_000
    graph = Graph.from_pairs(np.stack([np.arange(n - 1), np.arange(1, n)], axis=1), n)
    for pairs in ({"rounds": 2}, {"rounds": 1, "norm": "column"}):
        model = create_model("2fwl", pairs={"branch": "perceptron", **pairs})
        with pytest.raises(MemoryLimitError, match="pairs.branch=gated"):
            model.plan(graph).check(limit=64e9)


def test_description():
    graph = random_graph()
    assert TwoFWL().describe(graph) == "all middle nodes in closed form, walks of 2 to 3 edges, 16 channels"
    streamed = create_model("2fwl", pairs={"branch": "perceptron", "rounds": 1, "channels": 8})
    assert streamed.describe(graph) == "all middle nodes one by one, rounds: 1, 8 channels"
