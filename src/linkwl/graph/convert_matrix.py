"""Graphs from matrices: a row and a column per node, or rows on one side and columns on the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.build import build_graph
from linkwl.graph.csr import MAX_NODES
from linkwl.graph.graph import Graph
from linkwl.graph.matrix_edges import matrix_edges, side_edges
from linkwl.graph.name_maps import map_nodes
from linkwl.graph.reading import Choice
from linkwl.graph.sided_ids import SidedIds
from linkwl.graph.value_columns import NOTHING, ValueColumns

_MOST_EMPTY_ROWS = 10_000_000


def from_matrix(
    matrix: Any,
    *,
    name: str,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    form: str = "sparse matrix",
    path: Path | None = None,
    labels: pa.Array | None = None,
    columns: pa.Array | None = None,
    bipartite: Choice = None,
) -> Graph:
    """A graph from an adjacency matrix; nodes are its rows, edges those of :func:`matrix_edges`.

    It is undirected if the matrix is symmetric or triangular, else directed, unless ``directed`` is given. With
    ``bipartite`` the rows are the nodes on the left and the columns those on the right; ``"auto"`` does so if the
    matrix is not square.

    Args:
        matrix: Numbers, dense or sparse.
        name: The graph's name.
        directed: Whether to keep directions.
        values: Whether values are weights, and which are edges.
        form: The kind of source, in words.
        path: The file, for error messages.
        labels: The names of the rows; by default their numbers from 0.
        columns: The names of the columns, of two sides; by default those of the rows if the matrix is square.
        bipartite: Whether rows and columns are two sides.

    Raises:
        InputError: If it is no adjacency matrix, or two rows have the same name.
    """
    if values.time or values.weight not in (None, False, True):
        values.refuse("a column of a matrix", "its values are weights, read with `weight=True`", path)
    is_square = len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1]
    if bipartite is True or (bipartite == "auto" and not is_square):
        return _of_two_sides(matrix, name, directed, values, form, path, labels, columns)
    check_adjacency(matrix.shape, matrix.dtype, path)
    edges = matrix_edges(sp.coo_array(matrix), values, directed, path)
    if labels is None:
        return Graph.from_columns(
            edges.source,
            edges.target,
            matrix.shape[0],
            is_directed=edges.is_directed,
            name=name,
            form=form,
            notes=edges.notes,
            weight=edges.weight,
            merge=values.merge,
        )
    graph = build_graph(
        pa.chunked_array([labels.take(pa.array(edges.source))]),
        pa.chunked_array([labels.take(pa.array(edges.target))]),
        nodes=labels,
        is_directed=edges.is_directed,
        name=name,
        form=form,
        notes=edges.notes,
        path=path,
        weight=edges.weight,
        merge=values.merge,
    )
    if graph.num_nodes < len(labels):
        raise InputError("two rows of the matrix have the same label; rename one of them.", path=path)
    return graph


def check_adjacency(
    shape: Sequence[int], dtype: np.dtype[Any], path: Path | None = None, *, has_sides: bool = False
) -> None:
    """Raises InputError unless a matrix of this shape and type can be an adjacency matrix."""
    if len(shape) != 2 or (shape[0] != shape[1] and not has_sides):
        found = " x ".join(str(size) for size in shape)
        problem = (
            f"an adjacency matrix must be square, this one is {found}; give it a row and a column per node, or use "
            "--bipartite if rows and columns are two kinds of things."
        )
        raise InputError(problem, path=path)
    if dtype.kind not in "biuf":
        raise InputError(f"an adjacency matrix must hold numbers, this one holds {dtype}.", path=path)
    num_nodes = sum(shape) if has_sides else shape[0]
    if num_nodes > MAX_NODES:
        raise InputError(f"the matrix has {num_nodes} nodes, at most {MAX_NODES} are possible.", path=path)


def check_empty_rows(num_rows: int, num_entries: int, path: Path | None) -> None:
    """Raises InputError if a sparse matrix has far more rows than entries: a tiny file could take all memory."""
    if num_rows - 2 * num_entries > _MOST_EMPTY_ROWS:
        raise InputError(
            f"the matrix has {num_rows:,} rows and only {num_entries:,} entries; remove the empty rows and columns, or "
            "write an edge list.",
            path=path,
        )


def _of_two_sides(
    matrix: Any,
    name: str,
    directed: bool | None,
    values: ValueColumns,
    form: str,
    path: Path | None,
    labels: pa.Array | None,
    columns: pa.Array | None,
) -> Graph:
    """The graph whose nodes on the left are the rows of a matrix, and on the right its columns."""
    if directed:
        raise InputError("the two sides already tell the ends apart; leave out --directed.", path=path)
    check_adjacency(matrix.shape, matrix.dtype, path, has_sides=True)
    entries = sp.coo_array(matrix)
    num_left, num_right = entries.shape
    check_empty_rows(num_left + num_right, entries.nnz, path)
    if columns is None and num_left == num_right:
        columns = labels
    sides = [
        pa.array(np.arange(size)) if names is None else names
        for size, names in ((num_left, labels), (num_right, columns))
    ]
    ((left,), left_ids), ((right,), right_ids) = (map_nodes([side], path) for side in sides)
    for size, ids, what in ((num_left, left_ids, "rows"), (num_right, right_ids, "columns")):
        if len(ids) < size:
            raise InputError(f"two {what} of the matrix have the same label; rename one of them.", path=path)
    edges = side_edges(entries, values, path)
    return Graph.from_columns(
        left[edges.source],
        right[edges.target] + num_left,
        num_left + num_right,
        ids=SidedIds(left_ids, right_ids),
        is_directed=False,
        name=name,
        form=form,
        notes=edges.notes,
        weight=edges.weight,
        merge=values.merge,
        part=np.repeat(np.array([0, 1], dtype=np.int8), [num_left, num_right]),
    )
