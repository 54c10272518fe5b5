"""Rows of sums over common neighbours against the same sums pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from graphs import random_rows
from linkwl.graph import Graph
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.common_rows import common_neighbour_rows


@pytest.mark.parametrize("is_directed", [False, True])
def test_rows_have_the_bits_of_pairs(is_directed):
    graph = Graph.from_pairs(random_rows(50, 300), 50, is_directed=is_directed)
    weight = np.random.default_rng(0).random(50)
    sources = np.array([7, 0, 49, 7])
    rows = common_neighbour_rows(graph.rowptr, graph.col, sources, weight)
    pairs = np.stack([np.repeat(sources, 50), np.tile(np.arange(50), 4)], axis=1)
    arriving = graph.reversed
    transposed = (arriving.rowptr, arriving.col) if is_directed else None
    expected = common_neighbour_sums(graph.rowptr, graph.col, pairs, weight[:, None], transposed=transposed)
    assert expected.any()
    assert np.array_equal(rows.ravel(), expected[:, 0])
