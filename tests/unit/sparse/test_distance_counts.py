from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.distance_counts import distance_counts
from network_cases import random_graph, some_pairs


def plain_counts(graph, pairs, hops):
    """The definition, with distances of networkx in the graph without the edge of the pair."""
    out = np.zeros((len(pairs), hops + 1, hops + 1), dtype=np.int64)
    for i, (p, q) in enumerate(np.asarray(pairs).tolist()):
        plain = nx.Graph(graph.edges.tolist())
        plain.add_nodes_from(range(graph.num_nodes))
        plain.remove_edges_from([(p, q)])
        near = [nx.single_source_shortest_path_length(plain, end, cutoff=hops) for end in (p, q)]
        for u in {*near[0], *near[1]} - {p, q}:
            out[i, near[0].get(u, 0), near[1].get(u, 0)] += 1
    return out


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_networkx(hops, seed):
    graph = random_graph(seed=seed)
    pairs = np.concatenate([some_pairs(graph, 60, seed), graph.edges])
    found = distance_counts(graph.rowptr, graph.col, pairs, hops)
    np.testing.assert_array_equal(found, plain_counts(graph, pairs, hops))


@pytest.mark.parametrize("max_degree", [None, 3])
def test_a_link_is_counted_as_if_it_were_not_there(max_degree):
    graph = random_graph()
    for edge in graph.edges:
        seen, hidden = (
            distance_counts(g.rowptr, g.col, edge[None], 2, max_degree) for g in (graph, graph.without(edge[None]))
        )
        np.testing.assert_array_equal(seen[0], hidden[0])


def test_successive_pairs_of_one_node_count_as_if_alone():
    graph = random_graph()
    pairs = np.array([(p, q) for p in range(12) for q in range(graph.num_nodes)])
    together = distance_counts(graph.rowptr, graph.col, pairs, 2)
    alone = [distance_counts(graph.rowptr, graph.col, pair[None], 2)[0] for pair in pairs]
    np.testing.assert_array_equal(together, alone)


def test_paths_do_not_pass_hubs():
    star = Graph.from_pairs([(0, leaf) for leaf in range(1, 6)], 6)
    leaves = np.array([(1, 2)])
    exact = distance_counts(star.rowptr, star.col, leaves, 2)[0]
    assert exact.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 3]]
    assert distance_counts(star.rowptr, star.col, leaves, 2, 5)[0].tolist() == exact.tolist()
    bounded = distance_counts(star.rowptr, star.col, leaves, 2, 4)[0]
    assert bounded.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    from_hub = distance_counts(star.rowptr, star.col, np.array([(0, 1)]), 2, 1)[0]
    assert from_hub.tolist() == [[0, 0, 0], [4, 0, 0], [0, 0, 0]]  # the search still starts at a hub


def test_no_pairs_and_no_edges():
    graph = Graph.from_pairs([], num_nodes=3)
    assert not distance_counts(graph.rowptr, graph.col, np.array([(0, 1), (2, 2)]), 2).any()
    assert distance_counts(graph.rowptr, graph.col, np.empty((0, 2), dtype=np.int32), 2).shape == (0, 3, 3)


def test_result_does_not_depend_on_the_number_of_threads(monkeypatch):
    graph = random_graph()
    pairs = some_pairs(graph, 1000)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        found.append(distance_counts(graph.rowptr, graph.col, pairs, 2))
    np.testing.assert_array_equal(*found)
