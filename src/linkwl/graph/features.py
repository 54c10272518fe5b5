"""Node features: checks of a feature matrix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.typing import FloatArray

Features: TypeAlias = FloatArray | sp.csr_array
"""One row per node: a dense float32 array or a sparse float32 CSR array."""


def checked_features(matrix: Any, *, path: Path | None = None, lines: Sequence[int] | None = None) -> Features:
    """A copy of the matrix as float32, dense or sparse like the original.

    Args:
        matrix: Numbers, shape ``(num_nodes, num_features)``.
        path: The file, for error messages.
        lines: The line of each row in that file, for error messages.

    Raises:
        InputError: If a value is NaN or infinite (in float32), or the matrix is not two-dimensional or not numeric.
    """
    if matrix.dtype.kind not in "biuf":
        raise InputError(f"features must be real numbers, got {matrix.dtype}; encode them as numbers.", path=path)
    if len(matrix.shape) != 2 or matrix.shape[1] == 0:
        raise InputError(f"features must be a matrix with one row per node, got shape {matrix.shape}.", path=path)
    with np.errstate(over="ignore"):  # values too large for float32 become infinite, and are refused below
        if sp.issparse(matrix):
            features = sp.csr_array(matrix, dtype=np.float32, copy=True)
            features.sum_duplicates()
            row, column = _first_bad_entry(features)
        else:
            features = np.array(matrix, dtype=np.float32, order="C")
            row, column = _first_bad(features)
    if row >= 0:
        line = None if lines is None else lines[row]
        place = f"feature {column + 1} of row {row + 1}" if line is None else f"feature {column + 1}"
        raise InputError(f"{place} is not a finite number; replace missing and infinite values.", path=path, line=line)
    return features


def _first_bad(features: FloatArray) -> tuple[int, int]:
    is_bad = ~np.isfinite(features)
    row = int(np.argmax(is_bad.any(axis=1))) if len(features) else 0
    return (row, int(np.argmax(is_bad[row]))) if is_bad.any() else (-1, -1)


def _first_bad_entry(features: sp.csr_array) -> tuple[int, int]:
    entries = np.flatnonzero(~np.isfinite(features.data))
    if len(entries) == 0:
        return -1, -1
    row = int(np.searchsorted(features.indptr, entries[0], side="right")) - 1
    return row, int(features.indices[entries[0]])


def seal_features(features: Features | None, num_nodes: int) -> None:
    """Makes the features of a graph read-only.

    Raises:
        ValueError: If there is not one row per node.
    """
    if features is None:
        return
    if isinstance(features, np.ndarray):
        features.setflags(write=False)
    else:
        for array in (features.data, features.indices, features.indptr):
            array.setflags(write=False)
    if features.shape[0] != num_nodes:
        raise ValueError(f"`features` must have one row per node ({num_nodes}), got {features.shape[0]} rows.")
