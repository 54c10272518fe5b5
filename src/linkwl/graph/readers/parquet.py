"""Parquet files with columns of node ids."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.named_columns import NamedColumns
from linkwl.graph.readers.text_source import map_file
from linkwl.graph.reading import AS_DECLARED, Reading


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
