"""Heuristics on weighted graphs, against dense matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkwl import Graph, InputError, create_model
from linkwl.models.heuristics import Katz, PersonalisedPageRank

NUM_NODES = 26
NAMES = ("cn", "aa", "ra", "pa", "jaccard", "katz", "ppr", "simrank")


@pytest.fixture(params=["undirected", "directed"])
def graph(request):
    """Random weights on random edges; the last two nodes have none."""
    generator = np.random.default_rng(3)
    pairs = generator.integers(0, NUM_NODES - 2, (70, 2))
    weight = generator.uniform(0.2, 9.0, len(pairs))
    return Graph.from_pairs(pairs, NUM_NODES, weight=weight, is_directed=request.param == "directed")


def all_pairs(num_nodes):
    return np.stack(np.meshgrid(range(num_nodes), range(num_nodes), indexing="ij"), axis=-1).reshape(-1, 2)


def dense(graph):
    """The adjacency matrix and the relative weights."""
    matrix = np.zeros((graph.num_nodes, graph.num_nodes))
    for (p, q), weight in zip(graph.edges, graph.edge_weight / graph.edge_weight.mean(), strict=True):
        matrix[p, q] = weight
        if not graph.is_directed:
            matrix[q, p] = weight
    return (matrix > 0).astype(float), matrix


def matrix_of(name, graph):
    """The score of every pair, by its definition."""
    a, w = dense(graph)
    leaving, arriving = w.sum(axis=1), w.sum(axis=0)
    inverse = np.divide(1, leaving, out=np.zeros(len(w)), where=leaving > 0)
    identity = np.eye(len(w))
    if name in ("cn", "aa", "ra"):
        strength = leaving + arriving if graph.is_directed else leaving
        logarithm = np.divide(1, np.log1p(strength), out=np.zeros(len(w)), where=strength > 0)
        factor = np.diag({"cn": np.ones(len(w)), "aa": logarithm, "ra": inverse}[name])
        return (w @ factor @ a + a @ factor @ w) / 2
    if name == "pa":
        return np.outer(leaving, arriving)
    if name == "jaccard":
        rows, columns = w[:, None, :], w.T[None, :, :]
        larger = np.maximum(rows, columns).sum(axis=2)
        return np.divide(np.minimum(rows, columns).sum(axis=2), larger, out=np.zeros_like(larger), where=larger > 0)
    if name == "katz":
        return np.linalg.inv(identity - 0.001 * w) - identity
    if name == "ppr":
        reached = 0.15 * np.linalg.inv(identity - 0.85 * inverse[:, None] * w)
        return reached if graph.is_directed else reached + reached.T
    step = w * np.divide(1, arriving, out=np.zeros(len(w)), where=arriving > 0)
    alike = identity
    for _ in range(5):
        alike = 0.8 * step.T @ alike @ step
        np.fill_diagonal(alike, 1)
    return alike


@pytest.mark.parametrize("max_dense_nodes", [0, 1000])
@pytest.mark.parametrize("name", NAMES)
def test_definition(name, graph, max_dense_nodes, monkeypatch):
    for model in (Katz, PersonalisedPageRank):
        monkeypatch.setattr(model, "max_dense_nodes", max_dense_nodes)
    pairs = all_pairs(NUM_NODES)
    np.testing.assert_allclose(
        create_model(name)(graph, pairs).reshape(NUM_NODES, NUM_NODES), matrix_of(name, graph), rtol=1e-8, atol=1e-13
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_unit_of_the_weights_does_not_matter(name, graph):
    pairs = all_pairs(NUM_NODES)
    other = replace(graph, weight=1000 * graph.weight)
    np.testing.assert_allclose(create_model(name)(other, pairs), create_model(name)(graph, pairs), rtol=1e-9)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "aa"])
def test_equal_weights_are_no_weights(name, graph):
    pairs = all_pairs(NUM_NODES)
    equal = replace(graph, weight=np.full(len(graph.col), 4.0))
    np.testing.assert_allclose(
        create_model(name)(equal, pairs), create_model(name)(graph.unweighted(), pairs), rtol=1e-9, atol=1e-15
    )


@pytest.fixture
def sides():
    """Nine users and seven items, with weights."""
    generator = np.random.default_rng(5)
    ends = np.stack([generator.integers(0, 9, 30), generator.integers(9, 16, 30)], axis=1)
    part = (np.arange(16) >= 9).astype(np.int8)
    return Graph.from_pairs(ends, 16, part=part, weight=generator.uniform(0.5, 3.0, 30))


@pytest.mark.parametrize("name", ["cn", "aa", "ra"])
def test_paths_between_two_sides(name, sides):
    a, w = dense(sides)
    strength = w.sum(axis=1)
    factor = np.diag({"cn": np.ones(16), "aa": 1 / np.log1p(strength), "ra": 1 / strength}[name])
    expected = sum(x @ factor @ y @ factor @ z for x, y, z in ((w, a, a), (a, w, a), (a, a, w))) / 3
    pairs = np.array([(p, q) for p in range(9) for q in range(9, 16)])
    for ends in (pairs, pairs[:, ::-1]):
        np.testing.assert_allclose(create_model(name)(sides, ends), expected[pairs[:, 0], pairs[:, 1]])


def test_similar_items_of_a_user(sides):
    _, w = dense(sides)
    pairs = np.array([(p, q) for p in range(9) for q in range(9, 16)])
    expected = [
        sum(w[p, k] * np.minimum(w[k], w[q]).sum() / np.maximum(w[k], w[q]).sum() for k in range(9, 16) if k != q)
        for p, q in pairs.tolist()
    ]
    np.testing.assert_allclose(create_model("jaccard")(sides, pairs), expected)


@pytest.mark.parametrize("name", NAMES)
def test_weights_must_be_positive(name):
    graph = Graph.from_pairs([(0, 1), (1, 2)], 3, weight=np.array([1.0, -2.0]), name="debts")
    with pytest.raises(InputError, match="some weights of debts are 0 or negative"):
        create_model(name).prepare(graph)


def test_katz_names_the_largest_factor_for_relative_weights(graph):
    _, w = dense(graph)
    largest = np.abs(np.linalg.eigvals(w)).max()
    with pytest.raises(InputError, match=f"must be below {str(1 / largest)[:5]}"):
        create_model("katz", beta=2 / largest).prepare(graph)
