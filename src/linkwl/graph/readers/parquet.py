"""Parquet files with two columns of node ids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from linkwl.errors import InputError
from linkwl.graph.build import fractional_id_problem
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import whole_numbers
from linkwl.graph.readers.dialect import find_ends, ignored_note, unclear_ends_problem
from linkwl.graph.readers.pair_columns import PairColumns
from linkwl.graph.readers.text_source import map_file


def read_parquet(path: Path, *, name: str, directed: bool | None = None) -> Graph:
    """The graph of a Parquet table: columns ``source`` and ``target`` (or the like), or its only two."""
    return read_parquet_pairs(path).to_graph(path, name=name, directed=directed)


def read_parquet_pairs(path: Path) -> PairColumns:
    """The two columns of node names in a Parquet table."""
    file = open_parquet(path)
    names = file.schema_arrow.names
    if len(names) < 2:
        raise InputError(f"found {len(names)} columns, expected two of node ids.", path=path)
    found = find_ends(names)
    if found is None:
        raise InputError(unclear_ends_problem(len(names)), path=path)
    ends = [names[k] for k in found]
    columns = read_parquet_columns(file, ends, path)
    if len(columns[0]) == 0:
        raise InputError("the table has no rows; expected an edge in each.", path=path)
    notes = [f"edges from columns `{ends[0]}` and `{ends[1]}`"]
    notes += ignored_note([f"`{column}`" for k, column in enumerate(names) if k not in found])
    source, target = (id_column(column, end, path) for column, end in zip(columns, ends, strict=True))
    return PairColumns(source, target, "Parquet table", tuple(notes))


def open_parquet(path: Path) -> pq.ParquetFile:
    """The file, once it is known to be Parquet."""
    try:
        return pq.ParquetFile(pa.BufferReader(map_file(path)))
    except Exception as error:  # Arrow's own, OSError, or UnicodeDecodeError for the names of columns
        raise InputError("not a readable Parquet file; write it again.", path=path) from error


def read_parquet_columns(file: pq.ParquetFile, names: list[str], path: Path) -> list[pa.ChunkedArray]:
    """The columns of these names, each of which must be there once."""
    for name in names:
        if file.schema_arrow.names.count(name) > 1:
            raise InputError(f"several columns are called `{name}`; rename all but one.", path=path)
    try:
        table = file.read(columns=names)
        table.validate(full=True)  # texts that are not UTF-8
    except Exception as error:
        raise InputError("the Parquet file is damaged; write it again.", path=path) from error
    return [table[name] for name in names]


def id_column(column: pa.ChunkedArray, name: str, path: Path) -> pa.ChunkedArray:
    """A column of node ids as int64 or text."""
    if column.null_count:
        row = int(np.argmax(pc.is_null(column).to_numpy())) + 1
        raise InputError(f"column `{name}` has no node id in row {row}; fill it or drop the row.", path=path)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_uint64(kind) or (pa.types.is_decimal(kind) and kind.scale == 0):
        texts = column.cast(pa.string())
        numbers = whole_numbers(texts)
        return texts if numbers.null_count else numbers
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        raise InputError(f"column `{name}`: {fractional_id_problem(str(column[0]))}", path=path)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    raise InputError(f"column `{name}` has type {column.type}, expected whole numbers or text.", path=path)
