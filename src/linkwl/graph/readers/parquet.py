"""Parquet files with two columns of node ids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from linkwl.errors import InputError
from linkwl.graph.build import build_graph, fractional_id_problem
from linkwl.graph.graph import Graph
from linkwl.graph.readers.dialect import SOURCE_NAMES, TARGET_NAMES, column_key


def read_parquet(path: Path, *, name: str, directed: bool | None = None) -> Graph:
    """The graph of a Parquet table: columns ``source`` and ``target`` (or the like), else the first two."""
    names = open_parquet(path).schema_arrow.names
    if len(names) < 2:
        raise InputError("found one column, expected two columns of node ids.", path=path)
    keys = [column_key(column) for column in names]
    source = next((keys.index(k) for k in SOURCE_NAMES if k in keys), None)
    target = next((keys.index(k) for k in TARGET_NAMES if k in keys), None)
    if source is None or target is None:
        source, target = 0, 1
    table = pq.read_table(path, columns=[names[source], names[target]])
    if table.num_rows == 0:
        raise InputError("the table has no rows; expected an edge in each.", path=path)
    notes = [f"edges from columns `{names[source]}` and `{names[target]}`"]
    ignored = [f"`{column}`" for k, column in enumerate(names) if k not in (source, target)]
    if ignored:
        notes.append(f"ignored column{'s' if len(ignored) > 1 else ''} {', '.join(ignored)}")
    columns = [id_column(table[names[k]], names[k], path) for k in (source, target)]
    return build_graph(
        *columns, is_directed=bool(directed), name=name, form="Parquet table", notes=tuple(notes), path=path
    )


def open_parquet(path: Path) -> pq.ParquetFile:
    """The file, once it is known to be Parquet."""
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError("not a readable Parquet file; write it again.", path=path) from error


def id_column(column: pa.ChunkedArray, name: str, path: Path) -> pa.ChunkedArray:
    """A column of node ids as int64 or text."""
    if column.null_count:
        row = int(np.argmax(pc.is_null(column).to_numpy())) + 1
        raise InputError(f"column `{name}` has no node id in row {row}; fill it or drop the row.", path=path)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_unsigned_integer(kind) and pc.max(column).as_py() >= 2**63:
        return column.cast(pa.string())
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        raise InputError(f"column `{name}`: {fractional_id_problem(str(column[0]))}", path=path)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return column.cast(pa.string())
    raise InputError(f"column `{name}` has type {column.type}, expected whole numbers or text.", path=path)
