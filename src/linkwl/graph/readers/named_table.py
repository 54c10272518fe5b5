"""Opens a table with named columns: a text or Parquet file, or a table in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.convert_rows import as_records
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import Rows, detect_dialect
from linkwl.graph.readers.object_columns import object_column
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file, numbered_lines, read_text
from linkwl.graph.readers.text_table import parse_columns


class NamedTable(NamedTuple):
    """A table, and where each of its rows comes from."""

    names: list[str]
    columns: list[pa.ChunkedArray]
    path: Path | None = None
    """The file, for error messages."""
    lines: Sequence[int] | None = None
    """The line of every row, if the file has lines."""

    def refuse(self, row: int, problem: str) -> InputError:
        """The error about a row, with its file and line."""
        place = "" if self.lines else f"row {row + 1}: "
        return InputError(place + problem, path=self.path, line=self.lines[row] if self.lines else None)


def open_table(source: Any, *, what: str, expected: str, is_header: Callable[[Rows], bool]) -> NamedTable:
    """The columns of a table.

    Args:
        source: A text or Parquet file, an Arrow table, a data frame or a list of dictionaries.
        what: What is read, in the plural, for error messages.
        expected: The content of a line, for error messages.
        is_header: Whether the first row of a text has the names of the columns; without names, the first two are
            ``source`` and ``target``.

    Raises:
        InputError: If it cannot be read.
    """
    if isinstance(source, str | Path):
        path = Path(source)
        check_file(path)
        if path.suffix.lower() in (".parquet", ".pq"):
            file = open_parquet(path)
            names = list(file.schema_arrow.names)
            return NamedTable(names, read_parquet_columns(file, names, path), path)
        return _open_text(path, expected, is_header)
    if isinstance(source, pa.Table):
        return NamedTable(list(source.column_names), [source[k] for k in range(source.num_columns)])
    if (records := as_records(source)) is not None:
        return NamedTable(list(records), [object_column(records, name) for name in records])
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        names = [str(name) for name in source.columns]
        return NamedTable(names, [object_column(source, name) for name in source.columns])
    raise InputError(f"{what} cannot be read from an object of type {type(source).__name__}; give a file or a table.")


def _open_text(path: Path, expected: str, is_header: Callable[[Rows], bool]) -> NamedTable:
    content = read_text(path)
    dialect = detect_dialect(content, path, expected=expected, is_header=is_header)
    try:
        columns = parse_columns(content, dialect, dict.fromkeys(range(dialect.num_columns), pa.string()))
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    lines = [number for number, _, line in numbered_lines(content) if number >= dialect.first_line and line.strip()]
    names = list(dialect.header or [f"x{k - 1}" if k > 1 else ("source", "target")[k] for k in range(len(columns))])
    return NamedTable(names, [pc.utf8_trim_whitespace(column) for column in columns], path, lines)
