"""What every model of triples must satisfy."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch

from facts import random_facts, relabelled
from linkwl.errors import InputError
from linkwl.graph import Graph, KnowledgeGraph
from linkwl.models import ModelConfig, create_model
from linkwl.models.gradient import GradientModel
from linkwl.models.registry import ROWS, model_ids

NAMES = model_ids(task="triples")
LEARNED = [name for name in NAMES if ROWS[name].family != "heuristic"]
NUM_NODES, NUM_RELATIONS = 40, 5


@pytest.fixture
def graph():
    """A hub, isolated entities, reversed facts, facts of one entity with itself."""
    return random_facts(NUM_NODES, NUM_RELATIONS, 120)


@pytest.fixture
def queries(graph):
    """Facts, other triples and triples of isolated entities; some twice, some of an entity with itself."""
    sampled = np.random.default_rng(1).integers(0, [NUM_NODES, NUM_RELATIONS, NUM_NODES], (150, 3))
    return np.concatenate([sampled, graph.triples[::3], sampled[:5], [(7, 0, 7), (39, 1, 39), (38, 2, 39)]])


@pytest.fixture(params=NAMES)
def model(request, graph):
    """A model that is ready: a learned one has fresh weights, in float64 so that rounding hides nothing."""
    model = create_model(request.param, task="triples")
    if isinstance(model, GradientModel):
        model.start(graph, seed=0)
        model.trained.double()
    return model


def test_one_finite_score_per_triple(model, graph, queries):
    scores = model(graph, queries)
    assert scores.shape == (len(queries),)
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()
    assert len(np.unique(scores.round(6))) > 5


def test_relabelling_entities_relabels_scores(model, graph, queries):
    label = np.random.default_rng(2).permutation(NUM_NODES)
    renamed = np.stack([label[queries[:, 0]], queries[:, 1], label[queries[:, 2]]], axis=1)
    np.testing.assert_allclose(model(relabelled(graph, label), renamed), model(graph, queries), rtol=1e-8, atol=1e-9)


def test_relabelling_relations_relabels_scores(model, graph, queries):
    """The weights are relabelled as well: every axis that has a place for each relation, or for both directions."""
    label = np.random.default_rng(3).permutation(NUM_RELATIONS)
    scores = model(graph, queries)
    if isinstance(model, GradientModel):
        order = np.argsort(label)
        both = np.concatenate([order, NUM_RELATIONS + order])
        for weight in (*model.trained.parameters(), *model.trained.buffers()):
            for axis, size in enumerate(weight.shape):
                places = {NUM_RELATIONS: order, 2 * NUM_RELATIONS: both}.get(size)
                if places is not None:
                    weight.data = weight.data.index_select(axis, torch.from_numpy(places))
    triples = graph.triples.copy()
    triples[:, 1] = label[triples[:, 1]]
    renamed = queries.copy()
    renamed[:, 1] = label[queries[:, 1]]
    other = KnowledgeGraph.from_triples(triples, NUM_NODES, NUM_RELATIONS)
    np.testing.assert_allclose(model(other, renamed), scores, rtol=1e-8, atol=1e-9)


def test_a_triple_alone_has_the_bits_of_the_same_triple_among_many(model, graph, queries):
    scorer = model.exact()(graph)
    together = scorer(np.tile(queries, (5, 1)))
    np.testing.assert_array_equal(together[: len(queries)], together[-len(queries) :])
    alone = [scorer(queries[i : i + 1])[0] for i in range(0, len(queries), 9)]
    np.testing.assert_array_equal(alone, together[: len(queries) : 9])
    np.testing.assert_array_equal(scorer(queries[::-2]), together[len(queries) - 1 :: -2][: len(queries[::-2])])


def test_scores_of_all_relations_are_those_of_the_triples(model, graph, queries):
    pairs = queries[:40, [0, 2]]
    triples = np.array([(h, r, t) for h, t in pairs for r in range(NUM_RELATIONS)])
    for scorer in (model.prepare(graph), model.exact()(graph)):
        expected = scorer(triples).reshape(40, NUM_RELATIONS)
        np.testing.assert_allclose(scorer.relations(pairs), expected, rtol=1e-8, atol=1e-5)


@pytest.mark.parametrize("pair", [(0, 10**6), (0, -1)])
def test_pairs_of_unknown_nodes_are_refused(model, graph, pair):
    with pytest.raises(ValueError, match="`pairs` must name nodes"):
        model.prepare(graph).relations([pair])


def test_same_input_gives_the_same_bits(model, graph, queries, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    first = model(graph, queries)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    np.testing.assert_array_equal(model(graph, queries), first)


def test_eight_threads_at_once_get_the_bits_of_one(model, graph, queries):
    scorer = model.exact()(graph)
    alone = [scorer(queries[start::8]) for start in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(scorer, [queries[start % 8 :: 8] for start in range(16)]))
    for start, scores in enumerate(together):
        np.testing.assert_array_equal(scores, alone[start % 8])


def test_a_scorer_travels_to_another_process(model, graph, queries):
    scorer = model.exact()(graph)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(scorer))(queries), scorer(queries))


def test_what_was_learned_goes_into_another_model(model, graph, queries):
    other = model.clone()
    if isinstance(model, GradientModel):
        model.trained.float()
    other.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(other(graph, queries), model(graph, queries))
    with pytest.raises(ValueError, match="state"):
        other.load_state({"no such array": np.zeros(1)}, model.shape)


def test_no_triples(model, graph):
    assert model(graph, np.empty((0, 3), dtype=np.int64)).shape == (0,)


@pytest.mark.parametrize("num_nodes", [1, 3])
def test_graph_without_facts(model, num_nodes):
    empty = KnowledgeGraph.from_triples([], num_nodes, NUM_RELATIONS)
    assert np.isfinite(model(empty, [(0, 0, num_nodes - 1), (0, 1, 0)])).all()


def test_triples_are_left_alone(model, graph, queries):
    before = queries.copy()
    model(graph, queries)
    np.testing.assert_array_equal(queries, before)


def test_description_is_a_few_words(model, graph):
    description = model.describe(graph)
    assert 1 <= len(description.split()) <= 15
    assert not description.endswith(".")


def test_a_graph_of_pairs_is_refused(model):
    with pytest.raises(InputError, match="scores triples, and graph is a graph of pairs"):
        model(Graph.from_pairs([(0, 1)], 3), [(0, 1)])


@pytest.mark.parametrize("name", NAMES)
def test_model_is_documented(name):
    row = ROWS[name]
    model = row.load_class("triples")
    needs = replace(row.needs, weights=False)  # facts have no weights
    assert (model.id, model.title, model.task, model.needs) == (row.id, row.title, "triples", needs)
    assert model.reference.endswith(".")
    assert any(year.isdigit() and len(year) == 4 for year in model.reference.rstrip(".").split())
    assert model.__doc__
    assert issubclass(model.Config, ModelConfig)
    assert all(field.is_required() is False for field in model.Config.model_fields.values())


@pytest.mark.parametrize("name", NAMES)
def test_unknown_setting_is_refused(name):
    with pytest.raises(InputError, match="no_such_setting"):
        create_model(name, task="triples", no_such_setting=1)


@pytest.mark.parametrize("name", LEARNED)
def test_a_learned_model_without_weights_says_so(name, graph, queries):
    with pytest.raises(InputError, match=f"{name} has no weights yet; train it"):
        create_model(name, task="triples")(graph, queries)


@pytest.mark.parametrize("name", LEARNED)
def test_hidden_facts_change_no_score_of_a_training_step(name, graph, queries):
    """A batch's facts are removed before the graph is read, so nothing of them is left in it."""
    model = create_model(name, task="triples")
    model.start(graph, seed=0)
    model.trained.eval()
    hidden = graph.triples[::4]
    never = KnowledgeGraph.from_triples(graph.without(hidden).triples, NUM_NODES, NUM_RELATIONS)
    with torch.no_grad():
        one, other = (model.logits(observed, queries) for observed in (graph.without(hidden), never))
    assert torch.equal(one, other)


@pytest.mark.parametrize("name", LEARNED)
def test_a_seed_is_all_that_fresh_weights_depend_on(name, graph, queries):
    scores = []
    for seed in (3, 3, 4):
        model = create_model(name, task="triples")
        torch.manual_seed(len(scores))
        state = torch.random.get_rng_state()
        model.start(graph, seed)
        assert torch.equal(torch.random.get_rng_state(), state)
        scores.append(model(graph, queries))
    np.testing.assert_array_equal(scores[0], scores[1])
    assert np.abs(scores[0] - scores[2]).max() > 1e-3
