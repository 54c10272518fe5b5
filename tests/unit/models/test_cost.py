from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.datasets import load_airports
from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.cost import PASSES, Cost, TrainingPlan, encoder_cost, some_pairs, walk_cost
from linkwl.models.pairs.config import EncoderConfig
from linkwl.sparse import plan_walks

NETWORKS = ["2wl", "local-2wl", "2fwl", "local-2fwl", "walk-2fwl"]


def ring(num_nodes):
    nodes = np.arange(num_nodes)
    return Graph.from_pairs(np.stack([nodes, (nodes + 1) % num_nodes], axis=1), num_nodes=num_nodes)


def test_costs_add_up():
    assert Cost(1, 2) + Cost(10, 20) == Cost(11, 22)


def test_what_does_not_fit_is_refused_with_a_remedy():
    plan = TrainingPlan("training x", Cost(memory=2e9), 10, "use y")
    plan.check(limit=3e9)
    with pytest.raises(MemoryLimitError, match=r"training x takes about 2.0 GB, and 1.0 GB is the limit; use y\."):
        plan.check(limit=1e9)


def test_text_says_memory_and_steps_and_guesses_no_time():
    text = TrainingPlan("training x", Cost(memory=2e9, operations=8e9), 1000, "").text
    assert text == "training x: about 2.0 GB of memory, at most 1,000 steps"


@pytest.mark.parametrize("name", NETWORKS)
def test_cost_grows_in_proportion_to_a_graph_of_the_same_kind(name):
    # By default `walk-2fwl` reads a limited number of pairs, once.
    settings = {"gates": "on", "position": "off", "trees": "off"} if name == "walk-2fwl" else {}
    small, large = (create_model(name, **settings).cost(ring(n), 100) for n in (10_000, 100_000))
    assert 5 < large.memory / small.memory < 11
    assert 5 < large.operations / small.operations < 11


@pytest.mark.parametrize("name", NETWORKS)
def test_cost_grows_with_targets(name):
    graph = load_airports()
    few, many = (create_model(name).cost(graph, count) for count in (100, 10_000))
    assert many.memory > few.memory
    assert many.operations > few.operations


def test_a_table_of_all_pairs_costs_the_square():
    model = create_model("2fwl", pairs={"branch": "perceptron", "norm": "column", "rounds": 2})
    small, large = (model.cost(ring(n), 100) for n in (1000, 10_000))
    assert 90 < large.memory / small.memory < 101
    with pytest.raises(MemoryLimitError, match=r"branch=gated"):
        model.plan(ring(100_000)).check()


@pytest.mark.parametrize("name", NETWORKS)
def test_graph_without_edges_has_a_plan(name):
    assert create_model(name).plan(Graph.from_pairs([], num_nodes=3)).cost.memory >= 0


@pytest.mark.parametrize("name", NETWORKS)
def test_weights_count(name):
    graph = load_airports()
    with pytest.raises(MemoryLimitError):
        create_model(name, readout={"hidden": 2**16, "layers": 2}).plan(graph).check()


@pytest.mark.parametrize("name", ["2wl", "2fwl"])
def test_nobody_is_told_to_do_what_is_done(name):
    assert "branch" not in create_model(name).remedy
    assert "pairs.branch=gated" in create_model(name, pairs={"branch": "perceptron"}).remedy


def test_layers_and_channels_cost():
    graph = load_airports()
    narrow, wide, deep = (
        encoder_cost(EncoderConfig(channels=channels, layers=layers), graph)
        for channels, layers in ((32, 1), (64, 1), (32, 3))
    )
    assert narrow.operations < wide.operations < 4 * narrow.operations
    assert narrow.operations < deep.operations < 4 * narrow.operations
    assert narrow.memory < wide.memory
    assert narrow.memory < deep.memory


def test_sparse_features_cost_their_entries():
    graph = load_airports()
    entries = sp.random_array((graph.num_nodes, 5000), density=0.001, format="csr", rng=np.random.default_rng(0))
    sparse = encoder_cost(EncoderConfig(), graph.with_features(entries))
    dense = encoder_cost(EncoderConfig(), graph.with_features(entries.toarray()))
    assert dense.operations - sparse.operations > 0.99 * 3 * 32 * graph.num_nodes * 5000


def random_graph(num_nodes: int, num_edges: int, *, is_directed: bool = False) -> Graph:
    ends = np.random.default_rng(0).integers(num_nodes, size=(num_edges, 2))
    return Graph.from_pairs(ends, num_nodes, is_directed=is_directed)


@pytest.mark.parametrize("is_directed", [False, True])
def test_cost_grows_with_walks(is_directed):
    graph = random_graph(40, 150, is_directed=is_directed)
    costs = [walk_cost(graph, 100, rounds=rounds, channels=8) for rounds in (1, 2, 3)]
    assert costs[0].memory < costs[1].memory < costs[2].memory
    assert costs[0].operations < costs[1].operations < costs[2].operations


def test_without_edges_there_is_nothing_to_pay():
    graph = random_graph(40, 150)
    assert walk_cost(graph.without(graph.edges), 100, rounds=2, channels=8).memory == 0


@pytest.mark.parametrize(("num_nodes", "num_edges"), [(1000, 3000), (20000, 60000), (300, 6000)])
def test_operations_are_those_of_a_plan_within_a_factor(num_nodes, num_edges):
    graph, channels, count = random_graph(num_nodes, num_edges), 16, 400
    generator = np.random.default_rng(1)
    positives = graph.edges[generator.choice(graph.num_edges, count, replace=False)]
    targets = np.concatenate([positives, generator.integers(num_nodes, size=(count, 2))])
    both_ways = np.concatenate([targets, targets[:, ::-1]]).astype(np.int32)
    observed = graph.without(positives)
    joins = plan_walks(observed.rowptr, observed.col, both_ways, 2).joins
    work = sum(t.num_terms * channels + t.num_out * channels**2 for t in joins)
    expected = walk_cost(graph, 2 * count, rounds=2, channels=channels).operations / (2 * PASSES)
    assert work / 2 < expected < 4 * work


def test_pairs_to_measure_are_edges_and_as_many_others():
    graph = load_airports()
    pairs = some_pairs(graph, 20)
    assert pairs.shape == (40, 2)
    assert graph.has_edges(pairs[:20]).all()
    assert graph.has_edges(pairs[20:]).mean() < 0.5
    np.testing.assert_array_equal(some_pairs(graph, 20), pairs)
    assert len(some_pairs(ring(5), 20)) == 10
    assert len(some_pairs(Graph.from_pairs([], num_nodes=1), 20)) == 0
