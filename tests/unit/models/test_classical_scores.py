from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.models.classical_scores import ClassicalScores, column_names
from linkwl.models.node_scores import NODE_SCORES, node_scores

N = 45


@pytest.fixture(scope="module")
def graph():
    generator = np.random.default_rng(0)
    features = generator.normal(size=(N, 6)) * (generator.random((N, 6)) < 0.5)
    features[7] = 0
    edges = generator.integers(0, 40, (100, 2, 2)).min(axis=2)
    return Graph.from_pairs(edges, num_nodes=N).with_features(sp.csr_array(features))


@pytest.fixture(scope="module")
def pairs(graph):
    every = np.stack(np.triu_indices(N, 1), axis=1).astype(np.int32)
    return every[~graph.has_edges(every)]


@pytest.fixture(scope="module")
def table(graph, pairs):
    scores = ClassicalScores(graph)
    return dict(zip(scores.names, scores(pairs).T, strict=True))


def matrices(graph):
    a = graph.to_scipy().toarray()
    root = np.maximum(graph.degree, 1) ** -0.5
    return a, root[:, None] * a * root


def common_neighbour_scores(graph, pairs):
    """By sets, as the definitions have them."""
    near = [set(graph.neighbours(v).tolist()) for v in range(N)]
    d = graph.degree
    for p, q in pairs.tolist():
        common = near[p] & near[q]
        c, low, high = len(common), max(min(d[p], d[q]), 1), max(d[p], d[q], 1)
        yield {
            "common": c,
            "adamic_adar": sum(1 / np.log(d[v]) for v in common),
            "resource_allocation": sum(1 / d[v] for v in common),
            "jaccard": c / max(len(near[p] | near[q]), 1),
            "salton": c / np.sqrt(low * high),
            "hub_promoted": c / low,
            "hub_depressed": c / high,
            "lhn": c / (low * high),
            "attachment": np.log(1 + d[p] * d[q]),
            "paths3": sum(len(near[u] & near[q]) for u in near[p]),
            "paths3_by_degree": sum(1 / np.sqrt(d[u] * d[v]) for u in near[p] for v in near[u] & near[q]),
        }


def test_scores_of_neighbourhoods(graph, pairs, table):
    expected = list(common_neighbour_scores(graph, pairs))
    for name in expected[0]:
        np.testing.assert_allclose(table[name], [row[name] for row in expected], rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("power", [2, 3, 4])
def test_powers_of_the_normalised_adjacency(graph, pairs, table, power):
    entries = np.linalg.matrix_power(matrices(graph)[1], power)[pairs[:, 0], pairs[:, 1]]
    np.testing.assert_allclose(table[f"smooth{power}"], np.log(np.maximum(entries, 1e-30)), rtol=1e-5)


def test_restarts(graph, pairs, table):
    a, _ = matrices(graph)
    steps = a / np.maximum(a.sum(axis=1, keepdims=True), 1)
    rank = 0.15 * np.linalg.inv(np.eye(N) - 0.85 * steps)
    both = np.stack([rank[pairs[:, 0], pairs[:, 1]], rank[pairs[:, 1], pairs[:, 0]]])
    for name, expected in (("sum", both.sum(axis=0)), ("max", both.max(axis=0)), ("min", both.min(axis=0))):
        found = np.exp(table[f"ppr_{name}"].astype(np.float64))
        np.testing.assert_allclose(found, expected, atol=2e-5 * graph.degree.max())


def test_distances(graph, pairs, table):
    other = nx.Graph(graph.edges.tolist())
    other.add_nodes_from(range(N))
    lengths = dict(nx.all_pairs_shortest_path_length(other))
    expected = [1 / (1 + lengths[p][q]) if q in lengths[p] else 0 for p, q in pairs.tolist()]
    np.testing.assert_allclose(table["closeness"], expected, rtol=1e-6)


def test_low_rank(graph, pairs, table):
    a, s = matrices(graph)
    values, vectors = np.linalg.eigh(a)
    kept = np.argsort(-np.abs(values))[:32]
    assert np.abs(values[kept]).min() - np.sort(np.abs(values))[-33] > 1e-4  # the rank is well defined here
    low = (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    np.testing.assert_allclose(table["low_a"], low[pairs[:, 0], pairs[:, 1]], atol=1e-6)
    values, vectors = np.linalg.eigh(s)
    kept = np.flatnonzero((values > 1e-9) & (values < 1 - 1e-9))[::-1]
    for name, some in (("low_s", kept), ("low_s8", kept[:8])):
        low = (vectors[:, some] * values[some]) @ vectors[:, some].T
        np.testing.assert_allclose(table[name], low[pairs[:, 0], pairs[:, 1]], atol=1e-6)
    z = vectors[:, kept]
    apart = N * np.square(z[pairs[:, 0]] - z[pairs[:, 1]]).sum(axis=1)
    np.testing.assert_allclose(table["spread_s"], apart, rtol=1e-5, atol=1e-6)


def test_ends(graph, pairs, table):
    ends = node_scores(graph)[pairs]
    for k, name in enumerate(NODE_SCORES):
        np.testing.assert_allclose(table[f"{name}_min"], ends[:, :, k].min(axis=1), rtol=1e-6)
        np.testing.assert_allclose(table[f"{name}_max"], ends[:, :, k].max(axis=1), rtol=1e-6)


@pytest.mark.parametrize("step", [0, 1, 2])
def test_cosines(graph, pairs, table, step):
    _, s = matrices(graph)
    rows = np.linalg.matrix_power((np.eye(N) + s) / 2, step) @ graph.features.toarray()
    length = np.linalg.norm(rows, axis=1)
    dot = (rows[pairs[:, 0]] * rows[pairs[:, 1]]).sum(axis=1)
    scale = length[pairs].prod(axis=1)
    expected = np.divide(dot, scale, where=scale > 0, out=np.zeros_like(dot))
    np.testing.assert_allclose(table[f"cosine{step}"], expected, atol=1e-6)


@pytest.mark.parametrize("max_dense_nodes", [0, 500])
def test_rows_do_not_depend_on_each_other_or_on_order(graph, pairs, max_dense_nodes):
    scores = ClassicalScores(graph, max_dense_nodes=max_dense_nodes)
    together = scores(pairs)
    np.testing.assert_array_equal(scores(pairs[:, ::-1]), together)
    np.testing.assert_array_equal(scores(pairs[::7]), together[::7])
    np.testing.assert_array_equal(scores(pairs[11:12]), together[11:12])


def test_columns(graph, pairs):
    assert len(set(column_names(has_features=True))) == 39
    assert ClassicalScores(graph, use_features=False).names == column_names(has_features=False)
    assert ClassicalScores(graph.with_features(None))(pairs).shape == (len(pairs), 36)
    assert ClassicalScores(graph)(pairs[:0]).shape == (0, 39)


@pytest.mark.parametrize("num_nodes", [1, 2, 5])
def test_tiny_graphs(num_nodes):
    for edges in ([], [(0, 1)][: num_nodes - 1]):
        graph = Graph.from_pairs(edges, num_nodes=num_nodes)
        assert np.isfinite(ClassicalScores(graph)(np.array([(0, num_nodes - 1), (0, 0)], dtype=np.int32))).all()


def test_features_that_do_not_fit_into_memory_are_refused(graph, monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 1000)
    with pytest.raises(MemoryLimitError, match="lower 'rank' or set features=false"):
        ClassicalScores(graph)
