from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from fitting import fit, same_state, swapped
from linkwl import LinkPredictor
from linkwl.datasets import load_airports
from linkwl.errors import InputError, LinkwlWarning
from linkwl.graph import Graph
from linkwl.metrics import find_metric
from linkwl.models import create_model
from linkwl.models.baselines import boosting
from linkwl.models.classical_scores import ClassicalScores
from linkwl.protocols import PAPER, TrainingData
from linkwl.sparse.trees import Trees
from linkwl.splits import Fold, Targets
from linkwl.training import Trainer, evaluate_split

QUICK = {"folds": 3, "trees": 20, "rank": 8}


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.fixture(scope="module")
def fitted(split):
    model = create_model("boosting", **QUICK)
    fit(model, split)
    return model


def test_it_learns(split, fitted):
    found = evaluate_split(fitted, split, PAPER).metrics["auc"]
    assert found > 0.93
    assert found > evaluate_split(create_model("ra"), split, PAPER).metrics["auc"]


def test_score_is_the_sum_of_the_trees_and_the_log_odds_of_the_labels(split, fitted):
    observed, pairs = split.test.observed, np.array([(3, 11), (0, 5)], dtype=np.int32)
    rows = ClassicalScores(observed, rank=8)(pairs)
    state = fitted.state()
    trees = Trees(*(state[name] for name in Trees._fields))
    assert state["offset"][0] == pytest.approx(np.log(3))
    for row, score in zip(rows, fitted(observed, pairs), strict=True):
        total = state["offset"][0]
        for child in trees.root.tolist():
            while child >= 0:
                child = trees.children[child, 0 if row[trees.feature[child]] <= trees.threshold[child] else 1]
            total += trees.leaf[~child]
        assert score == pytest.approx(total)


@pytest.fixture
def watched(monkeypatch):
    """The graphs and pairs whose classical scores are read."""
    seen = []

    class Watched(ClassicalScores):
        def __call__(self, pairs):
            seen.append((self._graph, pairs))
            return super().__call__(pairs)

    monkeypatch.setattr(boosting, "ClassicalScores", Watched)
    return seen


def test_edges_are_hidden_from_the_graph_that_scores_them(split, watched):
    fit(create_model("boosting", **QUICK), split)
    *folds, valid = watched
    train = split.train.observed
    assert len(folds) == 3
    for graph, pairs in folds:
        links = pairs[train.has_edges(pairs)]
        assert not graph.has_edges(links).any()
        assert graph.num_edges == train.num_edges - len(links)
        assert not split.reserved.has_edges(pairs[~train.has_edges(pairs)]).any()
    assert sum(train.has_edges(pairs).sum() for _, pairs in folds) == train.num_edges
    assert valid[0] is split.valid.observed
    np.testing.assert_array_equal(valid[1], split.valid.targets.queries)


def test_the_row_of_a_training_edge_does_not_see_the_edge(split):
    """The rows of edges would be other rows on the whole graph, where their ends are neighbours."""
    model = create_model("boosting", **QUICK)
    data = TrainingData.of(split, PAPER)
    rows, labels, *_ = model._rows(data, np.random.default_rng(0))
    closeness = model._read(split.train.observed).names.index("closeness")
    assert rows[labels == 1, closeness].max() < 0.5  # adjacent nodes have one half
    whole = model._read(split.train.observed)(split.train.observed.edges)
    assert (whole[:, closeness] == 0.5).all()


def test_the_test_fold_and_validation_labels_do_not_shape_the_rows(split, fitted):
    model = create_model("boosting", **QUICK)
    fit(model, replace(split, test=swapped(split.test)))
    assert same_state(model, fitted)
    rows = [
        model._rows(TrainingData.of(some, PAPER), np.random.default_rng(0))[0]
        for some in (split, replace(split, valid=swapped(split.valid)))
    ]
    np.testing.assert_array_equal(*rows)


def test_same_seed_same_bits_on_any_number_of_threads(split, fitted, monkeypatch):
    for seed, threads in ((0, "1"), (0, "3"), (1, "3")):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        model = create_model("boosting", **QUICK)
        fit(model, split, seed)
        assert same_state(model, fitted) == (seed == 0)


def test_validation_decides_on_the_number_of_trees(split):
    model = create_model("boosting", **QUICK | {"trees": 300, "patience": 10, "learning_rate": 0.3})
    history = fit(model, split)
    best = max(history.valid, key=lambda look: look[1])[0]
    assert model.shape["num_trees"] == best
    assert len(history.valid) == min(best + 10, 300)
    valid = evaluate_split(model, split, PAPER, history=history).valid["auc"]
    assert valid == pytest.approx(history.best_valid)


