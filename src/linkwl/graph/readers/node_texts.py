"""Texts of nodes from a file: a column of node ids and one of texts, such as labels or types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.column_words import NODE_NAMES, column_key
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Rows, detect_dialect, is_number
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.node_rows import node_column
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns


class NodeTexts(NamedTuple):
    """The rows of a file: a node and a text each."""

    nodes: pa.ChunkedArray
    texts: pa.ChunkedArray
    """Without spaces around them; none is empty."""
    lines: list[int] | None
    """The line of each row, if the file has lines."""


def read_node_texts(path: Path, ids: NodeIds, what: str) -> NodeTexts:
    """The rows of a text or Parquet table with a column of nodes and one of texts.

    The column of nodes is ``node``, ``id`` or similar, else the first; that of texts is called ``what``, or is the
    only other one.

    Raises:
        InputError: If the file cannot be read, or a text is empty.
    """
    check_file(path)
    ending = path.suffix.lower()
    if ending in (".npy", ".npz", ".mat"):
        problem = f"{what}s are not read from a {ending} file; write CSV or Parquet with columns `node` and `{what}`."
        raise InputError(problem, path=path)
    read = _from_parquet if ending in (".parquet", ".pq") else _from_text
    nodes, texts, lines = read(path, ids, what)
    texts = pc.utf8_trim_whitespace(texts).fill_null("")
    row = pc.index(texts, "").as_py()
    if row >= 0:
        problem = f"the {what} of node {nodes[row].as_py()!r} is empty; write one, such as `none`."
        raise InputError(problem, path=path, line=lines[row] if lines else None)
    return NodeTexts(nodes, texts, lines)


def _from_parquet(path: Path, ids: NodeIds, what: str) -> NodeTexts:
    file = open_parquet(path)
    names = file.schema_arrow.names
    if len(names) < 2:
        raise InputError(f"found {len(names)} columns, expected one of nodes and one of {what}s.", path=path)
    node, label = _choose_columns(names, len(names), what, path)
    nodes, labels = read_parquet_columns(file, [names[node], names[label]], path)
    try:
        texts = labels.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        problem = f"column `{names[label]}` has type {labels.type}, expected texts or numbers."
        raise InputError(problem, path=path) from error
    return NodeTexts(id_column(nodes, names[node], path), texts, None)


def _from_text(path: Path, ids: NodeIds, what: str) -> NodeTexts:
    content = read_text(path)
    expected = f"a node id and its {what} per line"
    dialect = detect_dialect(content, path, expected=expected, is_header=partial(_is_header, ids, what))
    node, label = _choose_columns(dialect.header or (), dialect.num_columns, what, path, dialect.first_line)
    try:
        nodes, labels = parse_columns(content, dialect, dict.fromkeys((node, label), pa.string()))
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    lines = [number for number, _, line in numbered_lines(content) if number >= dialect.first_line and line.strip()]
    return NodeTexts(pc.utf8_trim_whitespace(nodes), labels, lines)


def _is_header(ids: NodeIds, what: str, rows: Rows) -> bool:
    """Whether the first row belongs to no node of the graph, and looks like column names.

    Column names are: usual names, words where nodes have numbers, or two words of which the second is no text below.
    """
    first, rest = rows[0], rows[1:]
    if ids.find(pa.array(first[:1], pa.string()))[0] >= 0:
        return False
    if any(column_key(field) in (*NODE_NAMES, what) for field in first):
        return True
    labels_nothing = len(first) == 2 and all(first[1:] != row[1:] for row in rest)
    return not is_number(first[0]) and (ids.are_numbers or labels_nothing)


def _choose_columns(
    names: Sequence[str], num_columns: int, what: str, path: Path, line: int | None = None
) -> tuple[int, int]:
    """Which columns hold the nodes and the texts."""
    keys = [column_key(name) for name in names]
    if what in keys:
        label = keys.index(what)
        others = [k for k in range(num_columns) if k != label]
        return others[node_column([names[k] for k in others])], label
    if num_columns > 2:
        problem = f"{num_columns} columns, and nothing says which one holds the {what}s; name it `{what}` in a header."
        raise InputError(problem, path=path, line=line)
    node = node_column(names)
    return node, 1 - node
