from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.graph import Graph
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.plain_walks import RememberedWalks, WalkProfile, profile_channels
from network_cases import random_graph, some_pairs


def test_remembered_walks_are_the_same():
    graph = random_graph()
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    walks, profile = RememberedWalks(adjacency, 4), WalkProfile(adjacency, 4)
    pairs = torch.from_numpy(some_pairs(graph))
    assert torch.equal(walks.at(pairs), profile.at(pairs))
    assert walks.at(pairs) is walks.at(pairs.clone())


STEPS = 7


def profile_of(graph, pairs, steps=STEPS):
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    return WalkProfile(adjacency, steps).at(torch.from_numpy(np.array(pairs, dtype=np.int64))).numpy()


def dense_profile(graph, pairs, steps):
    """The definition, with matrices."""
    table = graph.to_scipy().toarray().astype(float)
    degree = table.sum(axis=1)
    scale = 1 / np.sqrt(np.maximum(degree, 1))
    once = scale[:, None] * table * scale
    nearby = table @ degree / np.maximum(degree, 1)
    powers = [np.linalg.matrix_power(once, k) for k in range(2, steps + 1)]
    rows = []
    for p, q in pairs:
        ends = sorted([(degree[p], nearby[p]), (degree[q], nearby[q])])
        between = [np.log(s[p, q] + 1e-7) for s in powers]
        low = [np.log(min(s[p, p], s[q, q]) + 1e-7) for s in powers]
        high = [np.log(max(s[p, p], s[q, q]) + 1e-7) for s in powers]
        rows.append(between + low + high + [np.log1p(x) for end in ends for x in end])
    return np.array(rows)


@pytest.mark.parametrize("steps", [2, 3, STEPS])
def test_a_profile_is_its_definition(steps):
    graph = random_graph()
    pairs = some_pairs(graph)
    told = profile_of(graph, pairs, steps)
    assert told.shape == (len(pairs), profile_channels(steps))
    np.testing.assert_allclose(told, dense_profile(graph, pairs, steps), atol=2**-16)


def test_a_profile_is_the_same_both_ways_round():
    graph = random_graph()
    pairs = some_pairs(graph)
    np.testing.assert_array_equal(profile_of(graph, pairs), profile_of(graph, pairs[:, ::-1]))


def test_an_edge_shows_in_it_and_so_it_must_leave_the_graph_first():
    graph = random_graph()
    edge = graph.edges[:1]
    assert (profile_of(graph, edge) != profile_of(graph.without(edge), edge)).mean() > 0.5


def test_no_walk_and_no_edge():
    graph = Graph.from_pairs([(0, 1)], 4)
    (told,) = profile_of(graph, [(2, 3)], 3)
    np.testing.assert_allclose(told, [np.log(1e-7)] * 6 + [0] * 4, atol=2**-16)
