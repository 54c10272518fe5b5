"""Reads node features from a file, in the order of a graph's nodes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.types as pt

from linkwl.errors import InputError
from linkwl.graph.column_words import NODE_NAMES, column_key
from linkwl.graph.features import Features, checked_features
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Rows, detect_dialect, is_number
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.node_rows import node_column, row_of_node
from linkwl.graph.readers.numpy_file import load_dense, load_sparse
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns

_row_of_node = partial(
    row_of_node, file="the features", row="row of features", remedy="add a row for each (zeros if nothing is known)"
)


def read_features(path: Path, ids: NodeIds) -> Features:
    """One row of features per node of ``ids``, in their order.

    Text and Parquet files name the node in a column (``node``, ``id``, else the first); row i of a ``.npy`` or sparse
    ``.npz`` matrix belongs to the node with id i.

    Raises:
        InputError: If the file cannot be read, a value is not finite, or its nodes are not exactly the graph's.
    """
    check_file(path)
    ending = path.suffix.lower()
    if ending in (".npy", ".npz"):
        return _from_numpy(path, ids, load_dense(path) if ending == ".npy" else load_sparse(path))
    if ending in (".parquet", ".pq"):
        return _from_parquet(path, ids)
    return _from_text(path, ids)


def _from_numpy(path: Path, ids: NodeIds, matrix: object) -> Features:
    if not ids.are_numbers:
        raise InputError(
            f"rows of a {path.suffix} file are matched by whole-number ids, but this graph's nodes have names "
            f"(as {ids[0]!r}); give the features as CSV or Parquet with a column of names.",
            path=path,
        )
    features = checked_features(matrix, path=path)
    return features[_row_of_node(pa.array(np.arange(features.shape[0])), ids, path)]


def _from_parquet(path: Path, ids: NodeIds) -> Features:
    file = open_parquet(path)
    names = file.schema_arrow.names
    node = node_column(names)
    columns = read_parquet_columns(file, names, path)
    nodes = id_column(columns.pop(node), names.pop(node), path)
    for column, name in zip(columns, names, strict=True):
        if not (pt.is_integer(column.type) or pt.is_floating(column.type) or pt.is_boolean(column.type)):
            problem = f"column `{name}` has type {column.type}, expected numbers; drop it or encode it as numbers."
            raise InputError(problem, path=path)
    rows = _row_of_node(nodes, ids, path)
    return checked_features(_matrix(columns, len(nodes)), path=path)[rows]


def _from_text(path: Path, ids: NodeIds) -> Features:
    content = read_text(path)
    dialect = detect_dialect(content, path, expected="a node id and its features per line", is_header=_is_header)
    node = node_column(list(dialect.header or ()))
    types = dict.fromkeys(range(dialect.num_columns), pa.float32()) | {node: pa.string()}
    try:
        columns = parse_columns(content, dialect, types)
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path, partial(_problem_in, node)) from error
    lines = [number for number, _, line in numbered_lines(content) if number >= dialect.first_line and line.strip()]
    names = pa.compute.utf8_trim_whitespace(columns.pop(node))
    rows = _row_of_node(names, ids, path, lines)
    return checked_features(_matrix(columns, len(names)), path=path, lines=lines)[rows]


def _is_header(rows: Rows) -> bool:
    """Whether the first row names the column of nodes, or has no number after its first field."""
    first = rows[0]
    has_name = not first[0] or any(column_key(field) in NODE_NAMES for field in first)
    return has_name or not any(is_number(field) for field in first[1:])


def _matrix(columns: list[pa.ChunkedArray], num_rows: int) -> np.ndarray:
    matrix = np.empty((num_rows, len(columns)), dtype=np.float32)
    with np.errstate(over="ignore"):  # too large values become infinite, and are refused
        for k, column in enumerate(columns):
            matrix[:, k] = column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy()
    return matrix


def _problem_in(node: int, fields: list[str]) -> str | None:
    for k, field in enumerate(fields):
        if k != node and not is_number(field):
            return f"feature {field!r} is not a number; features must be finite numbers."
    return None
