from __future__ import annotations

import numpy as np
import pytest

from fitting import fit
from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.protocols import PAPER
from network_cases import random_graph, some_pairs


def started(graph, **settings):
    model = create_model("gcn", **settings)
    model.start(graph, seed=0)
    model.trained.double()
    return model


def test_the_sum_is_the_inner_product():
    graph = random_graph()
    model, pairs = started(graph, readout={"kind": "sum"}), some_pairs(graph)
    h = model.trained.eval().encode(model._read(graph))[-1].detach().numpy()
    np.testing.assert_allclose(model(graph, pairs), (h[pairs[:, 0]] * h[pairs[:, 1]]).sum(1), rtol=1e-9)


@pytest.mark.parametrize("kind", ["mlp", "linear", "sum"])
@pytest.mark.parametrize("residual", [True, False])
def test_every_weight_learns(kind, residual):
    graph = random_graph()
    nodes = "every" if kind == "mlp" else "last"
    model = started(graph, encoder={"residual": residual}, readout={"kind": kind, "nodes": nodes})
    assert model.trained.encoder.residual is residual
    model.logits(graph, graph.check_pairs(some_pairs(graph))).square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in model.trained.parameters())


def test_pairs_of_nodes_with_equal_colours_score_the_same():
    """On a cycle all nodes look alike, and a graph convolution sees no difference between near and far pairs."""
    cycle = Graph.from_pairs([(v, (v + 1) % 6) for v in range(6)], num_nodes=6)
    scores = started(cycle)(cycle, [(0, 1), (0, 2), (0, 3)])
    np.testing.assert_allclose(scores, scores[0], atol=1e-9)


def test_it_learns():
    split = PAPER.apply(load_airports(), seed=0)
    model = create_model("gcn", training={"max_steps": 40, "evaluate_every": 10})
    history = fit(model, split)
    assert history.best_valid > 0.9
    assert model.search_space.keys() >= {"encoder.residual", "encoder.activation", "readout.kind"}


def test_directions_count():
    graph = random_graph(is_directed=True)
    model = started(graph)
    there, back = model(graph, graph.edges), model(graph, graph.edges[:, ::-1])
    assert (np.abs(there - back) > 1e-6).any()
