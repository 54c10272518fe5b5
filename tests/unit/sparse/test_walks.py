"""Walks by meeting in the middle against dense powers."""

from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import walks
from linkwl.sparse.walks import WalkTable
from walk_cases import dense_powers, random_graph, symmetric_weight


@pytest.fixture(autouse=True)
def _without_whole_rows(monkeypatch):
    """Whole rows have tests of their own."""
    monkeypatch.setattr(walks, "_FEWEST_TARGETS", 1 << 60)


@pytest.mark.parametrize("steps", [2, 3, 4, 7, 12])
@pytest.mark.parametrize("block_bytes", [1, 5000, 1 << 29])
def test_walks_are_the_entries_of_powers(monkeypatch, steps, block_bytes):
    monkeypatch.setattr(walks, "BYTES_PER_BLOCK", block_bytes)
    graph = random_graph()
    weight = symmetric_weight(graph)
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(200, 2))
    between, closed = WalkTable(graph.rowptr, graph.col, weight, steps).at(pairs)
    for k, power in enumerate(dense_powers(graph, weight, steps)):
        assert np.allclose(between[:, k], power[pairs[:, 0], pairs[:, 1]], rtol=1e-12, atol=1e-15)
        for end in (0, 1):
            assert np.allclose(closed[:, end, k], power[pairs[:, end], pairs[:, end]], rtol=1e-12, atol=1e-15)


def test_a_pair_does_not_depend_on_company_or_direction(monkeypatch):
    graph = random_graph()
    weight = symmetric_weight(graph)
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(60, 2))
    between, closed = WalkTable(graph.rowptr, graph.col, weight, 5).at(pairs)
    turned = WalkTable(graph.rowptr, graph.col, weight, 5).at(pairs[::-1, ::-1])
    assert np.array_equal(turned.between[::-1], between)
    assert np.array_equal(turned.closed[::-1, ::-1], closed)
    for i in range(0, 60, 7):
        alone = WalkTable(graph.rowptr, graph.col, weight, 5).at(pairs[[i]])
        assert np.array_equal(alone.between[0], between[i])
        assert np.array_equal(alone.closed[0], closed[i])


def test_bits_do_not_depend_on_threads(monkeypatch):
    graph = random_graph(400, 3000)
    weight = symmetric_weight(graph)
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(3000, 2))
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        found.append(WalkTable(graph.rowptr, graph.col, weight, 6).at(pairs))
    assert np.array_equal(found[0].between, found[1].between)
    assert np.array_equal(found[0].closed, found[1].closed)


def test_nothing_to_do():
    graph = random_graph()
    between, closed = WalkTable(graph.rowptr, graph.col, symmetric_weight(graph), 3).at(np.empty((0, 2)))
    assert (between.shape, closed.shape) == ((0, 2), (0, 2, 2))
    empty = Graph.from_pairs(np.empty((0, 2), dtype=np.int64), 5)
    assert not WalkTable(empty.rowptr, empty.col, np.empty(0), 4).at(np.array([(0, 1), (2, 2)])).between.any()


def test_shorter_walks_are_edges():
    graph = random_graph()
    with pytest.raises(ValueError, match="`steps` must be at least 2, got 1"):
        WalkTable(graph.rowptr, graph.col, symmetric_weight(graph), 1)


@pytest.mark.parametrize("steps", [2, 5])
def test_rows_that_are_kept_give_the_same_bits(monkeypatch, steps):
    graph = random_graph()
    weight = symmetric_weight(graph)
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(200, 2))
    table = WalkTable(graph.rowptr, graph.col, weight, steps)
    assert table._all is None
    kept = [table.at(pairs) for _ in range(3)][-1]
    assert table._all is not None
    monkeypatch.setattr(walks, "BYTES_KEPT", 0)
    other = WalkTable(graph.rowptr, graph.col, weight, steps)
    fresh = [other.at(pairs) for _ in range(3)][-1]
    assert other._all is None
    assert np.array_equal(kept.between, fresh.between)
    assert np.array_equal(kept.closed, fresh.closed)


def test_rows_are_kept_by_what_those_of_all_nodes_take(monkeypatch):
    """Few entries at the ends that are asked for say nothing about the others."""
    quiet = [(2 * k, 2 * k + 1) for k in range(100)]
    dense = [(p, q) for p in range(200, 300) for q in range(p) if q >= 200]
    graph = Graph.from_pairs([*quiet, *dense], 300)
    monkeypatch.setattr(walks, "BYTES_KEPT", 10_000)
    table = WalkTable(graph.rowptr, graph.col, symmetric_weight(graph), 4)
    for _ in range(3):
        table.at(np.array(quiet))
    assert table._all is None
