"""The edges of an adjacency matrix: which values count, and whether they have directions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.value_columns import ValueColumns
from linkwl.typing import FloatArray, IntArray

_DENSE = 0.5
"""The share of pairs with a value from which real values are not edges but similarities of all pairs."""
_EQUAL = 1e-9
"""The largest difference, relative to the largest value, of two values that are the same but for rounding."""


class MatrixEdges(NamedTuple):
    """The edges of a matrix by row and column."""

    source: IntArray
    target: IntArray
    weight: FloatArray | None
    is_directed: bool
    notes: tuple[str, ...]


def matrix_edges(entries: sp.coo_array, values: ValueColumns, directed: bool | None, path: Path | None) -> MatrixEdges:
    """The edges of a square matrix: every value but 0, or every one of at least the threshold.

    A symmetric matrix is of an undirected graph, and so is a triangular one, which lists each edge once. The values are
    weights if requested; in an undirected graph the two values of an edge count as one weight if the matrix is
    symmetric, and are added otherwise.

    Raises:
        InputError: If a value is not finite, or nearly all pairs have a real value and there is no threshold.
    """
    _check_finite(entries, path)
    is_kept, notes = _kept(entries, values.threshold, path)
    source, target, data = entries.row[is_kept], entries.col[is_kept], entries.data[is_kept]
    shape = tuple(entries.shape)
    matrix = sp.csr_array((data.astype(np.float64), (source, target)), shape=shape)
    is_symmetric = _is_symmetric(matrix)
    is_directed = bool(directed)
    if directed is None and not is_symmetric:
        is_triangular = bool((source <= target).all() or (source >= target).all())
        is_directed = not is_triangular
        notes += ["undirected, as the matrix is triangular" if is_triangular else "directed, as it is not symmetric"]
    weight = None
    if values.weight:
        weight = data.astype(np.result_type(data.dtype, np.float32), copy=False)
        if is_symmetric and not is_directed and values.merge == "sum":
            weight = weight / 2  # every edge is listed in both directions
    notes += _weight_note(data, values)
    return MatrixEdges(source, target, weight, is_directed, tuple(notes))


def side_edges(entries: sp.coo_array, values: ValueColumns, path: Path | None) -> MatrixEdges:
    """The edges of a matrix of any shape, whose rows and columns are the two sides of a bipartite graph.

    Raises:
        InputError: If a value is not finite, or nearly all pairs have a real value and there is no threshold.
    """
    _check_finite(entries, path)
    is_kept, notes = _kept(entries, values.threshold, path, has_sides=True)
    data = entries.data[is_kept]
    weight = data.astype(np.result_type(data.dtype, np.float32), copy=False) if values.weight else None
    notes = ["two sides, the rows of the matrix and its columns", *notes, *_weight_note(data, values)]
    source, target = (ends[is_kept].astype(np.int64) for ends in (entries.row, entries.col))
    return MatrixEdges(source, target, weight, False, tuple(notes))


def _check_finite(entries: sp.coo_array, path: Path | None) -> None:
    if not np.isfinite(entries.data).all():
        raise InputError("the matrix holds NaN or infinite values; put 0 where there is no edge.", path=path)


def _weight_note(data: Any, values: ValueColumns) -> list[str]:
    if values.weight:
        return ["weight from the values of the matrix"]
    has_weights = len(data) and (data != data[0]).any()
    return ["values of the matrix not used as weights (to use: --weight yes)"] if has_weights else []


def _kept(
    entries: sp.coo_array, threshold: float | None, path: Path | None, *, has_sides: bool = False
) -> tuple[Any, list[str]]:
    """Which values are edges, and the notes on it."""
    data = entries.data
    is_pair = np.ones(len(data), dtype=np.bool_) if has_sides else entries.row != entries.col
    pairs = data[is_pair]
    if threshold is None:
        num_rows, num_columns = entries.shape
        num_pairs = num_rows * num_columns if has_sides else num_rows * (num_rows - 1)
        is_dense = np.count_nonzero(pairs) > max(_DENSE * num_pairs, 5)
        if is_dense and data.dtype.kind == "f" and (pairs != np.round(pairs)).any():
            low, high = float(pairs.min()), float(pairs.max())
            raise InputError(
                f"{np.count_nonzero(pairs) / num_pairs:.0%} of the pairs have a value, {low:.3g} to {high:.3g}, as "
                "in a matrix of correlations; say from which value on a pair is an edge with --threshold, as in "
                f"--threshold {high / 2:.2g}.",
                path=path,
            )
        return data != 0, []
    if not np.isfinite(threshold):
        raise InputError(f"a threshold must be a finite number, got {threshold}.", path=path)
    is_kept = (data >= threshold) & (data != 0) & is_pair
    if not is_kept.any():
        problem = f"no value of a pair is at least {threshold:g}; the largest is {pairs.max(initial=0):.3g}."
        raise InputError(problem, path=path)
    notes = [f"edges where the value is at least {threshold:g}"]
    if threshold > 0 and (opposite := int(np.count_nonzero(pairs <= -threshold))):
        notes.append(f"{opposite:,} values of {-threshold:g} and below not used")
    return is_kept, notes


def _is_symmetric(matrix: sp.csr_array) -> bool:
    difference = abs(matrix - matrix.T)
    largest = abs(matrix.data).max(initial=0)
    return bool((difference.data <= _EQUAL * largest).all())
