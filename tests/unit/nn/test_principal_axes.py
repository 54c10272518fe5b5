"""The leading axes, against the dense decomposition."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.nn.principal_axes import principal_axes


def random_matrix(num_rows, num_columns, seed=0):
    generator = np.random.default_rng(seed)
    return generator.normal(size=(num_rows, num_columns)) * (generator.random((num_rows, num_columns)) < 0.5)


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (12, 12)])
def test_they_are_the_leading_singular_vectors(shape):
    table = random_matrix(*shape)
    axes = principal_axes(sp.csr_array(table), 5, seed=0)
    _, _, right = np.linalg.svd(table)
    np.testing.assert_allclose(np.abs(axes), np.abs(right[:5].T), atol=1e-9)


@pytest.mark.parametrize("shape", [(30, 12), (12, 30)])
def test_low_rank_gives_fewer_of_them_and_the_same_bits(shape):
    table = random_matrix(*shape)
    table[:, shape[1] // 2 :] = table[:, : shape[1] // 2]
    table[shape[0] // 2 :] = 0
    rank = np.linalg.matrix_rank(table)
    assert rank < 10
    first, second = (principal_axes(sp.csr_array(table), 10, seed=3) for _ in range(2))
    assert first.shape == (shape[1], rank)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(table @ first @ first.T, table, atol=1e-9)
