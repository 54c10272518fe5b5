"""The directions in which the rows of a sparse matrix differ most."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, eigsh

from linkwl.typing import FloatArray

# As a share of the largest singular value: what is smaller is rounding.
_SMALLEST = 1e-6


def principal_axes(matrix: sp.csr_array, count: int, seed: int) -> FloatArray:
    """The leading right singular vectors of a matrix, as columns; the same bits for the same seed.

    Args:
        matrix: Real, with more than one row and column.
        count: How many at most, fewer than there are rows and columns. There are fewer where the rank is lower.
        seed: Where the search begins.

    Shape:
        - output: ``(num_columns, axes)``
    """
    num_rows, num_columns = matrix.shape
    rows = matrix if num_columns <= num_rows else matrix.T.tocsr()
    turned, size = rows.T.tocsr(), rows.shape[1]
    generator = np.random.default_rng(seed)
    product = LinearOperator((size, size), matvec=lambda x: turned @ (rows @ x), dtype=np.float64)
    # On a matrix of low rank the search starts anew from random numbers, which must be ours too.
    _, vectors = eigsh(product, k=count, v0=generator.standard_normal(size), tol=0, rng=generator)
    basis, _ = np.linalg.qr(vectors)
    left, values, inner = np.linalg.svd(rows @ basis, full_matrices=False)
    is_kept = values > _SMALLEST * values.max(initial=0)
    axes = basis @ inner.T if rows is matrix else left
    return axes[:, is_kept]
