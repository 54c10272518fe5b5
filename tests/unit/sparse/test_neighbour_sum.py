from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse import neighbour_sum, reference


@pytest.mark.parametrize("shift", [0.0, -1.0, 1.0])
@pytest.mark.parametrize("width", [1, 3, 64])
@pytest.mark.parametrize("num_edges", [0, 20, 200])
def test_agrees_with_the_reference(num_edges, width, shift):
    generator = np.random.default_rng(num_edges + width)
    graph = Graph.from_pairs(generator.integers(0, 30, (num_edges, 2)), num_nodes=33)
    left, right = generator.random((2, 33))
    x, out = generator.standard_normal((2, 33, width))
    expected = out.copy()
    reference.neighbour_sum(graph.rowptr, graph.col, left, right, x, shift, expected)
    neighbour_sum(graph.rowptr, graph.col, left, right, x, shift, out)
    np.testing.assert_allclose(out, expected, atol=1e-12)


def test_is_the_product_with_the_scaled_adjacency_matrix():
    path = Graph.from_pairs([(0, 1), (1, 2)], num_nodes=3)
    out = np.full((3, 1), 100.0)
    neighbour_sum(
        path.rowptr, path.col, np.array([1.0, 2.0, 3.0]), np.ones(3), np.array([[1.0], [10.0], [5.0]]), 0.0, out
    )
    assert out[:, 0].tolist() == [10, 12, 30]
