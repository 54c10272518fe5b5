from __future__ import annotations

import numpy as np
import pytest

from linkwl.datasets import load_airports
from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.cost import Cost, Plan

NETWORKS = ["2wl", "local-2wl", "2fwl", "local-2fwl", "walk-2fwl"]


def ring(num_nodes):
    nodes = np.arange(num_nodes)
    return Graph.from_pairs(np.stack([nodes, (nodes + 1) % num_nodes], axis=1), num_nodes=num_nodes)


def test_costs_add_up():
    assert Cost(1, 2) + Cost(10, 20) == Cost(11, 22)


def test_what_does_not_fit_is_refused_with_a_remedy():
    plan = Plan("training x", Cost(memory=2e9), 10, "use y")
    plan.check(limit=3e9)
    with pytest.raises(MemoryLimitError, match=r"training x takes about 2.0 GB, and 1.0 GB is the limit; use y\."):
        plan.check(limit=1e9)


def test_text_says_memory_and_time(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    text = Plan("training x", Cost(memory=2e9, operations=8e9), 1000, "").text
    assert text == "training x: about 2.0 GB of memory and 1 s a step, 17 minutes for all 1,000 steps"


@pytest.mark.parametrize("name", NETWORKS)
def test_cost_grows_in_proportion_to_a_graph_of_the_same_kind(name):
    small, large = (create_model(name).cost(ring(n), 100) for n in (10_000, 100_000))
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
        create_model(name, readout={"hidden": 10**9}).plan(graph).check()


@pytest.mark.parametrize("name", ["2wl", "2fwl"])
def test_nobody_is_told_to_do_what_is_done(name):
    assert "branch" not in create_model(name).remedy
    assert "pairs.branch=gated" in create_model(name, pairs={"branch": "perceptron"}).remedy
