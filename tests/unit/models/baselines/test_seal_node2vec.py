from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from fitting import fit, same_state, swapped
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.errors import InputError, MemoryLimitError, SplitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.baselines import seal_node2vec
from linkwl.models.baselines.seal_node2vec import InjectedBatches
from linkwl.models.bundled import bundled_settings
from linkwl.models.gradient import TrainingConfig
from linkwl.protocols import PAPER
from linkwl.splits import Fold, Targets
from network_cases import random_graph, some_pairs

SHORT = {
    "hops": 1,
    "vectors": {"channels": 8, "walks": 2, "length": 10},
    "training": {"max_steps": 6, "patience": 6, "evaluate_every": 3, "max_batch": 32},
}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(scope="module")
def fitted(split):
    model = create_model("seal-node2vec", **SHORT)
    fit(model, split)
    return model


@pytest.mark.parametrize("ratio", [1, 2])
def test_the_walks_cross_every_pair_that_is_learned_from_and_no_pair_that_is_held_out(split, monkeypatch, ratio):
    walked, learned = [], []
    walk, loss = seal_node2vec.walk_vectors, seal_node2vec.SealNode2Vec.loss

    def watched_walk(graph, config, generator):
        walked.append(graph)
        return walk(graph, config, generator)

    def watched_loss(self, batch):
        learned.append(batch)
        return loss(self, batch)

    monkeypatch.setattr(seal_node2vec, "walk_vectors", watched_walk)
    monkeypatch.setattr(seal_node2vec.SealNode2Vec, "loss", watched_loss)
    training = {**SHORT["training"], "negatives_per_positive": ratio}
    fit(create_model("seal-node2vec", **SHORT | {"training": training}), split)
    (graph,), train = walked, split.train.observed
    assert graph.num_edges == (1 + ratio) * train.num_edges
    assert graph.has_edges(train.edges).all()
    for fold in (split.valid, split.test):
        assert not graph.has_edges(fold.targets.queries).any()
    for batch in learned:
        assert graph.has_edges(batch.queries).all()
        assert not train.has_edges(batch.negatives).any()
        assert not batch.observed.has_edges(batch.positives).any()
        assert len(batch.negatives) == ratio * len(batch.positives)


def test_the_input_is_a_map_of_the_label_with_the_vector_appended():
    graph = random_graph()
    model = create_model("seal-node2vec", **SHORT)
    model.start(graph, 0)
    network = model.trained
    label, node = torch.tensor([0, 1, 2, 1]), torch.tensor([5, 0, 3, 3])
    one_hot = torch.nn.functional.one_hot(label, network.max_label + 1).float()
    appended = torch.cat([one_hot, network.vectors[node]], dim=1)
    weight = torch.cat([network.labels.weight.T, network.of_vectors.weight], dim=1)
    torch.testing.assert_close(network.inputs(None, label, node, None), appended @ weight.T)
    assert not any(parameter is network.vectors for parameter in network.parameters())


def test_the_vectors_of_the_nodes_count():
    graph = random_graph()
    model = create_model("seal-node2vec", **SHORT)
    model.start(graph, 0)
    model.trained.double()
    pairs = some_pairs(graph)
    before = model(graph, pairs)
    model.trained.vectors.copy_(model.trained.vectors.flip(0))
    assert (np.abs(model(graph, pairs) - before) > 1e-9).mean() > 0.8


def test_edges_that_are_added_for_scoring_leave_the_vectors_as_they_were(split, fitted):
    vectors = fitted.state()["vectors"].copy()
    more = split.train.observed.with_(split.valid.positives)
    pairs = split.test.targets.queries
    assert (fitted(more, pairs) != fitted(split.train.observed, pairs)).any()
    np.testing.assert_array_equal(fitted.state()["vectors"], vectors)


def test_the_same_seed_gives_the_same_bits_and_held_out_labels_do_not_matter(split, fitted):
    again, other = (
        create_model("seal-node2vec", **SHORT | {"training": SHORT["training"] | {"keep": "last"}}) for _ in "12"
    )
    fit(again, split)
    fit(other, replace(split, valid=swapped(split.valid), test=swapped(split.test)))
    assert same_state(again, other)
    np.testing.assert_array_equal(again.state()["vectors"], fitted.state()["vectors"])
    fit(other, split, 1)
    assert not np.array_equal(other.state()["vectors"], fitted.state()["vectors"])


def test_a_stopped_run_goes_on(split, tmp_path):
    whole, stopped = (create_model("seal-node2vec", **SHORT) for _ in range(2))
    fit(whole, split)

    def stop(report):
        if report.step == 4:
            raise RuntimeError

    options = {"checkpoint": tmp_path / "c", "checkpoint_seconds": 0.0}
    with pytest.raises(RuntimeError):
        fit(stopped, split, on_step=stop, **options)
    fit(stopped, split, resume=True, **options)
    assert same_state(whole, stopped)


def test_saved_and_loaded(tmp_path):
    predictor = LinkPredictor("seal-node2vec", settings=SHORT).fit(load_airports(), folder=tmp_path / "m")
    pairs = [("JNU", "WRG"), ("ORD", "SFB")]
    loaded = LinkPredictor.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(pairs), predictor.decision_function(pairs))
    with pytest.raises(InputError, match="seal-node2vec knows only the nodes it was trained on"):
        loaded.decision_function([(0, 1)], graph=Graph.from_pairs([(0, 1)], num_nodes=3))


def test_batches_need_edges_and_negatives_and_no_near_pairs():
    graph = Graph.from_pairs([(0, 1), (1, 2)], num_nodes=4)
    nothing = np.empty((0, 2), dtype=np.int32)
    fold, empty = Fold(graph, Targets(graph.edges, nothing)), Fold(graph, Targets(nothing, nothing))
    negatives = np.array([(0, 2)], dtype=np.int32)
    with pytest.raises(SplitError, match="no edge to train on"):
        InjectedBatches(empty, negatives, TrainingConfig(), 0)
    with pytest.raises(SplitError, match="neither an edge nor held out"):
        InjectedBatches(fold, nothing, TrainingConfig(), 0)
    with pytest.raises(InputError, match="near_share"):
        InjectedBatches(fold, negatives, TrainingConfig(near_share=0.5), 0)
    batch = next(InjectedBatches(fold, negatives, TrainingConfig(batch_ratio=1.0), 0))
    assert (len(batch.positives), batch.negatives.tolist()) == (2, [[0, 2]])


def test_vectors_that_do_not_fit_into_memory_are_refused(split, monkeypatch):
    model = create_model("seal-node2vec", **SHORT)
    needed = model.cost(split.train.observed, 64).memory
    assert needed > create_model("seal", hops=1).cost(split.train.observed, 64).memory
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 10_000)
    with pytest.raises(MemoryLimitError, match=r"vectors\.walks and vectors\.channels"):
        fit(model, split)


@pytest.mark.thorough
def test_training_learns(split):
    settings = {**SHORT, "vectors": {"channels": 32}, "training": {"max_steps": 150, "evaluate_every": 50}}
    assert fit(create_model("seal-node2vec", **settings), split, 0).best_valid > 0.85


def test_published_settings():
    settings, plain = (bundled_settings(name, "usair", "paper") for name in ("seal-node2vec", "seal"))
    assert settings == plain | {"vectors": settings["vectors"]}
    assert (settings["vectors"]["channels"], settings["vectors"]["window"]) == (128, 10)
    assert bundled_settings("seal-node2vec", "cora", "paper") == {}
