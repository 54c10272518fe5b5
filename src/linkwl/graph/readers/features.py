"""Node features from a file, brought into the order of a graph's nodes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.types as pt

from linkwl.errors import InputError
from linkwl.graph.features import Features, checked_features
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import NODE_NAMES, Rows, column_key, detect_dialect, is_number
from linkwl.graph.readers.numpy_file import load_dense, load_sparse
from linkwl.graph.readers.parquet import id_column, open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns


def read_features(path: Path, ids: NodeIds) -> Features:
    """One row of features per node of ``ids``, in their order.

    Text and Parquet name the node in a column (``node``, ``id``, else the first); row i of a ``.npy`` or sparse
    ``.npz`` matrix belongs to the node with the whole number i as its id.

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
    node = _node_column(names)
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
    node = _node_column(list(dialect.header or ()))
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
    """Whether the first row names the column of nodes, or has no number beside its first field."""
    first = rows[0]
    has_name = not first[0] or any(column_key(field) in NODE_NAMES for field in first)
    return has_name or not any(is_number(field) for field in first[1:])


def _node_column(names: list[str]) -> int:
    keys = [column_key(name) for name in names]
    return next((keys.index(key) for key in NODE_NAMES if key in keys), 0)


def _matrix(columns: list[pa.ChunkedArray], num_rows: int) -> np.ndarray:
    matrix = np.empty((num_rows, len(columns)), dtype=np.float32)
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused as such
        for k, column in enumerate(columns):
            matrix[:, k] = column.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy()
    return matrix


def _row_of_node(
    names: pa.Array | pa.ChunkedArray, ids: NodeIds, path: Path, lines: list[int] | None = None
) -> np.ndarray:
    """Which row of the file belongs to each node; every node has exactly one, and no row is left over."""
    node = ids.find(names)

    def refuse(row: int, problem: str) -> InputError:
        return InputError(problem, path=path, line=lines[row] if lines else None)

    left_over = np.flatnonzero(node < 0)
    if len(left_over) == len(node):
        raise InputError("none of its node ids is in the graph: these are the features of another graph.", path=path)
    if len(left_over):
        name = names[int(left_over[0])].as_py()
        raise refuse(
            int(left_over[0]),
            f"{len(left_over)} rows are left over, the first for node {name!r}, which is not in the graph; "
            f"remove them, or declare a node without edges by the line `{name},{name}` in the edge list.",
        )
    count = np.bincount(node, minlength=len(ids))
    if count.max() > 1:
        row = int(np.flatnonzero(node == int(np.argmax(count > 1)))[1])
        raise refuse(row, f"node {names[row].as_py()!r} has a second row of features; keep one.")
    if count.min() == 0:
        missing = np.flatnonzero(count == 0)
        raise InputError(
            f"{len(missing)} of {len(ids)} nodes have no row of features, the first is {ids[int(missing[0])]!r}; "
            "add a row for each (zeros if nothing is known).",
            path=path,
        )
    rows = np.empty(len(ids), dtype=np.int64)
    rows[node] = np.arange(len(node))
    return rows


def _problem_in(node: int, fields: list[str]) -> str | None:
    for k, field in enumerate(fields):
        if k != node and not is_number(field):
            return f"feature {field!r} is not a number; features must be finite numbers."
    return None
