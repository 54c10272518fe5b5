"""Reads node labels from a file, in the order of a graph's nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from linkwl.errors import InputError
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import NODE_NAMES, Rows, column_key, detect_dialect, is_number
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.node_rows import node_column, row_of_node
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns

_LABEL_NAME = "label"


def read_labels(path: Path, ids: NodeIds) -> NDArray[np.str_]:
    """One label per node of ``ids``, in their order.

    A text or Parquet table has a column of nodes (``node``, ``id``, else the first) and one of labels (``label``, else
    the only other one). Labels are strings: ``1`` and ``1.0`` are different labels.

    Raises:
        InputError: If the file cannot be read, a label is empty, or its nodes are not exactly the graph's.
    """
    check_file(path)
    ending = path.suffix.lower()
    if ending in (".npy", ".npz", ".mat"):
        problem = f"labels are not read from a {ending} file; write CSV or Parquet with columns `node` and `label`."
        raise InputError(problem, path=path)
    return _from_parquet(path, ids) if ending in (".parquet", ".pq") else _from_text(path, ids)


def _from_parquet(path: Path, ids: NodeIds) -> NDArray[np.str_]:
    file = open_parquet(path)
    names = file.schema_arrow.names
    if len(names) < 2:
        raise InputError(f"found {len(names)} columns, expected one of nodes and one of labels.", path=path)
    node, label = _choose_columns(names, len(names), path)
    nodes, labels = read_parquet_columns(file, [names[node], names[label]], path)
    try:
        texts = labels.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        problem = f"column `{names[label]}` has type {labels.type}, expected texts or numbers."
        raise InputError(problem, path=path) from error
    return _in_order(id_column(nodes, names[node], path), texts, ids, path)


def _from_text(path: Path, ids: NodeIds) -> NDArray[np.str_]:
    content = read_text(path)
    expected = "a node id and its label per line"
    dialect = detect_dialect(content, path, expected=expected, is_header=partial(_is_header, ids))
    node, label = _choose_columns(dialect.header or (), dialect.num_columns, path, dialect.first_line)
    try:
        nodes, labels = parse_columns(content, dialect, dict.fromkeys((node, label), pa.string()))
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    lines = [number for number, _, line in numbered_lines(content) if number >= dialect.first_line and line.strip()]
    return _in_order(pc.utf8_trim_whitespace(nodes), labels, ids, path, lines)


def _is_header(ids: NodeIds, rows: Rows) -> bool:
    """Whether the first row belongs to no node of the graph, and looks like column names.

    Column names are: usual names, words where nodes have numbers, or two words of which the second is no label below.
    """
    first, rest = rows[0], rows[1:]
    if ids.find(pa.array(first[:1], pa.string()))[0] >= 0:
        return False
    if any(column_key(field) in (*NODE_NAMES, _LABEL_NAME) for field in first):
        return True
    labels_nothing = len(first) == 2 and all(first[1:] != row[1:] for row in rest)
    return not is_number(first[0]) and (ids.are_numbers or labels_nothing)


def _choose_columns(names: Sequence[str], num_columns: int, path: Path, line: int | None = None) -> tuple[int, int]:
    """Which columns hold the nodes and the labels."""
    keys = [column_key(name) for name in names]
    if _LABEL_NAME in keys:
        label = keys.index(_LABEL_NAME)
        others = [k for k in range(num_columns) if k != label]
        return others[node_column([names[k] for k in others])], label
    if num_columns > 2:
        problem = f"{num_columns} columns, and nothing says which one holds the labels; name it `label` in a header."
        raise InputError(problem, path=path, line=line)
    node = node_column(names)
    return node, 1 - node


def _in_order(
    nodes: pa.ChunkedArray, labels: pa.ChunkedArray, ids: NodeIds, path: Path, lines: Sequence[int] | None = None
) -> NDArray[np.str_]:
    """The labels in node order, exactly one per node."""
    rows = row_of_node(nodes, ids, path, lines, file="the labels", row="label", remedy="add a row for each")
    labels = pc.utf8_trim_whitespace(labels).fill_null("")
    is_empty = pc.equal(labels, "").to_numpy()
    if is_empty.any():
        row = int(np.argmax(is_empty))
        problem = f"the label of node {nodes[row].as_py()!r} is empty; write one, such as `none`."
        raise InputError(problem, path=path, line=lines[row] if lines else None)
    return np.array(labels.to_pylist(), dtype=np.str_)[rows]
