from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.nn.sparse_linear import SparseRows
from network_cases import random_graph

TABLE = np.array([[2.0, 0, -2], [0, 0, 0], [0, 5, 0], [1, 1, 2]], dtype=np.float32)


@pytest.fixture
def path():
    return Graph.from_pairs([(0, 1), (1, 2), (2, 3)], num_nodes=4)


@pytest.fixture
def model(path):
    model = create_model("local-2wl")
    model.start(path, seed=0)
    return model


@pytest.fixture
def encoded(model, monkeypatch):
    graphs, encode = [], type(model.trained).encode
    monkeypatch.setattr(
        type(model.trained), "encode", lambda self, x, features: graphs.append(x) or encode(self, x, features)
    )
    return graphs


def test_shape_of_the_network(path):
    model = create_model("local-2wl")
    assert model.measure(path) == {"num_features": 0, "max_degree": 2, "is_directed": 0, "is_sparse": 0}
    directed = Graph.from_pairs([(0, 1), (0, 2), (0, 3)], 4, is_directed=True).with_features(TABLE)
    assert model.measure(directed) == {"num_features": 3, "max_degree": 3, "is_directed": 1, "is_sparse": 0}


def test_sparse_rows_are_scaled_to_a_sum_of_one(path, model):
    rows = model._features(path.with_features(sp.csr_array(TABLE)))
    assert isinstance(rows, SparseRows)
    assert (rows.rowptr.dtype, rows.col.dtype, rows.value.dtype) == (np.int64, np.int32, np.float32)
    matrix = sp.csr_array((rows.value, rows.col, rows.rowptr), shape=(4, rows.num_columns)).toarray()
    expected = np.array([[0.5, 0, -0.5], [0, 0, 0], [0, 1, 0], [0.25, 0.25, 0.5]])
    np.testing.assert_allclose(matrix, expected)


def test_dense_rows_stay_as_they_are(path, model):
    graph = path.with_features(TABLE)
    features = model._features(graph)
    np.testing.assert_array_equal(features.numpy(), TABLE)
    features += 1  # a copy: the graph's own are read-only
    np.testing.assert_array_equal(graph.features, TABLE)


def test_features_are_prepared_once(path, model):
    graph = path.with_features(TABLE)
    first = model._features(graph)
    assert model._features(graph.without(graph.edges[:1])) is first
    assert model._features(path.with_features(TABLE + 1)) is not first
    assert model._features(path) is None


def test_prepared_features_move_with_the_model(path):
    graph = path.with_features(TABLE)
    model = create_model("local-2wl")
    model.start(graph, seed=0)
    model.to("meta")
    assert model._features(graph).device.type == "meta"


def test_dense_features_are_standardised_when_training_starts(path):
    model = create_model("local-2wl")
    model.start(path.with_features(TABLE), seed=0)
    node_input = model.trained.encoder.input
    np.testing.assert_allclose(node_input.center, TABLE.mean(0), rtol=1e-6)
    np.testing.assert_allclose(node_input.spread, TABLE.std(0), rtol=1e-6)


def test_sparse_features_start_at_their_principal_axes():
    generator = np.random.default_rng(0)
    graph = random_graph().with_features(sp.csr_array((generator.random((40, 60)) < 0.1).astype(np.float32)))
    model = create_model("local-2wl", encoder={"channels": 4})
    model.start(graph, seed=0)
    weight = model.trained.encoder.input.features.weight.detach()
    assert weight.square().sum(0).min() > 60  # a random start has columns of length about one
    rows = model._features(graph)
    assert rows.num_columns == 60


def test_each_different_pair_is_scored_once(path, model, monkeypatch):
    seen = []
    score = type(model.trained).score
    monkeypatch.setattr(
        type(model.trained), "score", lambda self, x, pairs: seen.append(pairs) or score(self, x, pairs)
    )
    scores = model(path, [(1, 0), (0, 1), (1, 3), (0, 1), (0, 0)])
    assert torch.cat(seen).tolist() == [[0, 0], [0, 1], [1, 3]]
    assert scores[0] == scores[1] == scores[3]


