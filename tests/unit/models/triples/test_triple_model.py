from __future__ import annotations

import numpy as np
import pytest

from facts import random_facts
from linkwl.errors import InputError
from linkwl.models import create_model

MODELS = ["indigo", "local-2wl", "local-2fwl", "rgcn"]


def started(name, graph, **settings):
    model = create_model(name, task="triples", **settings)
    model.start(graph, 0)
    return model


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *((name, {}) for name in MODELS),
        *((name, {"variant": "paper"}) for name in MODELS[:3]),
        ("rgcn", {"variant": "embedding"}),
    ],
)
def test_all_relations_of_pairs_at_once(name, settings):
    graph = random_facts()
    model = started(name, graph, **settings)
    model.trained.double()
    scorer = model.prepare(graph)
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (50, 2))
    triples = np.array([(h, r, t) for h, t in pairs for r in range(graph.num_relations)])
    expected = scorer(triples).reshape(50, graph.num_relations)
    np.testing.assert_allclose(scorer.relations(pairs), expected, rtol=1e-9, atol=1e-12)
    assert scorer.relations(np.empty((0, 2), dtype=np.int64)).shape == (0, graph.num_relations)


@pytest.mark.parametrize("name", MODELS)
def test_blocks_give_the_same_scores(name, monkeypatch):
    graph = random_facts()
    model = started(name, graph)
    model.trained.double()
    scorer = model.prepare(graph)
    pairs = graph.triples[:, [0, 2]]
    whole, every = scorer(graph.triples), scorer.relations(pairs)
    monkeypatch.setattr("linkwl.models.triples.triple_model._BLOCK", 12)
    monkeypatch.setattr(type(model), "block_size", 7)
    np.testing.assert_allclose(scorer(graph.triples), whole, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(scorer.relations(pairs), every, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_validation_sees_the_current_weights(name):
    graph = random_facts()
    model = started(name, graph)
    look = model.watch(graph)
    before = look(graph.triples)
    np.testing.assert_array_equal(look(graph.triples), before)
    np.testing.assert_allclose(before, model(graph, graph.triples), rtol=1e-5, atol=1e-6)
    for weight in model.trained.parameters():
        weight.data.mul_(1.5)
    assert np.abs(look(graph.triples) - before).max() > 1e-3
    np.testing.assert_allclose(look(graph.triples[:5]), model(graph, graph.triples[:5]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [*MODELS, "grail"])
def test_other_relations_than_those_of_training_are_refused(name):
    model = started(name, random_facts())
    with pytest.raises(InputError, match="trained on 4 relations, and facts has 5; give it a graph with the same"):
        model.prepare(random_facts(num_relations=5))


@pytest.mark.parametrize("name", MODELS)
def test_the_cost_grows_with_the_graph(name):
    model = create_model(name, task="triples")
    small, large = (model.cost(random_facts(num_facts=count), count) for count in (50, 500))
    assert 0 < small.memory < large.memory
    assert 0 < small.operations < large.operations
    assert "steps" in model.plan(random_facts()).text
