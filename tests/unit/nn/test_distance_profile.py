from __future__ import annotations

import numpy as np
import pytest
import torch

from graphs import relabelled
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.distance_profile import DistanceProfile, distance_channels
from linkwl.sparse.distance_counts import distance_counts
from network_cases import random_graph, some_pairs


def profile_of(graph, pairs, hops=2, **options):
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    return DistanceProfile(adjacency, hops, None, **options).at(
        torch.tensor(np.array(pairs, dtype=np.int64, order="C"))
    )


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_a_profile_holds_degrees_and_numbers_with_the_smaller_end_first(hops):
    graph = random_graph()
    pairs = some_pairs(graph)
    profile = profile_of(graph, pairs, hops).numpy()
    assert profile.shape == (len(pairs), distance_channels(hops))
    for pair, row in zip(pairs, profile, strict=True):
        without = graph.without(pair[None]) if graph.has_edges(pair[None])[0] else graph
        forms = []
        for p, q in (pair, pair[::-1]):
            table = distance_counts(graph.rowptr, graph.col, np.array([(p, q)]), hops)[0]
            forms.append([without.degree[p], without.degree[q], *table.reshape(-1)[1:]])
        np.testing.assert_allclose(row, np.log1p(min(forms)), atol=1e-5)


def test_names_and_the_order_of_the_ends_do_not_matter():
    graph = random_graph()
    pairs = some_pairs(graph)
    name = np.random.default_rng(0).permutation(graph.num_nodes)
    expected = profile_of(graph, pairs)
    assert torch.equal(profile_of(graph, pairs[:, ::-1]), expected)
    assert torch.equal(profile_of(relabelled(graph, name), name[pairs]), expected)
    assert torch.equal(expected.float().double(), expected)


def test_remembered_profiles_are_the_same():
    graph = random_graph()
    pairs = some_pairs(graph)
    assert torch.equal(profile_of(graph, pairs, remember=True), profile_of(graph, pairs))
