from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.pair_structure import STRUCTURE, pair_structure


def every_pair(num_nodes):
    return np.stack(np.meshgrid(range(num_nodes), range(num_nodes)), axis=-1).reshape(-1, 2)


def described(graph, pairs, max_steps=4, **options):
    return pair_structure(graph.rowptr, graph.col, pairs, max_steps, **options)


def by_networkx(graph, p, q, max_steps):
    other = nx.Graph(graph.edges.tolist())
    other.add_nodes_from(range(graph.num_nodes))
    degree = dict(other.degree)
    is_linked = other.has_edge(p, q)
    if is_linked:
        other.remove_edge(p, q)
    try:
        steps = min(nx.shortest_path_length(other, p, q), max_steps + 1)
    except nx.NetworkXNoPath:
        steps = max_steps + 1
    common = list(nx.common_neighbors(other, p, q))
    walks = [(u, v) for u in other[p] for v in other[u] if v != p and v in other[q]]
    return [
        steps,
        is_linked,
        len(common),
        sum(1 / degree[u] for u in common),
        sum(1 / np.sqrt(degree[u] * degree[v]) for u, v in walks),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_networkx_on_every_pair(seed):
    generator = np.random.default_rng(seed)
    ends = generator.integers(0, 22, (34, 2, 2)).min(axis=2)  # hubs, leaves and isolated nodes
    graph = Graph.from_pairs(ends, num_nodes=24)
    pairs = np.array([pair for pair in every_pair(24) if pair[0] != pair[1]])
    expected = [by_networkx(graph, *pair.tolist(), 4) for pair in pairs]
    np.testing.assert_allclose(described(graph, pairs), expected, rtol=1e-6)


def test_a_path_by_hand():
    graph = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4), (0, 2)], num_nodes=6)
    found = dict(zip(STRUCTURE, described(graph, np.array([(0, 3)]))[0], strict=True))
    # Node 2, with three neighbours, joins them; the one walk of three steps is 0 - 1 - 2 - 3.
    assert found["distance"] == 2
    assert found["common"] == 1
    assert found["allocation"] == pytest.approx(1 / 3)
    assert found["walks"] == pytest.approx(1 / np.sqrt(2 * 3))
    assert described(graph, np.array([(3, 4)]))[0].tolist() == [5, 1, 0, 0, 0]  # only their own link joins them
    assert described(graph, np.array([(5, 5), (0, 5)]))[:, 0].tolist() == [0, 5]


def test_both_orders_of_a_pair_and_any_company_give_the_same_bits():
    generator = np.random.default_rng(0)
    graph = Graph.from_pairs(generator.integers(0, 60, (150, 2)), num_nodes=60)
    pairs = every_pair(60)
    forth = described(graph, pairs)
    np.testing.assert_array_equal(described(graph, pairs[:, ::-1]), forth)
    few = generator.permutation(len(pairs))[:20]
    for k in few:
        np.testing.assert_array_equal(described(graph, pairs[[k]])[0], forth[k])


def test_a_search_that_visits_too_many_nodes_is_given_up():
    graph = Graph.from_pairs([(k, k + 1) for k in range(8)], num_nodes=9)
    ends = np.array([(0, 8)])
    assert described(graph, ends, 10)[0, 0] == 8
    assert described(graph, ends, 10, most_visited=5)[0, 0] == 11


def test_nothing_to_describe():
    graph = Graph.from_pairs([], num_nodes=3)
    assert described(graph, np.empty((0, 2), dtype=np.int32)).shape == (0, 5)
    assert described(graph, np.array([(0, 1)])).tolist() == [[5, 0, 0, 0, 0]]
