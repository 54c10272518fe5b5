"""Reads node features from a file, in the order of a graph's nodes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.column_words import NODE_NAMES, column_key
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.node_table import NodeTable, TableOptions, column_table, matrix_table
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Dialect, Rows, detect_dialect, is_number
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.node_rows import RowsError, node_column
from linkwl.graph.readers.numpy_file import load_dense, load_sparse
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns

_PLAIN = TableOptions()


def read_features(path: Path, ids: NodeIds, options: TableOptions = _PLAIN) -> NodeTable:
    """The rows of a file in the order of the nodes ``ids``.

    Text and Parquet files name the node in a column (``node``, ``id``, else the first). The other columns of Parquet
    files, and of texts with a header, may be of any kind; see
    :func:`~linkwl.graph.attribute_columns.understand_columns`. A text without a header is a matrix of numbers. Row i of
    a ``.npy`` or sparse ``.npz`` matrix belongs to the node with id i.

    Raises:
        InputError: If the file cannot be read, a value is invalid, or its nodes are not the graph's.
    """
    check_file(path)
    ending = path.suffix.lower()
    if ending in (".npy", ".npz"):
        return _from_numpy(path, ids, options)
    return (_from_parquet if ending in (".parquet", ".pq") else _from_text)(path, ids, options)


def _from_numpy(path: Path, ids: NodeIds, options: TableOptions) -> NodeTable:
    if not ids.are_numbers:
        raise InputError(
            f"rows of a {path.suffix} file are matched by whole-number ids, but this graph's nodes have names "
            f"(as {ids[0]!r}); give the features as CSV or Parquet with a column of names.",
            path=path,
        )
    matrix = load_dense(path) if path.suffix.lower() == ".npy" else load_sparse(path)
    num_rows = matrix.shape[0] if matrix.shape else 0
    return matrix_table(matrix, pa.array(np.arange(num_rows)), ids, options, path)


def _from_parquet(path: Path, ids: NodeIds, options: TableOptions) -> NodeTable:
    file = open_parquet(path)
    names = list(file.schema_arrow.names)
    node = node_column(names)
    columns = read_parquet_columns(file, names, path)
    nodes = id_column(columns.pop(node), names.pop(node), path)
    try:
        return column_table(names, columns, nodes, ids, options, path)
    except RowsError as error:
        raise error.read_as(f"the nodes were read from column `{file.schema_arrow.names[node]}`") from None


def _from_text(path: Path, ids: NodeIds, options: TableOptions) -> NodeTable:
    content = read_text(path)
    expected = "a node id and its features per line"
    dialect = detect_dialect(content, path, expected=expected, is_header=partial(_is_header, ids))
    node = node_column(list(dialect.header or ()))
    columns = _parse(content, dialect, node, path)
    lines = [number for number, _, line in numbered_lines(content) if number >= dialect.first_line and line.strip()]
    nodes = pc.utf8_trim_whitespace(columns.pop(node))
    try:
        if dialect.header is None:
            return matrix_table(_matrix(columns, len(nodes)), nodes, ids, options, path, lines)
        names = [name or f"column {k + 1}" for k, name in enumerate(dialect.header) if k != node]
        return column_table(names, columns, nodes, ids, options, path, lines)
    except RowsError as error:
        if dialect.header is None:
            raise error.read_as(
                "the first line was read as a row, not as a header; if it is one, call its column of nodes `node`"
            ) from None
        where = f"column `{dialect.header[node]}`" if dialect.header[node] else f"column {node + 1}"
        raise error.read_as(
            f"the first line was read as the header, with the nodes in {where}; if it is a row, put a header such as "
            "`node,x` above it"
        ) from None


def _parse(content: pa.Buffer, dialect: Dialect, node: int, path: Path) -> list[pa.ChunkedArray]:
    """The columns of a text: all of numbers if possible; else, below a header, all of texts."""
    numbers = dict.fromkeys(range(dialect.num_columns), pa.float32()) | {node: pa.string()}
    try:
        return parse_columns(content, dialect, numbers)
    except pa.ArrowInvalid as error:
        if dialect.header is None:
            raise explain_bad_text(content, dialect, path, partial(_problem_in, node)) from error
    try:
        return parse_columns(content, dialect, dict.fromkeys(range(dialect.num_columns), pa.string()))
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error


def _is_header(ids: NodeIds, rows: Rows) -> bool:
    """Whether the first row names the column of nodes, or has no number after its first field and is of no node."""
    first = rows[0]
    has_name = not first[0] or any(column_key(field) in NODE_NAMES for field in first)
    is_node = len(rows) > 1 and ids.find(pa.array(first[:1], pa.string()))[0] >= 0
    return has_name or not (is_node or any(is_number(field) for field in first[1:]))


def _matrix(columns: list[pa.ChunkedArray], num_rows: int) -> np.ndarray:
    matrix = np.empty((num_rows, len(columns)), dtype=np.float32)
    with np.errstate(over="ignore"):  # too large values become infinite, and are refused
        for k, column in enumerate(columns):
            matrix[:, k] = column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy()
    return matrix


def _problem_in(node: int, fields: list[str]) -> str | None:
    for k, field in enumerate(fields):
        if k != node and not is_number(field):
            return (
                f"feature {field!r} is not a number; without a header, features must be finite numbers (name the "
                "columns in a first line to give texts)."
            )
    return None
