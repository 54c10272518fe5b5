"""What every model must satisfy."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.metrics import find_metric
from linkwl.models import MODELS, ModelConfig, create_model
from linkwl.models.gradient import GradientModel
from linkwl.models.heuristics import entries
from linkwl.models.registry import ROWS, model_ids
from linkwl.protocols import TrainingData
from linkwl.splits import Fold, Targets
from linkwl.training import Trainer
from linkwl.tuning.sampler import next_settings

NUM_NODES = 60

NAMES = model_ids(task="pairs")
HEURISTICS = model_ids("heuristic", task="pairs")
LEARNED = [name for name in NAMES if name not in HEURISTICS]
NETWORKS = [name for name in LEARNED if issubclass(MODELS[name], GradientModel)]
SMALL = {
    "node2vec": {"channels": 8, "walks": 2, "length": 10, "parts": 2},
    "seal-node2vec": {"vectors": {"channels": 8, "walks": 2, "length": 10}},
}

# Models with another method for large graphs are put through everything twice.
METHODS = [*NAMES, *(f"{name} (large)" for name in NAMES if hasattr(MODELS[name], "max_dense_nodes"))]


@pytest.fixture(params=METHODS)
def model(request, monkeypatch, graph):
    """A model that is ready: a learned one has fresh weights, in float64 so that rounding hides nothing."""
    name, _, is_large = request.param.partition(" ")
    if is_large:
        monkeypatch.setattr(MODELS[name], "max_dense_nodes", 0)
    return ready(create_model(name, **SMALL.get(name, {})), graph)


def ready(model, graph, seed=0):
    """The model with fresh weights, if it is a network; a model that learns in its own way learns the graph."""
    if model.id in NETWORKS:
        model.start(graph, seed)
        model.trained.double()
    elif model.id in LEARNED:
        fold = Fold(graph, Targets(graph.edges, np.empty((0, 2), dtype=np.int32)))
        model.fit(TrainingData(fold, fold, graph, find_metric("auc")), Trainer(seed))
    return model


@pytest.fixture
def graph():
    """Hubs, leaves, several components and, at the end, isolated nodes."""
    generator = np.random.default_rng(0)
    ends = np.sort(generator.integers(0, 55, (110, 2, 3)).min(axis=2), axis=1)
    return Graph.from_pairs(np.concatenate([ends, [(50, 51), (52, 53), (53, 54)]]), num_nodes=NUM_NODES)


@pytest.fixture
def pairs(graph):
    """Edges, other pairs, (v, v) and isolated nodes; some pairs twice and either way round."""
    generator = np.random.default_rng(1)
    sampled = generator.integers(0, NUM_NODES, (300, 2))
    return np.concatenate([sampled, graph.edges, sampled[:5], sampled[:5, ::-1], [(0, 0), (58, 58), (58, 59)]])


def test_one_finite_score_per_pair(model, graph, pairs):
    scores = model(graph, pairs)
    assert scores.shape == (len(pairs),)
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()


def test_scores_are_symmetric(model, graph, pairs):
    np.testing.assert_allclose(model(graph, pairs[:, ::-1]), model(graph, pairs), rtol=1e-9, atol=1e-15)


def test_relabelling_nodes_relabels_scores(model, graph, pairs):
    if model.is_transductive:
        pytest.skip("it knows nodes, not structure")
    label = np.random.default_rng(2).permutation(NUM_NODES)
    relabelled = Graph.from_pairs(label[graph.edges], num_nodes=NUM_NODES)
    np.testing.assert_allclose(model(relabelled, label[pairs]), model(graph, pairs), rtol=1e-9, atol=1e-12)


def test_score_does_not_depend_on_the_other_pairs(model, graph, pairs):
    together = model(graph, pairs)
    few = np.r_[:10, -10:0]
    alone = [model(graph, pairs[i : i + 1])[0] for i in np.arange(len(pairs))[few]]
    np.testing.assert_allclose(alone, together[few], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model(graph, pairs[::2]), together[::2], rtol=1e-9, atol=1e-12)


def test_rows_are_the_scores_of_their_pairs(model, graph):
    scorer = model.exact()(graph)
    sources = np.array([5, 0, NUM_NODES - 1])
    pairs = np.stack([np.repeat(sources, NUM_NODES), np.tile(np.arange(NUM_NODES), len(sources))], axis=1)
    expected = scorer(pairs).reshape(len(sources), NUM_NODES)
    np.testing.assert_allclose(scorer.rows(sources), expected, rtol=1e-12, atol=1e-12)


def test_same_input_gives_the_same_bits(model, graph, pairs, monkeypatch):
    monkeypatch.setattr(entries, "_MAX_WIDTH", 8)  # many blocks of sources
    many = np.tile(pairs, (20, 1))  # many ranges of pairs
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    first = model(graph, many)
    np.testing.assert_array_equal(model(graph, many), first)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    np.testing.assert_array_equal(model(graph, many), first)


def test_eight_threads_at_once_get_the_bits_of_one(model, graph, pairs):
    for scorer in (model.prepare(graph), model.exact()(graph)):
        alone = [scorer(pairs[start::8]) for start in range(8)]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(scorer, [pairs[start % 8 :: 8] for start in range(32)]))
        for start, scores in enumerate(together):
            np.testing.assert_array_equal(scores, alone[start % 8])


def test_a_scorer_travels_to_another_process(model, graph, pairs):
    scorer = model.exact()(graph)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(scorer))(pairs), scorer(pairs))


def test_what_was_learned_goes_into_another_model(model, graph, pairs):
    other = model.clone()
    if model.id in NETWORKS:
        model.trained.float()
    other.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(other(graph, pairs), model(graph, pairs))
    with pytest.raises(ValueError, match="state"):
        other.load_state({"no such array": np.zeros(1)}, model.shape)


def test_no_pairs(model, graph):
    assert model(graph, []).shape == (0,)


@pytest.mark.parametrize("num_nodes", [1, 2, 5])
def test_graph_without_edges(model, num_nodes):
    graph = Graph.from_pairs([], num_nodes=num_nodes)
    pairs = np.array([(0, num_nodes - 1), (0, 0)])
    if model.is_transductive:
        ready(model, graph)
    assert np.isfinite(model(graph, pairs)).all()


def test_pairs_are_left_alone(model, graph, pairs):
    before = pairs.copy()
    model(graph, pairs)
    np.testing.assert_array_equal(pairs, before)


@pytest.mark.parametrize("model", [name for name in METHODS if name.split()[0] in HEURISTICS], indirect=True)
def test_pairs_within_a_clique_beat_pairs_across(model):
    cliques = [(part + i, part + j) for part in (0, 5) for i in range(5) for j in range(i)]
    graph = Graph.from_pairs([*cliques, (0, 5)], num_nodes=10).without(np.array([(1, 2), (6, 7)]))
    within, across = model(graph, [(1, 2), (1, 6)])
    assert within >= across if model.id == "pa" else within > across  # pa sees degrees alone


def test_description_is_a_few_words(model, graph):
    description = model.describe(graph)
    assert 1 <= len(description.split()) <= 15
    assert not description.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_model_is_documented(name):
    model = MODELS[name]
    row = ROWS[name]
    assert (model.id, model.title, model.task, model.needs) == (row.id, row.title, row.task, row.needs)
    assert model.reference.endswith(".")
    assert any(year.isdigit() and len(year) == 4 for year in model.reference.rstrip(".").split())
    assert model.__doc__
    assert issubclass(model.Config, ModelConfig)
    assert all(field.is_required() is False for field in model.Config.model_fields.values())


@pytest.mark.parametrize("name", NAMES)
def test_settings_of_the_search_space_are_settings_of_the_model(name):
    pytest.importorskip("optuna")
    for seed in range(10):
        create_model(name, **next_settings(MODELS[name].search_space, {}, (), seed))


@pytest.mark.parametrize("name", NAMES)
def test_unknown_setting_is_refused(name):
    with pytest.raises(InputError, match="no_such_setting"):
        create_model(name, no_such_setting=1)


def test_directed_graph_is_refused_without_its_view(model):
    """By a model that reads no directions, and by a learned one that was trained on undirected edges."""
    graph = Graph.from_pairs([(0, 1), (1, 2)], num_nodes=NUM_NODES, is_directed=True)
    if model.needs.directed and model.id not in LEARNED:
        assert np.isfinite(model(graph, [(0, 1), (1, 0)])).all()
        return
    with pytest.raises(InputError, match="undirected"):
        model(graph, [(0, 1)])
    if not model.needs.directed:
        there, back = model(model.view(graph), [(0, 1), (1, 0)])
        assert there == pytest.approx(back, rel=1e-5)


@pytest.mark.parametrize("name", [name for name in LEARNED if MODELS[name].needs.directed])
def test_a_learned_model_accepts_directed_edges_from_the_start(name):
    graph = Graph.from_pairs([(0, 1), (1, 2), (3, 1)], num_nodes=5, is_directed=True)
    model = create_model(name)
    model.start(graph, seed=0)
    assert np.isfinite(model(graph, [(0, 1), (1, 0), (4, 4)])).all()


@pytest.mark.parametrize("name", LEARNED)
def test_a_learned_model_without_weights_says_so(name, graph, pairs):
    with pytest.raises(InputError, match=f"{name} has no weights yet; train it"):
        create_model(name)(graph, pairs)


@pytest.mark.parametrize("name", LEARNED)
def test_a_seed_is_all_that_fresh_weights_depend_on(name, graph, pairs):
    scores = []
    for seed in (3, 3, 4):
        model = create_model(name, **SMALL.get(name, {}))
        torch.manual_seed(len(scores))
        state = torch.random.get_rng_state()
        ready(model, graph, seed)
        assert torch.equal(torch.random.get_rng_state(), state)
        scores.append(model(graph, pairs))
    np.testing.assert_array_equal(scores[0], scores[1])
    assert np.abs(scores[0] - scores[2]).max() > 1e-3


@pytest.mark.parametrize("name", LEARNED)
def test_other_nodes_are_refused_with_one_sentence(name, graph):
    model = ready(create_model(name, **SMALL.get(name, {})), graph)
    if not model.is_transductive:
        pytest.skip("it knows structure, not nodes")
    other = Graph.from_pairs(graph.edges, num_nodes=NUM_NODES + 1)
    for prepare in (model.prepare, model.exact()):
        with pytest.raises(
            InputError, match=f"{name} knows only the 60 nodes it was trained on.*train it on that graph"
        ):
            prepare(other)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_clone_has_the_settings_and_no_weights(name, graph):
    model = create_model(name, training={"max_steps": 7})
    model.start(graph, seed=0)
    clone = model.clone()
    assert type(clone) is type(model)
    assert clone.config == model.config
    assert clone.network is None
