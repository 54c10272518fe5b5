from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.walk_two_fwl import MAX_STEPS, auto_steps
from linkwl.nn.walk_profile import WalkProfile
from network_cases import random_graph, some_pairs


def with_features(graph, seed=0):
    features = np.random.default_rng(seed).normal(size=(graph.num_nodes, 5)).astype(np.float32)
    return replace(graph, features=features)


def started(graph, **settings):
    model = create_model("walk-2fwl", **settings)
    model.start(graph, 0)
    return model


def test_with_gates_half_of_the_members_read_plain_walks_alone():
    graph = random_graph()
    pairs = some_pairs(graph)
    with_gates, without = started(graph), started(graph, gates="off")
    logits = with_gates.logits(graph, pairs)
    assert logits.shape == (16, len(pairs))
    assert without.logits(graph, pairs).shape == (8, len(pairs))
    heads = [with_gates.trained.readout, with_gates.trained.gated_readout]
    for rows, (head, other) in zip(logits.split(8), [heads, heads[::-1]], strict=True):
        assert all(gradient.any() for gradient in _gradients(rows, head))
        assert not any(gradient.any() for gradient in _gradients(rows, other))


def _gradients(rows, module):
    return torch.autograd.grad(rows.sum(), list(module.parameters()), retain_graph=True)


@pytest.mark.parametrize("setting", [{"max_steps": 7}, {"learning_rate": 0.5}, {"near_share": 0.2}])
def test_trees_refuse_settings_that_are_not_theirs(setting):
    with pytest.raises(InputError, match=r"`training.\w+` is not for trees; see the settings `boosting`"):
        create_model("walk-2fwl", head="boosting", gates="off", training=setting)
    assert create_model("walk-2fwl", gates="off", training=setting).training.model_dump().items() >= setting.items()


def test_trees_are_grown_as_boosting_says():
    model = create_model("walk-2fwl", head="boosting", gates="off", boosting={"trees": 7}, training={"keep": "best"})
    assert (model.training.max_steps, model.training.keep, model.training.batches_per_step) == (7, "best", 8)


def test_boosting_and_gates_exclude_each_other():
    with pytest.raises(InputError, match="has no gradient for gates"):
        create_model("walk-2fwl", head="boosting", gates="on")


@pytest.mark.parametrize("steps", [1, MAX_STEPS + 1])
def test_lengths_out_of_range_are_refused(steps):
    with pytest.raises(InputError, match="2 to 12 or 'auto'"):
        create_model("walk-2fwl", steps=steps)


def test_the_sparser_the_graph_the_longer_the_walks():
    ring, hubs = nx.cycle_graph(2000), nx.barabasi_albert_graph(2000, 10, seed=0)
    assert auto_steps(Graph.from_pairs(np.array(ring.edges), 2000)) == MAX_STEPS
    assert auto_steps(Graph.from_pairs(np.array(hubs.edges), 2000)) == 5
    assert auto_steps(Graph.from_pairs(np.empty((0, 2), dtype=np.int32), 3)) >= 2


def test_a_graph_that_is_asked_about_again_is_not_read_again(monkeypatch):
    graph, asked = with_features(random_graph()), []
    monkeypatch.setattr(WalkProfile, "at", lambda self, pairs, at=WalkProfile.at: asked.append(1) or at(self, pairs))
    model = started(graph)
    asked.clear()
    pairs = some_pairs(graph)
    first = model(graph, pairs)
    assert len(asked) == 1
    np.testing.assert_array_equal(model(graph, pairs), first)
    assert len(asked) == 1
    np.testing.assert_array_equal(model(graph, pairs[:7]), first[:7])
    assert len(asked) == 2


def test_what_is_kept_of_a_graph_is_forgotten_with_the_weights():
    graph, other = (with_features(random_graph(), seed) for seed in range(2))
    model, expected = started(graph), started(other)
    pairs = some_pairs(graph)
    model(graph, pairs)
    model.load_state_dict(expected.state_dict(), expected.shape)
    np.testing.assert_array_equal(model(graph, pairs), expected(graph, pairs))


def test_another_graph_gives_other_scores():
    graph = random_graph()
    model, pairs = started(graph), some_pairs(graph)
    whole = model(graph, pairs)
    without = graph.without(graph.edges[:5])
    fresh = started(graph)
    assert not np.array_equal(model(without, pairs), whole)
    np.testing.assert_array_equal(model(without, pairs), fresh(without, pairs))
    np.testing.assert_array_equal(model(graph, pairs), whole)


def test_nothing_is_kept_of_a_graph_while_training():
    graph = random_graph()
    model = started(graph)
    model.trained.train()
    model.logits(graph, some_pairs(graph))
    assert model.trained._kept is None
    assert isinstance(model.trained.read_plain(model._adjacency(graph), None).at(torch.tensor([[0, 1]])), torch.Tensor)
