from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
import torch

from adjacencies import adjacency_of
from linkwl.graph import Graph
from linkwl.nn.directed_profile import HEIGHTS, DirectedProfile, directed_channels, heights
from linkwl.sparse.directed_walks import CLOSED, patterns
from network_cases import random_graph, some_pairs


def profile_of(graph, pairs, steps=5):
    return DirectedProfile(adjacency_of(graph), steps).at(torch.from_numpy(np.array(pairs, dtype=np.int64))).numpy()


def dense_heights(graph):
    """The definition, with matrices."""
    table = graph.to_scipy().toarray()
    both = table + table.T
    degree = np.maximum(both.sum(axis=1), 1)
    once = (table.sum(axis=1) - table.sum(axis=0)) / degree
    walk = both / degree[:, None]
    return np.stack([sum(np.linalg.matrix_power(walk, j) @ once for j in range(length)) for length in HEIGHTS], axis=1)


def dense_profile(graph, pairs, steps):
    """The definition, with matrices."""
    table = graph.to_scipy().toarray()
    leaving, arriving = table.sum(axis=1), table.sum(axis=0)
    once = table / np.sqrt(np.maximum(leaving, 1))[:, None] / np.sqrt(np.maximum(arriving, 1))
    walk = {
        name: reduce(np.matmul, [once if s == "+" else once.T for s in name]) for name in (*patterns(steps), *CLOSED)
    }
    links = ((table + table.T) > 0).astype(float)
    degree = links.sum(axis=1)
    smooth = links / np.sqrt(np.maximum(degree, 1))[:, None] / np.sqrt(np.maximum(degree, 1))
    powers = [np.linalg.matrix_power(smooth, k) for k in range(2, steps + 1)]
    around = np.stack([degree, links @ degree / np.maximum(degree, 1)], axis=1)
    height = dense_heights(graph)
    rows = []
    for p, q in pairs:
        plain = [m[ends] for ends in ((p, q), (p, p), (q, q)) for m in powers]
        directed = [once[q, p], *(walk[name][p, q] for name in patterns(steps))]
        directed += [walk[name][v, v] for v in (p, q) for name in CLOSED]
        logs = [*np.log(np.array(plain) + 1e-7), *np.log1p(around[[p, q]]).ravel(), *np.log(np.array(directed) + 1e-7)]
        degrees = np.log1p([leaving[p], arriving[p], leaving[q], arriving[q]])
        rows.append([*logs, *degrees, *height[p], *height[q], *(height[p] - height[q])])
    return np.array(rows)


@pytest.mark.parametrize("steps", [2, 3, 6])
def test_a_profile_is_its_definition(steps):
    graph = random_graph(is_directed=True)
    pairs = some_pairs(graph)
    told = profile_of(graph, pairs, steps)
    assert told.shape == (len(pairs), directed_channels(steps))
    np.testing.assert_allclose(told, dense_profile(graph, pairs, steps), atol=2**-16)


def test_heights_fall_along_the_edges_of_a_chain():
    chain = Graph.from_pairs([(v, v + 1) for v in range(6)], 7, is_directed=True)
    height = heights(adjacency_of(chain))
    np.testing.assert_allclose(height, dense_heights(chain), atol=1e-12)
    assert (np.diff(height[:, -1]) < 0).all()
    np.testing.assert_allclose(height[:, 0], [1, 0, 0, 0, 0, 0, -1])


def test_edges_in_both_directions_are_level():
    graph = random_graph()
    both = Graph.from_pairs(np.concatenate([graph.edges, graph.edges[:, ::-1]]), graph.num_nodes, is_directed=True)
    assert not heights(adjacency_of(both)).any()


def test_only_the_reverse_of_an_edge_shows():
    """A profile tells nothing of the edge from p to q that its walks do not; that of q to p it tells."""
    graph = Graph.from_pairs([(0, 1), (2, 3)], 4, is_directed=True)
    column = directed_channels(2) - (1 + 4 + 2 * len(CLOSED) + 4 + 3 * len(HEIGHTS))
    there, back = profile_of(graph, [(0, 1), (1, 0)], steps=2)[:, column]
    assert there == pytest.approx(np.log(1e-7), abs=2**-16)
    assert back == pytest.approx(0, abs=2**-16)
