"""Where pairs lie in the whole graph."""

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.models.global_position import OWN, POSITION, SPECTRAL, GlobalPosition
from network_cases import random_graph, some_pairs


def from_networkx(graph):
    return Graph.from_pairs(np.array(graph.edges, dtype=np.int32), len(graph))


def dense_table(graph, pairs, steps, rank):
    """The spectral columns by dense algebra on every eigenvector with its own eigenvalue."""
    adjacency = graph.to_scipy().toarray().astype(float)
    scale = 1 / np.sqrt(np.maximum(adjacency.sum(1), 1))
    values, vectors = np.linalg.eigh(scale[:, None] * adjacency * scale)
    order = np.argsort(-values)
    num_trivial = sum(1 for part in nx.connected_components(nx.from_numpy_array(adjacency)) if len(part) > 1)
    chosen = order[num_trivial : num_trivial + rank]
    u, v = values[chosen], vectors[:, chosen]
    p, q = pairs.T
    low = (v[p] * v[q]) @ u
    tail = (v[p] * v[q]) @ (u ** (steps + 1) / (1 - 0.98 * u))
    spread = graph.num_nodes * np.square(v[p] - v[q]).sum(1)
    return np.stack([low, np.sign(tail) * np.log1p(np.abs(tail) * 1e4), np.log(spread + 1e-6)], axis=1)


def test_spectral_columns_equal_dense_algebra():
    graph = from_networkx(nx.barabasi_albert_graph(60, 3, seed=1))
    pairs = some_pairs(graph)
    found = GlobalPosition(graph, 4, rank=8)(pairs)[:, [0, 2, 3]]
    np.testing.assert_allclose(found, dense_table(graph, pairs, 4, 8), rtol=1e-5, atol=1e-5)


def test_lanczos_equals_dense_algebra():
    graph = from_networkx(nx.barabasi_albert_graph(300, 2, seed=2))
    pairs = some_pairs(graph)
    dense, sparse = (GlobalPosition(graph, 5, max_dense_nodes=most)(pairs) for most in (1000, 10))
    np.testing.assert_allclose(sparse, dense, rtol=1e-4, atol=1e-4)


def test_columns_of_the_ends_are_those_of_networkx():
    graph = nx.karate_club_graph()
    pairs = np.array([[0, 33], [5, 11]])
    row = GlobalPosition(from_networkx(graph), 4)(pairs)
    expected = {
        "clustering": nx.clustering(graph),
        "core": nx.core_number(graph),
        "triangles": nx.triangles(graph),
        "component": dict.fromkeys(graph, np.log(len(graph))),
    }
    for name, values in expected.items():
        place = len(SPECTRAL) + 2 * OWN.index(name)
        ends = np.sort([[values[p], values[q]] for p, q in pairs], axis=1)
        np.testing.assert_allclose(row[:, place : place + 2], ends, rtol=1e-6)


@pytest.mark.parametrize("is_directed", [False, True])
def test_a_row_depends_on_nothing_but_its_unordered_pair(is_directed):
    graph = random_graph(is_directed=is_directed)
    pairs, table = some_pairs(graph), GlobalPosition(graph, 4)
    rows = table(pairs)
    assert rows.shape == (len(pairs), len(POSITION))
    assert np.isfinite(rows).all()
    np.testing.assert_array_equal(table(pairs[:, ::-1]), rows)
    np.testing.assert_array_equal(np.concatenate([table(pair[None]) for pair in pairs]), rows)


def test_relabelled_nodes_have_the_same_rows():
    graph = random_graph()
    pairs, new = some_pairs(graph), np.random.default_rng(0).permutation(graph.num_nodes).astype(np.int32)
    other = Graph.from_pairs(new[graph.edges], graph.num_nodes)
    np.testing.assert_allclose(
        GlobalPosition(other, 4)(new[pairs]), GlobalPosition(graph, 4)(pairs), rtol=1e-4, atol=1e-4
    )


def test_a_graph_without_edges_has_rows():
    graph = Graph.from_pairs(np.empty((0, 2), dtype=np.int32), 3)
    assert np.isfinite(GlobalPosition(graph, 2)(np.array([[0, 1]]))).all()
