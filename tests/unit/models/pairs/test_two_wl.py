from __future__ import annotations

import numpy as np
import pytest
import torch

from graphs import all_pairs
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.pairs.two_wl import TwoWL
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.perceptron import Perceptron
from network_cases import random_graph, started


def by_table(model, graph):
    """Scores of all pairs from one table."""
    network = model.trained.eval()
    nodes = network.encoder(model._adjacency(graph), None)
    h, n = nodes[-1], graph.num_nodes
    table = torch.zeros(n, n, h.shape[1] + 2, dtype=torch.float64)
    table[..., :-2] = h[:, None] * h
    rows = np.repeat(np.arange(n), graph.degree)
    arrivals = np.bincount(graph.col, minlength=n)
    table[rows, graph.col.astype(np.int64), -2] = torch.from_numpy((graph.degree[rows] * arrivals[graph.col]) ** -0.5)
    table[..., -1] = torch.eye(n)
    branch = network.conv.branch
    told = branch(table, 1 / n) if isinstance(branch, GatedBranch) else branch(table)
    size = 0 if network.conv.count is None else np.log(1 + n) * network.conv.count
    row, column = (told.sum(1) + size)[:, None].expand(-1, n, -1), (told.sum(0) + size).expand(n, -1, -1)
    z = network.conv.update(torch.cat([table, row, column], dim=2))
    pairs = torch.from_numpy(all_pairs(graph))
    return network.readout(z.flatten(0, 1), z.transpose(0, 1).flatten(0, 1), nodes, pairs).detach().numpy()


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("variant", ["2wl", "2wl, perceptron"])
def test_scores_are_those_of_a_table_of_all_pairs(variant, is_directed):
    graph = random_graph(20, 30, is_directed=is_directed)
    model = started(variant, graph)
    np.testing.assert_allclose(model(graph, all_pairs(graph)), by_table(model, graph), rtol=1e-9, atol=1e-9)


def test_settings_reach_the_layers():
    pairs = {
        "branch": "perceptron",
        "branch_layers": 3,
        "branch_norm": False,
        "branch_activation": False,
        "update_layers": 2,
        "update_activation": False,
        "channels": 5,
        "dropout": 0.25,
    }
    model = create_model("2wl", pairs=pairs)
    model.start(random_graph(), seed=0)
    branch, update = model.trained.conv.branch, model.trained.conv.update
    assert isinstance(branch, Perceptron)
    assert (len(branch.linears), branch.norm, branch.activation, branch.dropout) == (3, False, False, 0.25)
    assert (len(update.linears), update.norm, update.activation, update.dropout) == (2, True, False, 0.25)
    assert branch.out_channels == update.out_channels == 5


def test_a_large_graph_takes_no_table():
    """A table of all pairs of this graph would take over a terabyte."""
    n = 100_000
    graph = Graph.from_pairs(np.stack([np.arange(n - 1), np.arange(1, n)], axis=1), n)
    model = create_model("2wl", encoder={"channels": 4}, pairs={"channels": 4})
    model.start(graph, seed=0)
    assert np.isfinite(model(graph, [(0, 1), (5, 99_999)])).all()


def test_description_and_cost():
    graph = random_graph()
    gated, streamed = TwoWL(), create_model("2wl", pairs={"branch": "perceptron"})
    assert gated.describe(graph) == "sums over all nodes, in closed form, 32 channels"
    assert streamed.describe(graph) == "sums over all nodes, streamed, 32 channels"
    large = Graph.from_pairs([(0, 1)], 20_000)
    assert streamed.pair_cost(large, 5000).operations > 100 * gated.pair_cost(large, 5000).operations
