from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.stats import norm

from graphs import random_rows, relabelled, to_networkx
from linkwl.graph import Graph
from linkwl.sparse.extended_persistence import extended_persistence
from linkwl.sparse.vicinity_images import RESOLUTION, Vicinity, vicinity_images


def random_graph(num_nodes=40, num_rows=110, seed=0):
    return Graph.from_pairs(random_rows(num_nodes - 3, num_rows, seed), num_nodes)


def images(graph, pairs, bandwidth=0.3, **settings):
    return vicinity_images(graph.rowptr, graph.col, np.array(pairs), Vicinity(**settings), bandwidth=bandwidth)


def plain(graph, pair, hops, max_nodes, with_roots, bandwidth):
    """The definition, step by step."""
    links, (i, j) = to_networkx(graph), pair
    if links.has_edge(i, j):
        links.remove_edge(i, j)
    first, second = (nx.single_source_shortest_path_length(links, end, cutoff=hops) for end in pair)
    nodes = first.keys() & second.keys()
    has_roots = {i, j} <= nodes
    if len(nodes) > max_nodes:
        nodes = {v for v in nodes if first[v] <= 1 and second[v] <= 1}
    nodes = sorted(nodes | {i, j} if with_roots else nodes)
    part = links.subgraph(nodes)
    image = np.zeros((RESOLUTION, RESOLUTION))
    if not with_roots and not (has_roots and nx.is_connected(part)):
        return image.reshape(-1)
    value = np.array([0.0 if v in (i, j) else first[v] + second[v] for v in nodes])
    if value.max() > 0:
        place = {v: k for k, v in enumerate(nodes)}
        ends = np.array([(place[u], place[v]) for u, v in part.edges]).reshape(-1, 2)
        cuts = np.linspace(0, 1, RESOLUTION + 1)
        for birth, death, _ in zip(*extended_persistence(len(nodes), ends, value / value.max()), strict=True):
            x, y = min(birth, death), abs(birth - death)
            image += y * np.outer(np.diff(norm.cdf(cuts, x, bandwidth)), np.diff(norm.cdf(cuts, y, bandwidth)))
    return image.reshape(-1)


@pytest.mark.parametrize("with_roots", [True, False])
@pytest.mark.parametrize(("hops", "max_nodes"), [(1, 100), (2, 100), (2, 6), (3, 100)])
def test_images_are_those_of_the_definition(hops, max_nodes, with_roots):
    graph = random_graph()
    pairs = np.concatenate([np.random.default_rng(0).integers(0, 40, (60, 2)), graph.edges[:40], [(5, 5), (38, 39)]])
    found = images(graph, pairs, hops=hops, max_nodes=max_nodes, with_roots=with_roots)
    for pair, image in zip(pairs.tolist(), found, strict=True):
        expected = plain(graph, pair, hops, max_nodes, with_roots, 0.3)
        np.testing.assert_allclose(image, expected, rtol=1e-9, atol=1e-12)
    if with_roots or (hops > 1 and max_nodes == 100):
        assert (found.sum(1) > 0).mean() > 0.1


def test_one_common_neighbour_by_hand():
    """i - x - j with values 0, 1, 0: j joins at 1, and the component lasts from 0 to 1."""
    (image,) = images(Graph.from_pairs([(0, 1), (1, 2)], 3), [(0, 2)], bandwidth=1e-3)
    expected = np.zeros((RESOLUTION, RESOLUTION))
    # Two points at (0, 1), the corner of the grid: a quarter of each is inside of it.
    expected[0, -1] = 0.5
    np.testing.assert_allclose(image.reshape(RESOLUTION, -1), expected, atol=1e-9)


def test_the_published_vicinity_of_one_hop_never_holds_the_ends():
    graph = random_graph()
    assert not images(graph, graph.edges, hops=1, with_roots=False).any()
    assert images(graph, graph.edges, hops=1).any()


def test_the_edge_of_a_pair_changes_nothing():
    graph = random_graph(seed=2)
    found = images(graph, graph.edges)
    for i, image in enumerate(found):
        np.testing.assert_array_equal(images(graph.without(graph.edges[i : i + 1]), graph.edges[i : i + 1])[0], image)


def test_both_orders_and_other_names_give_the_same_image():
    graph = random_graph(seed=3)
    pairs = np.random.default_rng(0).integers(0, 40, (80, 2))
    expected = images(graph, pairs)
    np.testing.assert_allclose(images(graph, pairs[:, ::-1]), expected, rtol=1e-9)
    name = np.random.default_rng(1).permutation(40)
    np.testing.assert_allclose(images(relabelled(graph, name), name[pairs]), expected, rtol=1e-9)


def test_several_threads_find_the_same(monkeypatch):
    graph = random_graph(200, 900)
    pairs = np.random.default_rng(0).integers(0, 200, (300, 2))
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(images(graph, pairs))
    np.testing.assert_array_equal(*results)


def test_no_edges_and_no_pairs():
    graph = Graph.from_pairs([], 3)
    assert not images(graph, [(0, 1), (2, 2)]).any()
    assert images(graph, np.empty((0, 2), dtype=np.int64)).shape == (0, RESOLUTION**2)
