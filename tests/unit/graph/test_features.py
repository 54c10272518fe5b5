from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.features import checked_features


@pytest.mark.parametrize("kind", ["?", "i1", "u8", "f2", "f4", ">f8"])
def test_any_real_numbers_become_float32(kind):
    matrix = np.array([[0, 1], [1, 0]], dtype=kind)
    dense = checked_features(matrix)
    assert dense.dtype == np.float32
    assert dense.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_stays_sparse(form):
    matrix = sp.csr_array(np.array([[0, 2.5], [0, 0], [1, 0]])).asformat(form)
    features = checked_features(matrix)
    assert sp.issparse(features)
    assert (features.format, features.dtype, features.nnz) == ("csr", np.float32, 2)
    assert np.array_equal(features.toarray(), matrix.toarray())


def test_copies_of_a_sparse_entry_are_summed():
    features = checked_features(sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2)))
    assert features.toarray().tolist() == [[0, 3], [0, 0]]
    assert features.nnz == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e39, -1e300])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_the_first_value_that_is_not_finite_is_named(make, bad):
    matrix = np.zeros((4, 3))
    matrix[2, 1] = matrix[3, 0] = bad
    with pytest.raises(InputError, match="^feature 2 of row 3 is not a finite number"):
        checked_features(make(matrix))
    with pytest.raises(InputError, match="^x.csv, line 30: feature 2 is not a finite number") as caught:
        checked_features(make(matrix), path="x.csv", lines=[10, 20, 30, 40])
    assert caught.value.line == 30


@pytest.mark.parametrize("shape", [(), (3,), (3, 0), (2, 2, 2)])
def test_features_are_a_matrix(shape):
    with pytest.raises(InputError, match="one row per node"):
        checked_features(np.zeros(shape))


@pytest.mark.parametrize("kind", ["U1", "S1", "c8", "M8[D]", "O", [("a", "f4")]])
def test_features_are_numbers(kind):
    with pytest.raises(InputError, match="must be real numbers"):
        checked_features(np.zeros((2, 2), dtype=kind))
