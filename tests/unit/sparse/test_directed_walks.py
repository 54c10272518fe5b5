"""Directed walks by meeting in the middle against products of dense matrices."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import walks
from linkwl.sparse.directed_walks import CLOSED, DirectedEdges, DirectedWalkTable, patterns, turned


def random_graph(num_nodes: int = 30, num_edges: int = 70, seed: int = 0) -> Graph:
    """A hub, edges in both directions, isolated nodes."""
    generator = np.random.default_rng(seed)
    pairs = generator.integers(num_nodes - 3, size=(num_edges, 2))
    hub = [(v, 0) for v in range(1, 15)] + [(0, v) for v in range(10, 20)]
    return Graph.from_pairs(np.concatenate([pairs, hub, pairs[:9, ::-1]]), num_nodes, is_directed=True)


def table_and_matrix(graph: Graph, steps: int, seed: int = 0) -> tuple[DirectedWalkTable, np.ndarray]:
    """The table of a graph with random weights, and its weighted matrix."""
    matrix = np.random.default_rng(seed).uniform(0.2, 1, (graph.num_nodes, graph.num_nodes))
    matrix *= graph.to_scipy().toarray()
    sides = (DirectedEdges(side.rowptr, side.col, m[tuple(side.edges.T)]) for side, m in both(graph, matrix))
    return DirectedWalkTable(*sides, steps), matrix


def both(graph, matrix):
    return ((graph, matrix), (graph.reversed, matrix.T))


def dense(matrix: np.ndarray, pattern: str) -> np.ndarray:
    return reduce(np.matmul, [matrix if sign == "+" else matrix.T for sign in pattern])


@pytest.mark.parametrize("steps", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("block_bytes", [1, 1 << 29])
def test_walks_are_the_entries_of_products(monkeypatch, steps, block_bytes):
    monkeypatch.setattr(walks, "BYTES_PER_BLOCK", block_bytes)
    graph = random_graph()
    table, matrix = table_and_matrix(graph, steps)
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(150, 2))
    between, closed = table.at(pairs)
    names = patterns(steps)
    assert between.shape == (150, len(names)) and len(names) == {2: 4, 3: 12, 4: 14, 5: 16, 8: 22}[steps]
    for column, pattern in enumerate(names):
        np.testing.assert_allclose(between[:, column], dense(matrix, pattern)[tuple(pairs.T)], rtol=1e-12)
    for column, pattern in enumerate(CLOSED):
        np.testing.assert_allclose(closed[:, :, column], np.diag(dense(matrix, pattern))[pairs], rtol=1e-12)


def test_every_short_walk_back_is_one_of_those_listed():
    walked = {pattern for pattern in patterns(3)}
    assert walked == {either for pattern in CLOSED for either in (pattern, turned(pattern))} | {"--"}
    assert turned("++-") == "+--" and turned("--") == "++"


def test_a_pair_does_not_depend_on_company_and_its_reverse_is_walked_the_other_way():
    graph = random_graph()
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(60, 2))
    between, closed = table_and_matrix(graph, 5)[0].at(pairs)
    for i in range(0, 60, 7):
        alone = table_and_matrix(graph, 5)[0].at(pairs[[i]])
        assert np.array_equal(alone.between[0], between[i])
        assert np.array_equal(alone.closed[0], closed[i])
    back = table_and_matrix(graph, 5)[0].at(pairs[:, ::-1])
    order = [patterns(5).index(turned(pattern)) for pattern in patterns(5)]
    np.testing.assert_allclose(back.between[:, order], between, rtol=1e-12)


def test_rows_of_all_nodes_are_kept_once_they_pay():
    graph = random_graph()
    pairs = np.random.default_rng(1).integers(graph.num_nodes, size=(60, 2))
    table = table_and_matrix(graph, 4)[0]
    first, second, third = (table.at(pairs) for _ in range(3))
    assert table._all is not None
    assert np.array_equal(first.between, third.between) and np.array_equal(second.closed, third.closed)


def test_no_edges_no_pairs_and_too_few_steps():
    empty = Graph.from_pairs([], 3, is_directed=True)
    table = table_and_matrix(empty, 4)[0]
    assert not table.at(np.array([(0, 1), (2, 2)])).between.any()
    assert table.at(np.empty((0, 2))).closed.shape == (0, 2, len(CLOSED))
    with pytest.raises(ValueError, match="`steps` must be at least 2, got 1"):
        table_and_matrix(empty, 1)
