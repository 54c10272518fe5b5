"""Whole rows of powers against dense powers and against walks that meet in the middle."""

from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import walk_rows, walks
from linkwl.sparse.walk_rows import source_and_target, walks_from
from linkwl.sparse.walks import WalkTable
from walk_cases import dense_powers, random_graph, symmetric_weight


def chain_of_cliques(count: int = 60, size: int = 4) -> Graph:
    """A long graph, in which the nodes near a target are few."""
    inside = [(size * c + i, size * c + j) for c in range(count) for i in range(size) for j in range(i)]
    return Graph.from_pairs(np.array(inside + [(size * c - 1, size * c) for c in range(1, count)]), size * count)


@pytest.mark.parametrize("steps", [2, 3, 6, 11])
@pytest.mark.parametrize("graph", [random_graph(), chain_of_cliques()], ids=["random", "chain"])
@pytest.mark.parametrize("threads_bytes", [0, 1 << 30])
def test_rows_are_the_rows_of_powers(monkeypatch, graph, steps, threads_bytes):
    monkeypatch.setattr(walk_rows, "BYTES_OF_THREADS", threads_bytes)
    weight = symmetric_weight(graph)
    generator = np.random.default_rng(steps)
    source = np.repeat(generator.permutation(graph.num_nodes)[:19], 5)
    near = np.clip(source + generator.integers(-6, 7, size=len(source)), 0, graph.num_nodes - 1)
    for target in (near, generator.integers(graph.num_nodes, size=len(source))):
        found = walks_from(graph.rowptr, graph.col, weight, steps, source, target)
        for k, power in enumerate(dense_powers(graph, weight, steps)):
            assert np.allclose(found[:, k], power[source, target], rtol=1e-12, atol=1e-15)


def test_bits_do_not_depend_on_other_pairs_or_threads(monkeypatch):
    graph = chain_of_cliques()
    weight, generator = symmetric_weight(graph), np.random.default_rng(0)
    source, target = np.repeat(np.arange(40), 30), generator.integers(graph.num_nodes, size=1200)
    target[:600] = np.clip(source[:600] + generator.integers(5, size=600), 0, graph.num_nodes - 1)
    found = walks_from(graph.rowptr, graph.col, weight, 7, source, target)
    some = generator.permutation(1200)[:50]
    assert np.array_equal(walks_from(graph.rowptr, graph.col, weight, 7, source[some], target[some]), found[some])
    monkeypatch.setenv("NUMBA_NUM_THREADS", "5")
    assert np.array_equal(walks_from(graph.rowptr, graph.col, weight, 7, source, target), found)


def test_no_pairs_and_no_edges():
    graph = Graph.from_pairs(np.empty((0, 2), dtype=np.int64), 3)
    nothing = np.empty(0, dtype=np.int64)
    weight = np.empty(0)
    assert walks_from(graph.rowptr, graph.col, weight, 3, nothing, nothing).shape == (0, 2)
    assert not walks_from(graph.rowptr, graph.col, weight, 3, np.array([0]), np.array([2])).any()


def test_the_source_is_the_end_in_more_pairs():
    source, target = source_and_target(np.array([[4, 1], [2, 4], [3, 0]]), 5)
    assert source.tolist() == [4, 4, 0]
    assert target.tolist() == [1, 2, 3]


def test_the_table_chooses_rows_where_pairs_share_a_source(monkeypatch):
    graph = random_graph(400, 1200)
    weight = symmetric_weight(graph)
    calls = []
    monkeypatch.setattr(walks, "walks_from", lambda *arguments: calls.append(1) or walks_from(*arguments))
    row = np.stack([np.full(400, 7), np.arange(400)], axis=1)
    by_rows = WalkTable(graph.rowptr, graph.col, weight, 6).at(row)
    assert calls
    calls.clear()
    one_by_one = [WalkTable(graph.rowptr, graph.col, weight, 6).at(row[[i]]) for i in range(400)]
    assert not calls
    for name in ("between", "closed"):
        expected = np.concatenate([getattr(values, name) for values in one_by_one])
        assert np.allclose(getattr(by_rows, name), expected, rtol=1e-12, atol=1e-15)
