from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.graph.positions import Positions
from linkwl.sparse.pair_places import COLUMNS, pair_places


def by_definition(points, k, graph, p, q):
    """The columns of one pair, by the definitions."""
    distance = np.linalg.norm(points - points[:, None], axis=2)
    d = distance[p, q]
    circle = lune = 0
    for end, other in ((p, q), (q, p)):
        others = [v for v in np.argsort(distance[end], kind="stable") if v != end][:k]
        closer = [v for v in others if distance[end, v] < d]
        circle = max(circle, sum(distance[end, v] ** 2 + distance[other, v] ** 2 < d**2 for v in closer))
        lune = max(lune, sum(distance[other, v] < d for v in closer))
    ranks, turns, lengths = [], [], []
    for end, other in ((p, q), (q, p)):
        ranks.append(1 + min(k, sum(distance[end, v] < d for v in range(len(points)) if v != end)))
        rest = [v for v in graph.neighbours(end) if v != other]
        way = points[other] - points[end]
        cosines = [way @ (points[v] - points[end]) / (d * distance[end, v]) for v in rest if d * distance[end, v] > 0]
        turns.append(max([-1.0, *cosines]))
        lengths.append(np.mean([distance[end, v] for v in rest]) if rest else 0.0)
    return [d, circle, lune, *ranks, *turns, *lengths]


@pytest.mark.parametrize("num_nodes", [2, 5, 60])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_kernel_and_definition_agree(num_nodes, dimensions):
    generator = np.random.default_rng(num_nodes + dimensions)
    places = Positions(generator.normal(size=(num_nodes, dimensions)), "plane")
    graph = Graph.from_pairs(generator.integers(num_nodes, size=(2 * num_nodes, 2)), num_nodes)
    pairs = np.array([(p, q) for p in range(num_nodes) for q in range(num_nodes) if p != q])
    found = pair_places(places.points, *places.nearest, graph.rowptr, graph.col, pairs)
    expected = [by_definition(places.points, 32, graph, *pair) for pair in pairs]
    assert found.shape == (len(pairs), len(COLUMNS))
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_other_order_swaps_the_ends():
    generator = np.random.default_rng(0)
    places = Positions(generator.normal(size=(40, 2)), "plane")
    graph = Graph.from_pairs(generator.integers(40, size=(60, 2)), 40)
    pairs = generator.integers(40, size=(200, 2))
    one, other = (
        pair_places(places.points, *places.nearest, graph.rowptr, graph.col, way) for way in (pairs, pairs[:, ::-1])
    )
    np.testing.assert_array_equal(one[:, [0, 1, 2, 4, 3, 6, 5, 8, 7]], other)


def test_nodes_at_one_place_and_neighbours_without_a_place():
    coordinates = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [np.nan, np.nan]])
    places = Positions(coordinates, "plane")
    graph = Graph.from_pairs([(0, 3), (0, 1), (2, 3)], 4)
    found = pair_places(places.points, *places.nearest, graph.rowptr, graph.col, np.array([[0, 1], [0, 2]]))
    assert np.isfinite(found).all()
    assert found[0, :5].tolist() == [0, 0, 0, 1, 1]
    assert found[1].tolist() == [1, 0, 0, 2, 1, -1, -1, 0, 0]  # the two at one place are equally close to 2
