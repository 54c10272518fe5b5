import re
import sys
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.metrics import auc
from linkwl.models import create_model
from linkwl.models.cost import profile_cost
from linkwl.models.pairs import walk_two_fwl
from linkwl.models.pairs.walk_two_fwl import MAX_STEPS, auto_steps
from linkwl.models.registry import recreate_model
from linkwl.nn.plain_walks import WalkProfile
from linkwl.protocols import PAPER, TrainingData
from linkwl.sparse.trees import tree_sums
from linkwl.training import Trainer
from network_cases import random_graph, some_pairs


def with_features(graph, seed=0):
    features = np.random.default_rng(seed).normal(size=(graph.num_nodes, 5)).astype(np.float32)
    return replace(graph, features=features)


def started(graph, **settings):
    model = create_model("walk-2fwl", **settings)
    model.start(graph, 0)
    return model


def test_a_model_of_an_earlier_release_has_no_positions_and_trees():
    graph = random_graph()
    old = started(
        graph, position="off", trees="off", gates="on", training={"schedule": "constant", "links_per_step": 0}
    )
    settings = {key: value for key, value in old.config.model_dump().items() if key not in ("position", "trees")}
    settings["training"] = {
        key: value for key, value in settings["training"].items() if key not in ("schedule", "links_per_step")
    }
    again = recreate_model("walk-2fwl", "pairs", settings)
    assert again.config == old.config
    again.load_state(old.state(), old.shape)
    np.testing.assert_array_equal(again(graph, some_pairs(graph)), old(graph, some_pairs(graph)))


def test_a_model_of_an_earlier_release_reads_no_features_of_single_ends():
    graph = with_features(random_graph())
    model, pairs = started(graph, position="off"), some_pairs(graph)
    shape = {name: size for name, size in model.shape.items() if name != "num_content"}
    state = {name: array for name, array in model.state().items() if not name.startswith("content_readout")}
    again = create_model("walk-2fwl", position="off")
    again.load_state(state, shape)
    assert len(again.logits(graph, pairs)) == len(model.logits(graph, pairs)) / 2


def test_gates_alone_read_the_graph_at_every_step():
    data = TrainingData.of(PAPER.apply(random_graph(), seed=0), PAPER)
    assert create_model("walk-2fwl", gates="on", position="off").batches(data, 0) is None
    assert create_model("walk-2fwl", gates="on").batches(data, 0) is not None
    assert create_model("walk-2fwl", position="off").batches(data, 0) is not None


def test_positions_and_kept_rows_take_memory():
    graph = random_graph()
    for parts in ({"trees": "off"}, {"trees": "off", "gates": "on"}, {"trees": "on"}):
        costs = [create_model("walk-2fwl", **{"position": "off"} | parts).cost(graph, 8)]
        costs.append(create_model("walk-2fwl", **parts | {"position": "on"}).cost(graph, 8))
        assert costs[0].memory < costs[1].memory


def test_rows_for_trees_take_memory_beside_gates():
    graph = random_graph()
    costs = [
        create_model("walk-2fwl", gates="on", position="off", trees=trees).cost(graph, 8) for trees in ("off", "on")
    ]
    assert costs[0].memory < costs[1].memory
    assert costs[0].operations < costs[1].operations


def test_positions_take_time():
    graph = random_graph()
    models = [create_model("walk-2fwl", trees="off", position=position) for position in ("off", "on")]
    assert models[0].cost(graph, 8).operations < models[1].cost(graph, 8).operations


TREES = {"trees": "on", "training": {"max_steps": 3}}


def fitted(graph, **settings):
    model = create_model("walk-2fwl", **TREES | settings)
    return model, model.fit(TrainingData.of(PAPER.apply(graph, seed=0), PAPER), Trainer(seed=0))


@pytest.mark.parametrize("position", ["on", "off"])
@pytest.mark.parametrize("is_directed", [False, True])
def test_trees_count_as_much_as_the_perceptrons(position, is_directed):
    graph = with_features(random_graph(200, 800, is_directed=is_directed))
    model, history = fitted(graph, position=position)
    pairs = some_pairs(graph)
    trees = tree_sums(model.trained.trees.trees, model._read_rows(graph, pairs).numbers)
    assert np.ptp(trees) > 0.5
    both = model(graph, pairs)
    assert "200 trees" in model.describe(graph)
    model.trained.trees = None
    alone = model(graph, pairs)
    np.testing.assert_allclose(both, (alone + trees) / 2, atol=1e-5)
    assert history.steps == 3


