"""Parquet files with columns of node ids."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from linkwl.errors import InputError, LinkwlError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.named_columns import NamedColumns
from linkwl.graph.readers.text_source import map_file
from linkwl.graph.reading import AS_DECLARED, Reading
from linkwl.memory import check_memory, memory_refused

_BYTES_PER_ROW = 24
"""Of the edges that rows become: both ends, in both directions."""
_LARGEST_CHUNK = 2**31 - 1
"""Of Arrow's texts, in bytes."""
_REMEDY = "write the columns that are needed, or a part of the rows, to another file"


def read_parquet(
    path: Path,
    *,
    name: str,
    reading: Reading = AS_DECLARED,
) -> Graph | KnowledgeGraph:
    """The graph of a Parquet table.

    Columns ``head``, ``relation`` and ``tail`` (or similar) hold triples. Otherwise ``source`` and ``target`` (or
    similar), or the only two columns, hold edges.
    """
    return parquet_columns(path).to_graph(name=name, reading=reading)


def parquet_columns(path: Path) -> NamedColumns:
    """The columns of a Parquet file."""
    file = open_parquet(path)
    names = file.schema_arrow.names
    return NamedColumns(names, lambda wanted: read_parquet_columns(file, wanted, path), "Parquet table", path)


def open_parquet(path: Path) -> pq.ParquetFile:
    """Opens a Parquet file."""
    try:
        return pq.ParquetFile(pa.BufferReader(map_file(path)))
    except Exception as error:  # Arrow's errors, OSError, or UnicodeDecodeError for column names
        raise InputError("not a readable Parquet file; write it again.", path=path) from error


def read_parquet_columns(file: pq.ParquetFile, names: list[str], path: Path) -> list[pa.ChunkedArray]:
    """The columns with these names, each of which must exist exactly once.

    Raises:
        InputError: If a name is missing or not unique, or the file is damaged.
        MemoryLimitError: If the columns do not fit into memory, however little the file takes.
    """
    for name in names:
        if file.schema_arrow.names.count(name) > 1:
            raise InputError(f"several columns are called `{name}`; rename all but one.", path=path)
    with memory_refused(f"{path}: its table", _REMEDY):
        try:
            table = _read_groups(file, names, path)
        except (LinkwlError, MemoryError):
            raise
        except Exception as error:
            raise InputError("the Parquet file is damaged; write it again.", path=path) from error
        return [_plain(table[name]) for name in names]


def _read_groups(file: pq.ParquetFile, names: list[str], path: Path) -> pa.Table:
    """The columns, group of rows by group of rows; the size is checked as it grows.

    A text that repeats in millions of rows is stored once, and stays so. The sizes of single columns are not asked for:
    pyarrow ends the process if they are damaged.
    """
    schema, num_rows = file.schema_arrow, file.metadata.num_rows
    _check_memory(sum(_width(schema.field(name).type) for name in names) * num_rows, num_rows, path)
    texts = [name for name in names if _is_text(schema.field(name).type)]
    compact = pq.ParquetFile(pa.BufferReader(map_file(path)), read_dictionary=texts)
    groups, size = [], 0.0
    for k in range(file.num_row_groups):
        _check_memory(size + file.metadata.row_group(k).total_byte_size, 0, path)
        group = compact.read_row_group(k, columns=names)
        group.validate(full=True)  # detects strings that are not UTF-8
        size += sum(map(_plain_size, group.columns))
        _check_memory(size, num_rows, path)
        groups.append(group)
    return pa.concat_tables(groups) if groups else compact.read(columns=names)


def _check_memory(size: float, num_rows: int, path: Path) -> None:
    """Checks that columns of this size, and the edges in their rows, fit into memory."""
    check_memory(2.0 * size + _BYTES_PER_ROW * num_rows, f"{path}: its table", _REMEDY)


def _plain_size(column: pa.ChunkedArray) -> float:
    """The bytes of a column whose texts are not shared between its rows."""
    if not pa.types.is_dictionary(column.type) or not _is_text(column.type.value_type):
        return column.nbytes
    lengths = [pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks]
    return 4.0 * len(column) + sum(pc.sum(part.cast(pa.int64())).as_py() or 0 for part in lengths)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column with a text of its own in every row."""
    if not pa.types.is_dictionary(column.type) or not _is_text(column.type.value_type):
        return column
    pieces = []
    for chunk in column.chunks:
        longest = pc.max(pc.binary_length(chunk.dictionary)).as_py() or 1
        step = max(1, _LARGEST_CHUNK // longest)
        pieces += [chunk.slice(k, step).cast(pa.string()) for k in range(0, len(chunk), step)]
    return pa.chunked_array(pieces, type=pa.string())


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _width(kind: pa.DataType) -> float:
    """The bytes of a value; those of a text are not known, but its place in the column is."""
    try:
        return kind.bit_width / 8
    except ValueError:
        return 4.0
