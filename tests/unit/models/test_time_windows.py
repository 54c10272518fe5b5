from __future__ import annotations

import numpy as np

from linkwl import Graph
from linkwl.models.time_windows import TimeWindows


def timed(times, num_nodes=25):
    plain = Graph.from_pairs(np.random.default_rng(0).integers(0, num_nodes, (4 * len(times), 2)), num_nodes)
    edges = plain.edges[np.random.default_rng(1).permutation(plain.num_edges)[: len(times)]]
    return Graph.from_pairs(edges, num_nodes, time=np.asarray(times))


def test_a_window_is_predicted_from_what_was_before_it():
    graph = timed(np.random.default_rng(2).integers(0, 40, 100))
    windows = TimeWindows(graph, 12)
    for start in range(windows.num_starts):
        before, chosen = windows.window(start)
        assert 0 < len(chosen) <= 12
        assert before.edge_time.max() < graph.edge_time[chosen].min()
        assert not before.has_edges(graph.edges[chosen]).any()
        assert before.degree[graph.edges[chosen]].min() > 0
    last, _ = windows.window(windows.num_starts - 1)
    assert last.num_edges > TimeWindows(graph, 12).window(0)[0].num_edges


def test_windows_divide_what_has_a_past():
    graph = timed(np.arange(90), num_nodes=14)
    parts = list(TimeWindows.divided(graph, 5))
    found = np.concatenate([chosen for _, chosen in parts])
    assert len(parts) == 5
    assert len(np.unique(found)) == len(found)
    assert graph.edge_time[found].min() >= 18
    assert set(graph.edge_time[found]) >= set(range(40, 90))
    assert list(TimeWindows.divided(Graph.from_pairs([], 3, time=np.array([], dtype=np.int64)), 5)) == []


def test_edges_of_new_nodes_are_kept_if_there_are_no_others():
    graph = Graph.from_pairs([(0, 1), (2, 3)], 4, time=[1, 2])
    before, chosen = TimeWindows(graph, 1).window(0)
    assert graph.edges[chosen].tolist() == [[2, 3]]
    assert before.edges.tolist() == [[0, 1]]