def test_trees_change_nothing_for_perceptrons_that_read_the_graph_at_every_step():
    graph = random_graph(200, 800)
    reading, pairs = {"position": "off", "gates": "on"}, some_pairs(graph)
    (model, _), (alone, _) = (fitted(graph, **reading, trees=trees) for trees in ("on", "off"))
    model.trained.trees = None
    np.testing.assert_array_equal(model(graph, pairs), alone(graph, pairs))


def test_trees_separate_links_from_other_pairs():
    split = PAPER.apply(load_airports(), seed=0)
    model, _ = fitted(load_airports())
    trees = model.trained.trees.trees
    found = [
        tree_sums(trees, model._read_rows(split.test.observed, pairs).numbers)
        for pairs in (split.test.positives, split.test.negatives)
    ]
    assert auc(*found) > 0.95


def test_a_saved_model_has_its_trees_and_damaged_ones_are_refused():
    graph = random_graph(200, 800)
    model, _ = fitted(graph)
    again, pairs = create_model("walk-2fwl", **TREES), some_pairs(graph)
    again.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(again(graph, pairs), model(graph, pairs))
    damaged = {name: array.copy() for name, array in model.state().items()}
    damaged["trees.child"][0, 1] = 0  # a circle
    with pytest.raises(ValueError, match="must hold trees"):
        again.load_state(damaged, model.shape)


