from __future__ import annotations

import numpy as np
import torch

from adjacencies import randomised
from facts import random_facts
from linkwl.models import create_model


def started(graph, **settings):
    groups = {"stars": {"channels": 5}, "walks": {"channels": 4}}
    for name, group in groups.items():
        settings[name] = group | settings.get(name, {})
    model = create_model("local-2fwl", task="triples", **settings)
    model.start(graph, 0)
    randomised(model.trained.double().eval(), scale=0.5)
    return model


def test_without_walks_it_is_local_two_wl():
    """Vectors of two parts: those of the stars do not depend on the walks."""
    graph = random_facts()
    network = started(graph).trained
    read = network.read(graph.triples, graph.num_nodes)
    encoding, pairs = network.encode(read), np.array([(0, 1), (5, 6), (28, 29)])
    states = network.states(encoding, network.place(read, pairs))
    stars = network.stars(encoding.stars, network.place_stars(read, pairs))
    torch.testing.assert_close(states[:, :5], stars)
    assert states.shape == (3, 5 + 32)


def test_settings_reach_the_layers():
    network = started(random_facts(), stars={"rounds": 3}, walks={"rounds": 2, "hidden": 7}).trained
    assert (len(network.stars.keeps), network.walks.rounds, network.walks.channels) == (2, 2, 4)
    assert network.head.in_features == 5 + 7
