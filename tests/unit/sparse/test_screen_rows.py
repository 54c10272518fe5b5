"""Rows in single precision against plain sums in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse.screen_rows import LANES, fill_products, fill_squares, fill_walks, log_scale, perceive
from walk_cases import random_graph, symmetric_weight


def test_the_logarithm_is_that_to_base_two_about():
    x = np.geomspace(1e-5, 10, 1000)
    found = log_scale(x)
    assert np.abs(found - np.log2(x) - 127).max() < 0.1
    assert (np.diff(found) > 0).all()
    assert np.isfinite(log_scale(np.zeros(2))).all()


def test_walks_are_the_rows_of_powers():
    graph = random_graph()
    weight = symmetric_weight(graph)
    out = np.full((graph.num_nodes, 7, LANES), np.nan, dtype=np.float32)
    sources = np.array([0, 5, 39])
    fill_walks(graph.rowptr, graph.col, weight.astype(np.float32), 4, sources, out, 1)
    matrix = np.zeros((graph.num_nodes, graph.num_nodes))
    matrix[np.repeat(np.arange(graph.num_nodes), graph.degree), graph.col] = weight
    for k in range(5):
        expected = np.linalg.matrix_power(matrix, k)[sources].T
        assert np.allclose(out[:, 1 + k, :3], expected, rtol=1e-5, atol=1e-7)
        assert not out[:, 1 + k, 3:].any()
    assert np.isnan(out[:, [0, 6]]).all()


def test_products_and_distances_of_vectors():
    vectors = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    out = np.full((9, 2, LANES), np.nan, dtype=np.float32)
    sources = np.array([4, 8])
    fill_products(vectors, sources, 2, out, 0)
    fill_squares(vectors, sources, 2, out, 1)
    assert np.isnan(out[:2]).all()
    assert np.allclose(out[2:, 0, :2], vectors[2:] @ vectors[sources].T, atol=1e-5)
    gaps = ((vectors[2:, None] - vectors[sources]) ** 2).sum(axis=2)
    assert np.allclose(out[2:, 1, :2], gaps, atol=1e-5)


@pytest.mark.parametrize("first", [0, 5])
def test_the_perceptron_is_two_layers_and_a_sum(first):
    generator = np.random.default_rng(1)

    def draw(*shape: int) -> np.ndarray:
        return generator.normal(size=shape).astype(np.float32)

    inputs, chosen, is_log = np.abs(draw(21, 4, LANES)), np.array([3, 0, 2]), np.array([True, False, True])
    pair, source, target, middle, bias, last = draw(3, 8), draw(8, LANES), draw(21, 8), draw(8, 8), draw(8), draw(8)
    out = np.full((LANES, 21), np.nan, dtype=np.float32)
    perceive(inputs, chosen, is_log, pair, source, target, middle, bias, last, first, out)
    x = inputs[:, chosen].transpose(0, 2, 1)
    x = np.where(is_log, log_scale(np.ascontiguousarray(x)), x).astype(np.float64)
    hidden = np.maximum(x @ pair + source.T + target[:, None], 0)
    expected = (np.maximum(hidden @ middle.T + bias, 0) @ last).T
    assert np.allclose(out[:, first:], expected[:, first:], rtol=1e-4, atol=1e-2)
    assert np.isnan(out[:, :first]).all()