def test_without_lightgbm_training_with_trees_does_not_begin(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    monkeypatch.setattr(Trainer, "descend", lambda *_: pytest.fail("training has begun"))
    with pytest.raises(InputError, match="pip install lightgbm"):
        fitted(random_graph())


def test_small_graphs_alone_have_positions_and_trees_by_themselves(monkeypatch):
    graph = random_graph(200, 800)
    small, _ = fitted(graph, trees="auto", position="auto")
    monkeypatch.setattr(walk_two_fwl, "MOST_PLACED", 100)
    large, _ = fitted(graph, trees="auto", position="auto")
    explicit, _ = fitted(graph, trees="off", position="off")
    pairs = some_pairs(graph)
    assert (
        small.describe(graph) == "walks of 2 to 5 edges, global position, perceptron; 200 trees, with global position"
    )
    assert large.describe(graph) == "walks of 2 to 5 edges, perceptron"
    np.testing.assert_array_equal(large(graph, pairs), explicit(graph, pairs))
    assert large.cost(graph, 8) == explicit.cost(graph, 8)
    again = create_model("walk-2fwl", **TREES | {"trees": "auto", "position": "auto"})
    again.load_state(small.state(), small.shape)
    np.testing.assert_array_equal(again(graph, pairs), small(graph, pairs))


def test_positions_are_not_computed_where_nothing_reads_them(monkeypatch):
    monkeypatch.setattr(walk_two_fwl, "GlobalPosition", lambda *_: pytest.fail("a position was computed"))
    graph = random_graph(200, 800)
    fitted(graph, trees="off", position="off")
    monkeypatch.setattr(walk_two_fwl, "MOST_PLACED", 100)
    model, _ = fitted(graph, trees="auto", position="auto")
    model(graph, some_pairs(graph))


def test_no_trees_where_nobody_asked():
    graph = random_graph(200, 800)
    model, _ = fitted(graph, trees="off")
    assert model.trained.trees is None
    assert "trees" not in model.describe(graph)
    assert model._kept is None


def test_settings_of_earlier_releases_are_dropped_where_they_changed_nothing():
    trees = {"trees": 300, "learning_rate": 0.1, "patience": 60, "depth": 3, "folds": 8}
    model = create_model("walk-2fwl", gates="off", head="perceptron", boosting=trees)
    assert model.config == create_model("walk-2fwl", gates="off").config
    assert not {"head", "boosting"} & model.config.model_dump().keys()


def test_trees_are_refused_with_one_sentence():
    sentence = "walk-2fwl has no setting head=boosting any more: trees alone were removed; see trees=on."
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        create_model("walk-2fwl", gates="off", head="boosting", boosting={"trees": 7})


@pytest.mark.parametrize("steps", [1, MAX_STEPS + 1])
def test_lengths_out_of_range_are_refused(steps):
    with pytest.raises(InputError, match="2 to 12 or 'auto'"):
        create_model("walk-2fwl", steps=steps)


def test_the_sparser_the_graph_the_longer_the_walks():
    ring, hubs = nx.cycle_graph(2000), nx.barabasi_albert_graph(2000, 10, seed=0)
    assert auto_steps(Graph.from_pairs(np.array(ring.edges), 2000)) == MAX_STEPS
    assert auto_steps(Graph.from_pairs(np.array(hubs.edges), 2000)) == 5
    assert auto_steps(Graph.from_pairs(np.empty((0, 2), dtype=np.int32), 3)) >= 2


def test_walks_that_are_too_much_work_are_shorter(monkeypatch):
    hubs = Graph.from_pairs(np.array(nx.barabasi_albert_graph(2000, 5, seed=0).edges), 2000)
    work = {steps: profile_cost(hubs, 4096, steps=steps).operations / 4096 for steps in (4, 5)}
    assert work[4] < work[5]
    for most, expected in ((work[5], 5), (work[4], 4), (0.0, 4)):
        monkeypatch.setattr(walk_two_fwl, "MOST_WORK", most)
        assert auto_steps(hubs) == expected


def test_looks_at_the_same_pairs_find_their_walks_once(monkeypatch):
    graph, asked = with_features(random_graph()), []
    monkeypatch.setattr(WalkProfile, "at", lambda self, pairs, at=WalkProfile.at: asked.append(1) or at(self, pairs))
    model = started(graph)
    look, pairs = model.watch(graph), some_pairs(graph)
    asked.clear()
    first = look(pairs)
    assert len(asked) == 1
    np.testing.assert_array_equal(look(pairs), first)
    assert len(asked) == 1
    np.testing.assert_allclose(look(pairs[:7]), first[:7], atol=1e-6)  # products of other shapes are rounded otherwise
    assert len(asked) == 2


def test_other_weights_give_the_scores_of_their_model():
    graph, other = (with_features(random_graph(), seed) for seed in range(2))
    model, expected = started(graph), started(other)
    pairs = some_pairs(graph)
    model(graph, pairs)
    model.load_state(expected.state(), expected.shape)
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


def with_columns(graph):
    generator = np.random.default_rng(3)
    columns = {"weight": generator.uniform(0.5, 4, graph.num_edges), "time": generator.integers(0, 99, graph.num_edges)}
    return Graph.from_pairs(graph.edges, graph.num_nodes, **columns)


@pytest.mark.parametrize("column", ["weight", "time"])
def test_weights_and_times_are_read(column):
    graph, plain = with_columns(random_graph()), random_graph()
    graph = replace(graph, **{name: None for name in ("weight", "time") if name != column})
    other = replace(graph, **{column: getattr(graph, column) ** 2})
    model, pairs = started(graph, gates="off"), some_pairs(graph)
    assert not np.array_equal(model(graph, pairs), model(other, pairs))
    with pytest.raises(InputError, match=f"was trained with the {column}s of the edges, and .* has none"):
        model(plain, pairs)
    again = create_model("walk-2fwl", gates="off")
    again.load_state(model.state(), model.shape)
    np.testing.assert_array_equal(again(graph, pairs), model(graph, pairs))


def test_a_model_trained_without_weights_and_times_does_not_read_them():
    graph, plain = with_columns(random_graph()), random_graph()
    model, pairs = started(plain, gates="off"), some_pairs(plain)
    np.testing.assert_array_equal(model(graph, pairs), model(plain, pairs))
    assert model.cost(graph, 8).memory > model.cost(plain, 8).memory


def test_a_model_of_directed_weights_of_an_earlier_release_still_scores():
    plain = random_graph(is_directed=True)
    weight = np.random.default_rng(3).uniform(0.5, 4, plain.num_edges)
    graph = Graph.from_pairs(plain.edges, plain.num_nodes, is_directed=True, weight=weight)
    shape = started(graph, gates="off").shape
    earlier = {name: value for name, value in shape.items() if name != "has_directed_values"}
    model = create_model("walk-2fwl", gates="off")
    narrow, wide = (model.expected_state(each)["quantiles.center"].shape[0] for each in (earlier, shape))
    assert narrow < wide
    state = {name: np.ones(like.shape, np.float32) for name, like in model.expected_state(earlier).items()}
    model.load_state(state, earlier)
    assert np.isfinite(model(graph, some_pairs(graph))).all()


def test_negative_weights_are_refused():
    graph = with_columns(random_graph())
    with pytest.raises(InputError, match="walk-2fwl takes the weight of an edge for its strength"):
        create_model("walk-2fwl").check(replace(graph, weight=-graph.weight))
