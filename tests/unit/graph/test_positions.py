from __future__ import annotations

import numpy as np
import pytest

from linkwl.errors import InputError, MemoryLimitError
from linkwl.graph.positions import NUM_NEAREST, Positions


def test_great_circles():
    places = Positions(np.array([[0.0, 0], [0, 90], [90, 17], [0, 180], [0, 359], [0, -1]]), "map")
    quarter = np.pi / 2 * 6371
    pairs = np.array([(0, 1), (0, 2), (1, 2), (0, 3), (4, 5)])
    np.testing.assert_allclose(places.distances(pairs), [quarter, quarter, quarter, 2 * quarter, 0], atol=1e-4)


def test_straight_lines_and_unknown_places():
    places = Positions(np.array([[0.0, 0], [3, 4], [np.nan, np.nan]]), "plane")
    assert places.distances(np.array([(0, 1), (1, 0)])).tolist() == [5, 5]
    assert np.isnan(places.distances(np.array([(0, 2)]))).all()
    assert places.is_known.tolist() == [True, True, False]


@pytest.mark.parametrize("num_nodes", [3, NUM_NEAREST + 1, 200])
def test_nearest_are_those_of_a_full_search(num_nodes):
    generator = np.random.default_rng(num_nodes)
    coordinates = generator.normal(size=(num_nodes, 2))
    coordinates[1] = np.nan
    places = Positions(coordinates, "plane")
    nodes, distance = places.nearest
    table = np.linalg.norm(coordinates - coordinates[:, None], axis=2)
    width = min(NUM_NEAREST, num_nodes - 2)
    for v in range(num_nodes):
        others = [u for u in np.argsort(table[v], kind="stable") if u not in (v, 1)][:width] if v != 1 else []
        assert nodes[v].tolist() == others + [-1] * (NUM_NEAREST - len(others))
        assert np.isinf(distance[v, len(others) :]).all()
        np.testing.assert_allclose(distance[v, : len(others)], table[v, others])


def test_many_nodes_at_one_place_have_each_other():
    places = Positions(np.zeros((100, 2)), "plane")
    nodes, distance = places.nearest
    assert (nodes != np.arange(100)[:, None]).all()
    assert (distance == 0).all()
    assert all(len(set(row)) == NUM_NEAREST for row in nodes.tolist())


def test_listings_count_the_ends_that_list_the_other():
    line = np.concatenate([np.arange(40.0), [1000.0]])
    places = Positions(np.stack([line, 0 * line], axis=1), "plane")
    assert places.num_listings(np.array([(0, 1), (40, 39), (39, 40), (0, 40)])).tolist() == [2, 1, 1, 0]


def test_memory_is_checked_before_the_search(monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 100)
    with pytest.raises(MemoryLimitError, match="finding the nearest of 50 nodes takes about"):
        _ = Positions(np.zeros((50, 2)), "plane").nearest


def test_a_copy_of_any_matrix():
    assert Positions.of([[1, 2], [3, np.inf]]).is_known.tolist() == [True, False]
    with pytest.raises(InputError, match="one row per node, got shape"):
        Positions.of([1, 2, 3])
