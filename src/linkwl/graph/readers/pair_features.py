"""Reads numbers that are known about pairs of nodes, from a file or a table in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.attribute_columns import as_numbers, as_texts, parse_numbers
from linkwl.graph.attributes import Attributes
from linkwl.graph.column_words import find_ends
from linkwl.graph.convert_rows import as_records
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Rows, detect_dialect, is_number
from linkwl.graph.readers.named_columns import id_column
from linkwl.graph.readers.object_columns import object_column
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns
from linkwl.typing import FloatArray, Pairs


class _Table(NamedTuple):
    names: list[str]
    columns: list[pa.ChunkedArray]
    path: Path | None = None
    lines: Sequence[int] | None = None

    def refuse(self, row: int, problem: str) -> InputError:
        place = "" if self.lines else f"row {row + 1}: "
        return InputError(place + problem, path=self.path, line=self.lines[row] if self.lines else None)


def add_pair_features(graph: Graph | KnowledgeGraph, source: Any) -> Graph:
    """The same graph with the numbers of pairs in a table; pairs that are not listed have none.

    Args:
        graph: The graph.
        source: A text or Parquet file, an Arrow table, a data frame or a list of dictionaries: two columns of nodes,
            ``source`` and ``target`` or similar, else the first two, and numbers.

    Raises:
        InputError: If it cannot be read, names an unknown node, lists a pair twice or has no numbers.
    """
    if isinstance(graph, KnowledgeGraph):
        raise InputError("models of facts do not read numbers of pairs; omit them.")
    table = _open(source)
    if len(table.names) < 3:
        problem = f"found {len(table.names)} columns, expected two of nodes and numbers about their pairs."
        raise InputError(problem, path=table.path)
    ends = find_ends(table.names) or (0, 1)
    known_ids = zip(ends, graph.query_columns.values(), strict=True)
    pairs = np.stack([_nodes(ids, table, end) for end, ids in known_ids], axis=1)
    others = [k for k in range(len(table.names)) if k not in ends]
    values = np.stack([_numbers(table, k) for k in others], axis=1)
    key = pairs if graph.is_directed else np.sort(pairs, axis=1)
    order = np.lexsort((key[:, 1], key[:, 0]))
    is_again = (np.diff(key[order], axis=0) == 0).all(axis=1)
    if is_again.any():
        row = int(order[1:][is_again].min())
        p, q = (graph.ids[int(node)] for node in pairs[row])
        raise table.refuse(row, f"the pair of {p!r} and {q!r} is listed twice; keep one.")
    known = PairNumbers(tuple(table.names[k] for k in others), key[order].astype(np.int32), values[order])
    return replace(graph, attributes=replace(graph.attributes or Attributes(), pairs=known))


def _nodes(ids: NodeIds, table: _Table, end: int) -> Pairs:
    column = id_column(table.columns[end], table.names[end], table.path)
    found = ids.find(column)
    if found.min(initial=0) < 0:
        row = int(np.argmax(found < 0))
        name = str(column[row].as_py())
        raise table.refuse(row, UnknownNameError("node", name, ids.around(name)).problem)
    return found


def _numbers(table: _Table, place: int) -> FloatArray:
    name, column = table.names[place], table.columns[place]
    texts = as_texts(column)
    values = as_numbers(column) if texts is None else parse_numbers(name, texts, table.refuse)
    if values is None:
        raise InputError(f"column `{name}` holds no numbers; drop it, or encode it as numbers.", path=table.path)
    if len(bad := np.flatnonzero(~np.isfinite(values))):
        raise table.refuse(int(bad[0]), f"`{name}` is not a finite number; correct it, or leave the pair out.")
    return values


def _open(source: Any) -> _Table:
    if isinstance(source, str | Path):
        path = Path(source)
        check_file(path)
        if path.suffix.lower() in (".parquet", ".pq"):
            file = open_parquet(path)
            names = list(file.schema_arrow.names)
            return _Table(names, read_parquet_columns(file, names, path), path)
        return _open_text(path)
    if isinstance(source, pa.Table):
        return _Table(list(source.column_names), [source[k] for k in range(source.num_columns)])
    if (records := as_records(source)) is not None:
        return _Table(list(records), [object_column(records, name) for name in records])
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        return _Table([str(name) for name in source.columns], [object_column(source, name) for name in source.columns])
    raise InputError(
        f"numbers of pairs cannot be read from an object of type {type(source).__name__}; give a file or a table."
    )


def _open_text(path: Path) -> _Table:
    content = read_text(path)
    dialect = detect_dialect(content, path, expected="two nodes and numbers per line", is_header=_is_header)
    try:
        columns = parse_columns(content, dialect, dict.fromkeys(range(dialect.num_columns), pa.string()))
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    lines = [number for number, _, line in numbered_lines(content) if number >= dialect.first_line and line.strip()]
    names = list(dialect.header or [f"x{k - 1}" if k > 1 else ("source", "target")[k] for k in range(len(columns))])
    return _Table(names, [pc.utf8_trim_whitespace(column) for column in columns], path, lines)


def _is_header(rows: Rows) -> bool:
    """Whether the first row has no number after its first two fields."""
    return not any(is_number(field) for field in rows[0][2:])
