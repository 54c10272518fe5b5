from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import common_neighbour_sums, reference


def weightings(graph):
    degree = np.maximum(graph.degree, 1)
    return np.stack([np.ones(graph.num_nodes), np.log(degree), 1 / degree], axis=1)


def every_pair(num_nodes):
    return np.stack(np.meshgrid(range(num_nodes), range(num_nodes)), axis=-1).reshape(-1, 2)


def graph_with_hubs_and_isolated_nodes(seed):
    """Nodes 0 and 1 know nearly everyone, the last five nobody."""
    generator = np.random.default_rng(seed)
    hubs = [(hub, node) for hub in (0, 1) for node in range(2, 95) if generator.random() < 0.9]
    return Graph.from_pairs(np.concatenate([hubs, generator.integers(2, 95, (150, 2))]), num_nodes=100)


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_the_reference_on_every_pair(seed):
    graph = graph_with_hubs_and_isolated_nodes(seed)
    arguments = (graph.rowptr, graph.col, every_pair(graph.num_nodes), weightings(graph))
    np.testing.assert_allclose(
        common_neighbour_sums(*arguments), reference.common_neighbour_sums(*arguments), rtol=1e-12
    )


def test_both_orders_of_a_pair_give_the_same_bits():
    graph = graph_with_hubs_and_isolated_nodes(0)
    pairs, weights = every_pair(graph.num_nodes), weightings(graph)
    forth = common_neighbour_sums(graph.rowptr, graph.col, pairs, weights)
    back = common_neighbour_sums(graph.rowptr, graph.col, pairs[:, ::-1], weights)
    np.testing.assert_array_equal(forth, back)


def test_a_node_shares_all_its_neighbours_with_itself():
    star = Graph.from_pairs([(0, 1), (0, 2), (0, 3)], num_nodes=5)
    same = np.repeat(np.arange(5)[:, None], 2, axis=1)
    counts = common_neighbour_sums(star.rowptr, star.col, same, np.ones((5, 1)))
    assert counts[:, 0].tolist() == [3, 1, 1, 1, 0]


@pytest.mark.parametrize("num_nodes", [1, 4])
def test_graph_without_edges(num_nodes):
    graph = Graph.from_pairs([], num_nodes=num_nodes)
    counts = common_neighbour_sums(graph.rowptr, graph.col, every_pair(num_nodes), np.ones((num_nodes, 2)))
    assert counts.shape == (num_nodes**2, 2)
    assert not counts.any()


def test_no_pairs():
    graph = Graph.from_pairs([(0, 1)], num_nodes=2)
    assert common_neighbour_sums(graph.rowptr, graph.col, np.empty((0, 2), int), np.ones((2, 3))).shape == (0, 3)


def test_result_does_not_depend_on_the_number_of_threads(monkeypatch):
    graph = graph_with_hubs_and_isolated_nodes(0)
    arguments = (graph.rowptr, graph.col, every_pair(graph.num_nodes), weightings(graph))
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(common_neighbour_sums(*arguments))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
