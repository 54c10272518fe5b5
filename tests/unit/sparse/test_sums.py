from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.graph import Graph
from linkwl.sparse import neighbour_sum, reference, segment_sum
from linkwl.sparse.sums import weighted_row_sums


@pytest.mark.parametrize("channels", [0, 1, 5])
@pytest.mark.parametrize("counts", [[], [0], [3, 0, 2], [0, 0, 7]])
def test_adds_consecutive_rows(counts, channels):
    values = np.random.default_rng(0).standard_normal((sum(counts), channels))
    ptr = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int64)
    expected = [values[start:stop].sum(axis=0) for start, stop in zip(ptr, ptr[1:], strict=False)]
    out = segment_sum(values, ptr)
    assert out.shape == (len(counts), channels)
    np.testing.assert_allclose(out, np.reshape(expected, out.shape), atol=1e-12)


def test_the_bits_do_not_depend_on_the_number_of_threads(monkeypatch):
    generator = np.random.default_rng(0)
    ptr = np.concatenate([[0], np.cumsum(generator.integers(0, 30, 4000))])
    values = generator.standard_normal((ptr[-1], 16)).astype(np.float32)
    results = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(segment_sum(values, ptr))
    assert results[0].dtype == np.float32
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("shift", [0.0, -1.0, 1.0])
@pytest.mark.parametrize("width", [1, 3, 64])
@pytest.mark.parametrize("num_edges", [0, 20, 200])
def test_neighbour_sum_agrees_with_the_reference(num_edges, width, shift):
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


def random_rows(num_rows, num_columns, density=0.2, seed=0, dtype=np.float64):
    """A sparse matrix with empty rows and columns."""
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(num_rows, num_columns)) * (generator.random((num_rows, num_columns)) < density)
    table[::3] = 0
    return sp.csr_array(table.astype(dtype))


def run(matrix, x, index_type=np.int32, start=0, stop=None, out=None):
    out = np.full((matrix.shape[0], x.shape[1]), np.nan, dtype=x.dtype) if out is None else out
    rowptr, col = matrix.indptr.astype(np.int64), matrix.indices.astype(index_type)
    weighted_row_sums(rowptr, col, matrix.data, x, start, matrix.shape[0] if stop is None else stop, out)
    return out


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-12)])
@pytest.mark.parametrize("shape", [(9, 7, 3), (1, 1, 1), (4, 5, 0), (0, 3, 2), (30, 200, 16)])
def test_it_is_a_matrix_product(shape, dtype, tolerance, index_type):
    num_rows, num_columns, width = shape
    matrix = random_rows(num_rows, num_columns, dtype=dtype)
    x = np.random.default_rng(1).normal(size=(num_columns, width)).astype(dtype)
    out = run(matrix, x, index_type)
    assert out.dtype == dtype
    np.testing.assert_allclose(out, matrix.toarray() @ x, rtol=0, atol=tolerance)


def test_rows_without_entries_become_zero():
    matrix = sp.csr_array((4, 3), dtype=np.float64)
    np.testing.assert_array_equal(run(matrix, np.ones((3, 2))), np.zeros((4, 2)))


def test_rows_outside_the_range_are_left_alone():
    matrix, x = random_rows(9, 7), np.ones((7, 2))
    out = run(matrix, x, start=2, stop=5)
    assert np.isnan(out[:2]).all()
    assert np.isnan(out[5:]).all()
    np.testing.assert_array_equal(out[2:5], run(matrix, x)[2:5])


def test_an_entry_that_stands_twice_counts_twice():
    matrix = sp.csr_array((np.array([2.0, 3.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 2))
    np.testing.assert_array_equal(run(matrix, np.array([[1.0], [10.0]])), [[50.0]])
