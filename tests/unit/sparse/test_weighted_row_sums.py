from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.sparse.weighted_row_sums import weighted_row_sums


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
