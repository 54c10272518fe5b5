from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphs import path_graph, random_rows, relabelled, to_networkx
from linkwl.graph import Graph
from linkwl.sparse.link_vectors import link_vectors

ANY = 1 << 20


def random_graph(num_nodes=60, num_rows=70, seed=0):
    return Graph.from_pairs(random_rows(num_nodes, num_rows, seed), num_nodes)


def vectors(graph, pairs, num_nodes=10, max_per_hop=ANY):
    return link_vectors(graph.rowptr, graph.col, np.asarray(pairs), num_nodes, max_per_hop)


def collected(graph, pair, num_nodes):
    """The nodes of all rings up to the first that gives enough, with the pair's edge removed."""
    links, nodes = to_networkx(graph), set(pair)
    if links.has_edge(*pair):
        links.remove_edge(*pair)
    while len(nodes) < num_nodes:
        more = nodes | {u for v in nodes for u in links[v]}
        if more == nodes:
            break
        nodes = more
    return links.subgraph(nodes)


def matrix(vector, num_nodes):
    full = np.zeros((num_nodes, num_nodes))
    full[np.triu_indices(num_nodes, 1)] = vector
    return full + full.T


def test_a_path_by_hand():
    """0 - 1 - 2 - 3 and the pair (1, 2): two edges at the ends, which come first."""
    full = matrix(vectors(path_graph(), [(1, 2)], 5)[0], 5)
    assert full[0, 1] == 0
    assert (full > 0).sum() == 4
    assert full[:2].sum() == 2
    (far,) = vectors(path_graph(), [(0, 1)], 5)
    assert sorted(far[far > 0].tolist()) == [0.5, 1]


@pytest.mark.parametrize("seed", range(4))
def test_small_neighbourhoods_are_kept_whole(seed):
    graph = random_graph(num_rows=50, seed=seed)
    pairs = np.random.default_rng(seed).integers(0, 60, (80, 2))
    pairs = np.concatenate([pairs[pairs[:, 0] != pairs[:, 1]], graph.edges[:30]])
    count = 0
    for pair, vector in zip(pairs.tolist(), vectors(graph, pairs, 20), strict=True):
        part = collected(graph, pair, 20)
        if len(part) > 20:
            continue
        count += 1
        full = nx.from_numpy_array(matrix(vector, 20) > 0)
        full.remove_nodes_from(range(len(part), 20))
        assert nx.is_isomorphic(full, part)
        assert matrix(vector, 20)[0, 1] == 0
        assert set(vector.tolist()) <= {0.0, *(np.float32(1 / d).item() for d in range(1, 20))}
    assert count > 10


@pytest.mark.parametrize(("num_nodes", "num_rows"), [(60, 70), (40, 120), (30, 200)])
@pytest.mark.parametrize("size", [4, 10, 16])
def test_copies_of_a_graph_give_the_same_vectors(num_nodes, num_rows, size):
    graph = random_graph(num_nodes, num_rows)
    generator = np.random.default_rng(1)
    pairs = np.concatenate([generator.integers(0, num_nodes, (100, 2)), graph.edges])
    name = generator.permutation(num_nodes)
    np.testing.assert_array_equal(vectors(relabelled(graph, name), name[pairs], size), vectors(graph, pairs, size))
    np.testing.assert_array_equal(vectors(graph, pairs[:, ::-1], size), vectors(graph, pairs, size))


def test_the_edge_of_a_pair_changes_nothing():
    graph = random_graph(seed=2)
    for i in range(graph.num_edges):
        edge = graph.edges[i : i + 1]
        np.testing.assert_array_equal(vectors(graph, edge), vectors(graph.without(edge), edge))


def test_leaves_of_a_hub_are_cut():
    graph = Graph.from_pairs([(0, v) for v in range(2, 200)] + [(1, 2), (1, 3)], 200)
    full = matrix(vectors(graph, [(0, 1)])[0], 10)
    assert sorted((full > 0).sum(axis=0)[:2].tolist()) == [2, 8]  # two common neighbours, six leaves
    limited = vectors(graph, [(0, 1)], max_per_hop=20)
    np.testing.assert_array_equal(matrix(limited[0], 10), full)


def test_a_node_with_itself_no_edges_and_no_pairs():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 5)
    assert np.isfinite(vectors(graph, [(1, 1), (4, 4)])).all()
    assert not vectors(Graph.from_pairs([], 3), [(0, 1), (2, 2)]).any()
    assert vectors(graph, np.empty((0, 2), dtype=int)).shape == (0, 45)
    with pytest.raises(ValueError, match="num_nodes"):
        vectors(graph, [(0, 1)], 99)


def test_several_threads_find_the_same(monkeypatch):
    graph = random_graph(200, 800)
    pairs = np.random.default_rng(0).integers(0, 200, (300, 2))
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(vectors(graph, pairs))
    np.testing.assert_array_equal(*results)
