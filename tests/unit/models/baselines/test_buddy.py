from __future__ import annotations

import networkx as nx
import numpy as np
import torch

from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.nn.encoder import gcn_sum
from network_cases import random_graph, some_pairs


def started(graph, **settings):
    model = create_model("buddy", **settings)
    model.start(graph, seed=0)
    model.trained.double().eval()
    return model


def test_node_vectors_are_a_linear_map_of_the_inputs_after_every_hop():
    graph = random_graph()
    model = started(graph, encoder={"layers": 3})
    network, adjacency = model.trained, model._adjacency(graph)
    hops = [network.encoder.input(adjacency, None)]
    for _ in range(3):
        hops.append(gcn_sum(hops[-1], adjacency))
    expected = network.mix(torch.cat(hops, dim=1))
    torch.testing.assert_close(network.encode(model._read(graph)).h, expected)


def test_every_weight_learns():
    graph = random_graph()
    model = started(graph)
    model.logits(graph, graph.check_pairs(some_pairs(graph))).square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in model.trained.parameters())


def test_numbers_of_a_link_do_not_see_its_edge():
    """The vectors of its ends do, unless it is hidden, as in training; they are left out here."""
    graph = random_graph()
    model = started(graph)
    with torch.no_grad():
        model.trained.out.weight[:, model.config.readout.hidden :] = 0
    for edge in graph.edges[::4]:
        np.testing.assert_array_equal(model(graph, edge[None]), model(graph.without(edge[None]), edge[None]))


def test_it_tells_apart_what_a_graph_convolution_does_not():
    """On a cycle all nodes look alike; pairs differ by their distance."""
    cycle = Graph.from_pairs([(v, (v + 1) % 9) for v in range(9)], num_nodes=9)
    model = started(cycle)
    scores = model(cycle, [(0, 2), (0, 3), (0, 4), (1, 5)])
    assert len(set(np.round(scores[:3], 6))) == 3
    assert abs(scores[2] - scores[3]) < 1e-9


def test_input_statistics_are_those_of_the_train_graph():
    graph = load_airports()
    model = started(graph)
    found = model.trained.quantiles
    assert (found.spread > 0).all()
    lengths = dict(nx.all_pairs_shortest_path_length(nx.Graph(graph.edges.tolist()), 2))
    largest = max(len(near) for near in lengths.values())
    assert 0 < found.knots.max() < np.log1p(largest)


def test_the_cost_grows_with_the_distance():
    graph = load_airports()
    near, far = (create_model("buddy", hops=hops).pair_cost(graph, 200) for hops in (1, 2))
    assert near.operations < far.operations
    assert near.memory < far.memory