def test_scores_in_blocks_are_the_same(split, fitted, monkeypatch):
    pairs = split.test.targets.queries
    expected = fitted(split.test.observed, pairs)
    monkeypatch.setattr(boosting, "_BLOCK", 7)
    np.testing.assert_array_equal(fitted(split.test.observed, pairs), expected)


def test_saved_and_loaded_without_lightgbm(tmp_path, monkeypatch):
    graph = load_airports()
    predictor = LinkPredictor("boosting", settings=QUICK).fit(graph, folder=tmp_path / "m")
    pairs = [("JNU", "WRG"), ("ORD", "SFB")]
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    loaded = LinkPredictor.load(tmp_path / "m")
    np.testing.assert_array_equal(loaded.decision_function(pairs), predictor.decision_function(pairs))
    with pytest.raises(InputError, match="pip install lightgbm"):
        LinkPredictor("boosting", settings=QUICK).fit(graph)


def test_another_graph_can_be_scored(fitted):
    other = Graph.from_pairs([(0, 1), (1, 2), (0, 2), (2, 3)], num_nodes=6)
    assert np.isfinite(fitted(other, [(0, 3), (4, 5)])).all()


def test_features_are_compared_where_training_had_them(split):
    features = np.random.default_rng(0).normal(size=(split.train.observed.num_nodes, 4))
    train = split.train.observed.with_features(features)
    folds = {name: replace(fold, observed=train) for name, fold in (("train", split.train), ("valid", split.valid))}
    model = create_model("boosting", **QUICK)
    fit(model, replace(split, **folds))
    assert model.shape["num_columns"] == 39
    assert "39 classical scores" in model.describe(train)
    wider = train.with_features(np.ones((train.num_nodes, 9)))
    assert np.isfinite(model(wider, [(0, 1)])).all()  # cosines do not know the width
    with pytest.raises(InputError, match="boosting was trained with node features"):
        model.prepare(split.train.observed)
    plain = create_model("boosting", **QUICK, features=False)
    fit(plain, replace(split, **folds))
    assert plain.shape["num_columns"] == 36
    assert "36 classical scores" in plain.describe(train)
    np.testing.assert_array_equal(plain(train, [(3, 11)]), plain(split.train.observed, [(3, 11)]))


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (0, 2), (1, 2)], [(0, 1), (2, 3)]])
def test_tiny_graphs(edges):
    graph = Graph.from_pairs(edges, num_nodes=4)
    fold = Fold(graph, Targets(graph.edges, np.empty((0, 2), dtype=np.int32)))
    model = create_model("boosting")
    model.fit(TrainingData(fold, fold, graph, find_metric("auc")), Trainer(0))
    assert np.isfinite(model(graph, [(0, 3), (1, 2)])).all()


def test_damaged_state_is_refused(fitted):
    state = fitted.state()
    with pytest.raises(ValueError, match="missing or unknown: 'leaf'"):
        fitted.clone().load_state({name: state[name] for name in state if name != "leaf"}, fitted.shape)
    with pytest.raises(ValueError, match="later splits and leaves"):
        fitted.clone().load_state(state | {"children": np.zeros_like(state["children"])}, fitted.shape)
    with pytest.raises(ValueError, match="number of classical scores, got 7"):
        fitted.clone().load_state(state, dict(fitted.shape) | {"num_columns": 7})


def test_weights_and_times_are_further_columns(split):
    generator = np.random.default_rng(0)
    plain = load_airports()
    columns = {"weight": generator.uniform(0.5, 4, plain.num_edges), "time": generator.permutation(plain.num_edges)}
    graph = Graph.from_pairs(plain.edges, plain.num_nodes, **columns)
    model = create_model("boosting", **QUICK)
    with pytest.warns(LinkwlWarning, match="hides edges of all times"):
        fit(model, PAPER.apply(graph.unweighted(), seed=0))
    num_columns = model.shape["num_columns"]
    assert num_columns > ClassicalScores(plain, rank=8)(plain.edges[:1]).shape[1]
    again = create_model("boosting", **QUICK)
    again.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(again(graph, graph.edges[:9]), model(graph, graph.edges[:9]))
    with pytest.raises(InputError, match="was trained with the times of the edges"):
        model.prepare(plain)
    assert ClassicalScores(graph, rank=8, values={"has_weights": 1, "has_times": 1}).names[-1].startswith("weighted")
