from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from fitting import fit, same_state, swapped
from linkwl.datasets import load_airports
from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.metrics import find_metric
from linkwl.models import create_model
from linkwl.models.baselines.wlnm import VectorBatches
from linkwl.models.bundled import bundled_settings
from linkwl.protocols import PAPER, TrainingData
from linkwl.splits import Fold, Split, Targets
from network_cases import random_graph

SHORT = {"max_steps": 40, "patience": 40, "evaluate_every": 10}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(scope="module")
def data(split):
    return TrainingData.of(split, PAPER)


def test_the_network_has_the_published_widths():
    model = create_model("wlnm")
    model.start(random_graph(), 0)
    widths = [layer.out_features for layer in model.trained if isinstance(layer, torch.nn.Linear)]
    assert (model.trained[0].in_features, *widths) == (45, 32, 32, 16, 1)


def test_a_link_is_scored_as_if_it_were_not_there():
    graph = random_graph()
    model = create_model("wlnm")
    model.start(graph, 0)
    for i in range(graph.num_edges):
        edge = graph.edges[i : i + 1]
        np.testing.assert_array_equal(model(graph, edge), model(graph.without(edge), edge))


def test_batches_have_fixed_negatives_that_avoid_what_is_held_out(data, monkeypatch):
    drawn = []
    model = create_model("wlnm", training={"negatives_per_positive": 2, "max_batch": 50})
    find = type(model).vectors
    monkeypatch.setattr(type(model), "vectors", lambda self, *args: drawn.append(args) or find(self, *args))
    batches = VectorBatches(model, data, seed=0)
    (graph, positives), (same, negatives) = drawn
    assert graph is same is data.train.observed
    np.testing.assert_array_equal(positives, data.train.positives)
    assert len(negatives) == 2 * len(positives)
    assert not data.reserved.contains(negatives).any()
    for _ in range(2 * len(positives) // 50):
        batch = next(batches)
    assert batch.vectors.shape == (150, 45)
    assert batch.labels.tolist() == [1.0] * 50 + [0.0] * 100
    assert len(drawn) == 2
    other = VectorBatches(model, data, seed=0)
    other.restore(json.loads(json.dumps(batches.state())))
    np.testing.assert_array_equal(next(other).vectors, next(batches).vectors)


def test_a_dense_graph_uses_its_few_other_pairs_several_times():
    graph = Graph.from_pairs([(p, q) for q in range(8) for p in range(q)][3:], 8)
    fold = Fold(graph, Targets(graph.edges, graph.edges[:0]))
    model = create_model("wlnm", training={"negatives_per_positive": 10})
    batches = VectorBatches(model, TrainingData(fold, fold, graph, find_metric("auc")), 0)
    assert len(next(batches).vectors) == 11 * graph.num_edges


def test_nothing_to_train_on():
    graph = Graph.from_pairs([], 4)
    fold = Fold(graph, Targets(graph.edges, graph.edges))
    with pytest.raises(SplitError, match="no edge to train on"):
        VectorBatches(create_model("wlnm"), TrainingData(fold, fold, graph, find_metric("auc")), 0)


def test_the_same_seed_gives_the_same_bits_and_held_out_labels_change_no_step(split):
    models = [create_model("wlnm", training=SHORT) for _ in range(3)]
    folds: list[Split] = [
        split,
        split,
        Split(split.train, swapped(split.valid), split.test, split.protocol, split.seed),
    ]
    histories = [fit(model, fold, 3) for model, fold in zip(models, folds, strict=True)]
    assert same_state(models[0], models[1])
    assert histories[0].losses == histories[1].losses == histories[2].losses


def test_validation_scores_are_those_of_the_model(data):
    model = create_model("wlnm")
    model.start(data.train.observed, 0)
    look = model.watch(data.valid.observed)
    queries = data.valid.targets.queries
    for _ in range(2):
        np.testing.assert_allclose(look(queries), model(data.valid.observed, queries), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(look(queries[:5]), model(data.valid.observed, queries[:5]), rtol=1e-5, atol=1e-6)


def test_training_learns(split):
    model = create_model("wlnm", training={"max_steps": 400, "learning_rate": 0.005})
    assert fit(model, split, 0).best_valid > 0.85


def test_published_settings():
    settings = bundled_settings("wlnm", "usair", "paper")
    assert settings["training"] == {
        "learning_rate": 0.001,
        "weight_decay": 1e-3,
        "max_batch": 64,
        "negatives_per_positive": 1,
        "patience": 100000,
        "average": 0.0,
        "max_steps": 2800,
    }
