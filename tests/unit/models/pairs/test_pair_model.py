from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.pairs.pair_model import FEW_NUMBERS
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
    monkeypatch.setattr(type(model.trained), "encode", lambda self, graph: graphs.append(graph) or encode(self, graph))
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


def test_features_to_train_on_are_made_ready_once(path):
    graph = path.with_features(TABLE)
    model = create_model("local-2wl")
    model.start(graph, seed=0)
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
    model.start(graph, seed=0)
    there, back = model(graph, [(3, 1), (1, 3)])
    assert there != back
    model.start(random_graph(), seed=0)
    there, back = model(random_graph(), [(3, 1), (1, 3)])
    assert there == back


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


def test_a_scorer_reads_a_graph_once_for_all_pairs(path, model, encoded):
    scorer = model.exact()(path)
    assert len(encoded) == 1
    scores = [scorer([(0, 2)])[0], scorer([(0, 3)])[0]]
    assert scores == scorer([(0, 2), (0, 3)]).tolist()
    assert len(encoded) == 1


def test_a_scorer_keeps_its_weights_while_a_look_has_those_of_the_moment(path, model, encoded):
    scorer, look = model.prepare(path), model.watch(path)
    before = scorer([(0, 2)])
    np.testing.assert_array_equal(look(np.array([(0, 2)])), before)
    model.start(path, seed=1)
    np.testing.assert_array_equal(scorer([(0, 2)]), before)
    assert model(path, [(0, 2)]) != before


def test_a_look_during_training_encodes_with_the_weights_of_the_moment(path, model):
    look, pairs = model.watch(path), np.array([(0, 2), (0, 3)])
    before = look(pairs)
    with torch.no_grad():
        for weight in model.trained.parameters():
            weight.add_(0.1)
    after = look(pairs)
    assert not np.array_equal(after, before)
    np.testing.assert_array_equal(after, model(path, pairs))


def test_the_weights_of_a_scorer_need_no_gradient(path, model):
    model.prepare(path)
    assert all(weight.requires_grad for weight in model.trained.parameters())
    assert not any(weight.requires_grad for weight in model.frozen().trained.parameters())


# --- threads of torch's: small work stays on one, large work uses them all ---


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def ring(num_nodes: int) -> Graph:
    return Graph.from_pairs(np.stack([np.arange(num_nodes), (np.arange(num_nodes) + 1) % num_nodes], axis=1), num_nodes)


@pytest.mark.parametrize("name", ["2wl", "local-2wl", "2fwl", "local-2fwl"])
def test_one_thread_for_few_numbers(two_threads, name):
    model = create_model(name, encoder={"channels": 8})
    many = FEW_NUMBERS // 8
    for num_nodes, num_targets, threads in ((10, 5, 1), (10, many, 2), (many, 5, 2)):
        assert model.num_threads(ring(num_nodes), num_targets) == threads


def test_walks_count_too(two_threads):
    hub = Graph.from_pairs([(p, q) for p in range(100) for q in range(p)], 100)
    targets = FEW_NUMBERS // (2 * 99 * 32) + 1
    assert not create_model("local-2fwl", pairs={"channels": 32}).is_small(hub, targets)
    assert create_model("local-2fwl", pairs={"channels": 16}).is_small(hub, targets)


@pytest.mark.parametrize("name", ["2wl", "2fwl"])
def test_all_middle_nodes_are_never_few(name):
    assert not create_model(name, pairs={"branch": "perceptron"}).is_small(ring(10), 5)


def test_scores_do_not_depend_on_threads(two_threads, monkeypatch):
    graph, pairs = ring(30), np.array([(0, 5), (3, 4), (7, 22)])
    model = create_model("local-2fwl")
    model.start(graph, 0)
    scores = model(graph, pairs)
    monkeypatch.setattr(type(model), "is_small", lambda self, observed, num_targets: False)
    assert np.allclose(model(graph, pairs), scores, rtol=1e-5, atol=1e-6)
