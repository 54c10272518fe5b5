from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.heuristics.directed_series import DirectedSteps
from linkwl.models.registry import model_ids

HEURISTICS = model_ids("heuristic", task="pairs")


@pytest.fixture
def directed(random_graph):
    """The random graph with one direction of most edges and both of the others."""
    edges = random_graph.edges
    turn = np.random.default_rng(3).random(len(edges))
    return Graph.from_pairs(np.concatenate([edges[turn < 0.6], edges[turn > 0.5, ::-1]]), 40, is_directed=True)


def paths_by_hand(graph, p, q):
    """The nodes z on paths p -> z -> q."""
    return sorted(set(graph.neighbours(p).tolist()) & {z for z in range(40) if q in graph.neighbours(z)})


WEIGHTS = {
    "cn": lambda leaving, arriving: 1,
    "aa": lambda leaving, arriving: 1 / math.log(leaving + arriving),
    "ra": lambda leaving, arriving: 1 / leaving,
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_common_neighbours_lie_on_directed_paths(name, directed, every_pair):
    leaving, arriving = directed.to_scipy().sum(axis=1), directed.to_scipy().sum(axis=0)
    expected = [
        sum(WEIGHTS[name](leaving[z], arriving[z]) for z in paths_by_hand(directed, p, q))
        for p, q in every_pair.tolist()
    ]
    np.testing.assert_allclose(create_model(name)(directed, every_pair), expected, rtol=1e-12)


def test_degrees_leave_the_first_node_and_arrive_at_the_second(directed, every_pair):
    p, q = every_pair.T
    leaving, arriving = directed.to_scipy().sum(axis=1), directed.to_scipy().sum(axis=0)
    np.testing.assert_array_equal(create_model("pa")(directed, every_pair), leaving[p] * arriving[q])
    common = create_model("cn")(directed, every_pair)
    expected = common / np.maximum(leaving[p] + arriving[q] - common, 1)
    np.testing.assert_array_equal(create_model("jaccard")(directed, every_pair), expected)


@pytest.mark.parametrize("beta", [0.001, 0.05])
def test_katz_sums_directed_walks(beta, directed, every_pair):
    matrix = beta * directed.to_scipy().toarray()
    expected = sum(np.linalg.matrix_power(matrix, k) for k in range(1, 80))
    found = create_model("katz", beta=beta)(directed, every_pair)
    np.testing.assert_allclose(found, expected[every_pair[:, 0], every_pair[:, 1]], rtol=1e-9)
    reach = nx.transitive_closure(nx.DiGraph(directed.edges.tolist()), reflexive=False)
    assert [(a, b) for a, b in every_pair.tolist() if found[40 * a + b] > 0] == sorted(reach.edges)


def test_pagerank_follows_the_edges_from_the_first_node(directed, every_pair):
    matrix = directed.to_scipy().toarray()
    transition = matrix / np.maximum(matrix.sum(axis=1), 1)[:, None]
    expected = 0.15 * sum(np.linalg.matrix_power(0.85 * transition, k) for k in range(400))
    found = create_model("ppr")(directed, every_pair)
    np.testing.assert_allclose(found, expected[every_pair[:, 0], every_pair[:, 1]], rtol=1e-8)


@pytest.mark.parametrize("length", [2, 7, 40])
@pytest.mark.parametrize("name", ["katz", "ppr"])
def test_a_series_does_not_end_before_a_long_cycle_is_round(name, length):
    """Walks round a cycle have terms that are far apart, with zeros between them."""
    cycle = Graph.from_pairs([(v, (v + 1) % length) for v in range(length)], length, is_directed=True)
    share = {"katz": 0.9, "ppr": 0.85}[name]
    model = create_model("katz", beta=share) if name == "katz" else create_model("ppr")
    walks = share / (1 - share**length)
    expected = walks if name == "katz" else 0.15 * walks
    assert model(cycle, [(0, 1)])[0] == pytest.approx(expected, rel=1e-9)
    assert model(cycle, [(0, 1), (0, 0)])[0] == pytest.approx(expected, rel=1e-9)  # by the row of 0


def test_a_divergent_series_of_directed_walks_is_refused():
    cycle = Graph.from_pairs([(0, 1), (1, 2), (2, 0)], 3, is_directed=True)
    with pytest.raises(InputError, match="'beta' must be below 1 on this graph, the inverse of the largest eigenvalue"):
        create_model("katz", beta=1.2).prepare(cycle)
    line = Graph.from_pairs([(0, 1), (1, 2)], 3, is_directed=True)  # without a cycle the series is finite
    assert create_model("katz", beta=1.2)(line, [(0, 2)])[0] == pytest.approx(1.44)


def test_the_growth_bounds_the_series():
    generator = np.random.default_rng(0)
    graph = Graph.from_pairs(generator.integers(0, 20, (60, 2)), 20, is_directed=True)
    steps = DirectedSteps(graph, np.full(20, 0.15), np.ones(20))
    matrix = 0.15 * graph.to_scipy().toarray()
    series = np.linalg.inv(np.eye(20) - matrix) - np.eye(20)
    assert steps.growth() >= series.sum(axis=1).max() - 1e-12
    assert steps.transposed.growth() >= series.sum(axis=0).max() - 1e-12
    assert DirectedSteps(Graph.from_pairs([], 3, is_directed=True), np.ones(3), np.ones(3)).growth() == 0


def test_simrank_agrees_with_networkx(directed, every_pair):
    model = create_model("simrank", gamma=0.8, iterations=20)
    other = nx.DiGraph(directed.edges.tolist())
    other.add_nodes_from(range(40))
    expected = nx.simrank_similarity(other, importance_factor=0.8, max_iterations=2000, tolerance=1e-12)
    found = model(directed, every_pair)
    np.testing.assert_allclose(found, [expected[p][q] for p, q in every_pair.tolist()], atol=0.02)


@pytest.mark.parametrize("name", sorted(set(HEURISTICS) - {"aa"}))  # adds the degrees of both kinds
def test_edges_in_both_directions_are_those_of_an_undirected_graph(name, random_graph, every_pair):
    both = Graph.from_pairs(np.concatenate([random_graph.edges, random_graph.edges[:, ::-1]]), 40, is_directed=True)
    found, expected = create_model(name)(both, every_pair), create_model(name)(random_graph, every_pair)
    if name == "ppr":  # the walks from either node
        found = found + create_model(name)(both, every_pair[:, ::-1])
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-15)


@pytest.mark.parametrize("name", sorted(set(HEURISTICS) - {"simrank"}))
def test_turning_all_edges_round_turns_the_pairs_round(name, directed, every_pair):
    found = create_model(name)(directed.reversed, every_pair[:, ::-1])
    if name in ("ra", "ppr"):  # what leaves a node is not what arrives there
        assert np.abs(found - create_model(name)(directed, every_pair)).max() > 0
    else:
        np.testing.assert_allclose(found, create_model(name)(directed, every_pair), rtol=1e-9, atol=1e-18)