def test_blocks_have_the_size_that_is_asked_for(path, model, monkeypatch):
    sizes = []
    score = type(model.trained).score
    monkeypatch.setattr(
        type(model.trained), "score", lambda self, x, pairs: sizes.append(len(pairs)) or score(self, x, pairs)
    )
    monkeypatch.setattr(type(model), "block_size", 4)
    model(path, [(p, q) for q in range(4) for p in range(q + 1)])
    assert sizes == [4, 4, 2]


def test_the_graph_is_encoded_once(path, model, encoded, monkeypatch):
    monkeypatch.setattr(type(model), "block_size", 2)
    model(path, [(p, q) for q in range(4) for p in range(q + 1)])
    assert len(encoded) == 1


def test_ordered_pairs_stay_in_order():
    model, graph = create_model("local-2wl"), random_graph(is_directed=True)
    assert model._ordered(graph, np.array([(3, 1), (1, 3)])).tolist() == [[3, 1], [1, 3]]
    assert model._ordered(random_graph(), np.array([(3, 1), (1, 3)])).tolist() == [[1, 3], [1, 3]]


def test_pairs_are_not_changed(path, model):
    pairs = path.check_pairs(np.array([(3, 1)]))
    model.logits(path, pairs)
    assert pairs.tolist() == [[3, 1]]


@pytest.mark.parametrize("call", ["scores", "logits"])
def test_another_kind_of_graph_is_refused(path, call):
    def run(model, graph):
        return model(graph, [(0, 1)]) if call == "scores" else model.logits(graph, np.array([(0, 1)]))

    model = create_model("local-2wl")
    model.start(path.with_features(TABLE), seed=0)
    with pytest.raises(InputError, match="trained with 3 features per node, and graph has none; give it the same"):
        run(model, path)
    with pytest.raises(InputError, match="3 features per node, and graph has 1"):
        run(model, path.with_features(TABLE[:, :1]))
    with pytest.raises(InputError, match="trained on undirected edges, and graph is directed"):
        run(model, Graph.from_pairs([(0, 1)], 4, is_directed=True).with_features(TABLE))


def test_features_that_nobody_asked_for_are_ignored(path, model):
    np.testing.assert_array_equal(model(path.with_features(TABLE), [(0, 2)]), model(path, [(0, 2)]))


def test_cost_is_that_of_encoder_and_pairs(path, model):
    few, many = model.cost(path, 10), model.cost(path, 1000)
    assert 0 < few.memory < many.memory
    assert 0 < few.operations < many.operations
    pairs = model.pair_cost(path, 10)
    assert few.memory > pairs.memory
    assert few.operations > pairs.operations


def test_a_frozen_model_reads_a_graph_once_for_all_pairs(path, model, encoded):
    expected = [model(path, [(0, 2)]), model(path, [(0, 3)])]
    assert len(encoded) == 2
    model.freeze()
    assert [model(path, [(0, 2)]), model(path, [(0, 3)])] == expected
    assert len(encoded) == 3
    model(path.without(path.edges[:1]), [(0, 2)])
    assert model(path, [(0, 2)]) == expected[0]
    assert len(encoded) == 5


def test_other_weights_read_the_graph_again(path, model):
    other = create_model("local-2wl")
    other.start(path, seed=1)
    expected = other(path, [(0, 2)])
    model.freeze()
    assert model(path, [(0, 2)]) != expected
    model.load_state_dict(other.state_dict(), other.shape)
    assert not model.is_frozen
    assert model(path, [(0, 2)]) == expected
    model.freeze()
    model.start(path, seed=0)
    assert not model.is_frozen
    assert model(path, [(0, 2)]) != expected
    assert all(weight.requires_grad for weight in model.trained.parameters())
