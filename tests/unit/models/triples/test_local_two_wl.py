from __future__ import annotations

import torch

from adjacencies import randomised
from facts import random_facts
from linkwl.models import create_model


def started(graph, **settings):
    model = create_model("local-2wl", task="triples", channels=6, **settings)
    model.start(graph, 0)
    randomised(model.trained.double().eval(), scale=0.5)
    return model


def test_roles_have_weights_that_all_relations_share():
    graph = random_facts()
    network = started(graph).trained
    read = network.read(graph.triples, graph.num_nodes)
    encoding, queries = network.encode(read), graph.triples[:7]
    located = network.locate(read, queries)
    logits = network.logits(encoding, located)
    without = network.logits(encoding, located._replace(features=None))
    roles = torch.from_numpy(read.roles.features(queries)).double() @ network.role_weight
    torch.testing.assert_close(logits - without, roles)


def test_settings_reach_the_layers():
    graph = random_facts()
    ours = started(graph, rounds=3, dropout=0.25, role_dropout=0.5).trained
    assert (ours.stars.channels, len(ours.stars.keeps), ours.stars.dropout, ours.stars.first.dropout) == (
        6,
        2,
        0.25,
        0.5,
    )
