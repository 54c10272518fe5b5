"""Parquet files with two columns of node ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
from linkwl.graph.value_columns import NOTHING, ValueColumns, bad_value, to_numbers


def read_parquet(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph of a Parquet table: columns ``source`` and ``target`` (or similar), or its only two."""
    return read_parquet_pairs(path, values).to_graph(path, name=name, directed=directed)


def read_parquet_pairs(path: Path, values: ValueColumns = NOTHING) -> PairColumns:
    """The two columns of node names in a Parquet table, and the requested values."""
    file = open_parquet(path)
    names = file.schema_arrow.names
    requested = {kind: names[k] for kind, k in values.find(names, len(names), path).items()}
    others = [name for name in names if name not in requested.values()]
    if len(others) < 2:
        raise InputError(f"found {len(others)} columns, expected two of node ids.", path=path)
    found = find_ends(others)
    if found is None:
        raise InputError(unclear_ends_problem(len(others)), path=path)
    ends = [others[k] for k in found]
    columns = read_parquet_columns(file, [*ends, *requested.values()], path)
    if len(columns[0]) == 0:
        raise InputError("the table has no rows; expected an edge in each.", path=path)
    notes = [f"edges from columns `{ends[0]}` and `{ends[1]}`"]
    notes += [f"{kind} from column `{column}`" for kind, column in requested.items()]
    notes += ignored_note([f"`{column}`" for k, column in enumerate(others) if k not in found])
    source, target = (id_column(column, end, path) for column, end in zip(columns, ends, strict=False))
    numbers: dict[str, Any] = {
        kind: _value_column(kind, name, column, path)
        for (kind, name), column in zip(requested.items(), columns[2:], strict=True)
    }
    return PairColumns(source, target, "Parquet table", tuple(notes), **numbers, merge=values.merge)


def _value_column(kind: str, name: str, column: pa.ChunkedArray, path: Path) -> np.ndarray:
    try:
        return to_numbers(kind, column)
    except (ValueError, pa.ArrowException) as error:
        raise InputError(f"{bad_value(kind, f'`{name}`')}; fix it.", path=path) from error


def open_parquet(path: Path) -> pq.ParquetFile:
    """Opens a Parquet file."""
    try:
        return pq.ParquetFile(pa.BufferReader(map_file(path)))
    except Exception as error:  # Arrow's errors, OSError, or UnicodeDecodeError for column names
        raise InputError("not a readable Parquet file; write it again.", path=path) from error


def read_parquet_columns(file: pq.ParquetFile, names: list[str], path: Path) -> list[pa.ChunkedArray]:
    """The columns with these names, each of which must exist exactly once."""
    for name in names:
        if file.schema_arrow.names.count(name) > 1:
            raise InputError(f"several columns are called `{name}`; rename all but one.", path=path)
    try:
        table = file.read(columns=names)
        table.validate(full=True)  # detects strings that are not UTF-8
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
