"""Folders of Parquet files that are the parts of one table."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.named_columns import NamedColumns
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file
from linkwl.graph.reading import AS_DECLARED, Reading

_ENDINGS = (".parquet", ".pq")


def parquet_parts(folder: Path) -> list[Path]:
    """The Parquet files in a folder and in the folders inside it, by name; without hidden ones and ``_metadata``."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        found += [Path(place) / name for name in names if not name.startswith((".", "_"))]
    return sorted(path for path in found if path.suffix.lower() in _ENDINGS)


def read_parquet_folder(folder: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a table whose rows are in several files.

    All files must have the columns that are read, with the same types. Columns that are values in the names of folders
    (``year=2024``) are not read.

    Args:
        folder: A folder with at least one of :func:`parquet_parts`.
        name: The name of the graph.
        reading: How to read the table.

    Raises:
        InputError: If a file is damaged or does not have the columns of the first.
    """
    parts = parquet_parts(folder)
    for path in parts:
        check_file(path)
    names = open_parquet(parts[0]).schema_arrow.names

    def read(wanted: list[str]) -> list[pa.ChunkedArray]:
        columns = [_read_part(path, wanted, parts[0]) for path in parts]
        return [_joined(name, [part[k] for part in columns], parts) for k, name in enumerate(wanted)]

    graph = NamedColumns(names, read, "Parquet table", folder).to_graph(name=name, reading=reading)
    note = f"read from {len(parts)} files"
    if any("=" in part for path in parts for part in path.relative_to(folder).parts[:-1]):
        note += ", without the values in the names of their folders"
    return graph.noted(note)


def _read_part(path: Path, wanted: list[str], first: Path) -> list[pa.ChunkedArray]:
    file = open_parquet(path)
    for name in wanted:
        if name not in file.schema_arrow.names:
            raise InputError(f"there is no column `{name}`, which {first.name} has; all files need it.", path=path)
    return read_parquet_columns(file, wanted, path)


def _joined(name: str, pieces: list[pa.ChunkedArray], parts: list[Path]) -> pa.ChunkedArray:
    kind = pieces[0].type
    for piece, path in zip(pieces, parts, strict=True):
        if piece.type != kind:
            raise InputError(f"column `{name}` has type {piece.type}, and {kind} in {parts[0].name}.", path=path)
    return pa.chunked_array([chunk for piece in pieces for chunk in piece.chunks], type=kind)
