"""A table of edges or triples as text: its content, its dialect and its header."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from linkwl.graph.readers.dialect import (
    NODE_NAMES,
    SOURCE_NAMES,
    TARGET_NAMES,
    Dialect,
    Rows,
    column_key,
    detect_dialect,
    is_number,
)
from linkwl.graph.readers.text_source import read_text
from linkwl.graph.readers.triple_places import find_named_triple

EXPECTED_TRIPLES = "three names per line (head, relation and tail)"
"""The content of a line of triples, in words."""

_COLUMN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *NODE_NAMES, "relation", "weight"}


class TableText(NamedTuple):
    """A file of edges or triples, read but not parsed."""

    path: Path
    content: pa.Buffer
    dialect: Dialect

    @property
    def column_names(self) -> list[str]:
        """The columns' names in notes and errors: their names, or positions from 1."""
        header = self.dialect.header
        return [str(k + 1) if header is None else f"`{header[k]}`" for k in range(self.dialect.num_columns)]


def open_table_text(
    path: Path, requested: Collection[str | int] = (), *, expected: str = "two node ids per line"
) -> TableText:
    """Reads a text and detects its dialect.

    Args:
        path: The file.
        requested: Columns that the caller asks for; a first row with one of these names is a header.
        expected: The expected content of a line, in words.
    """
    content = read_text(path)
    words = {column for column in requested if isinstance(column, str) and not column.isdecimal()}

    def below(header: Sequence[str]) -> str:
        return expected if find_named_triple(header) is None else EXPECTED_TRIPLES

    is_header = partial(_is_header, words)
    return TableText(path, content, detect_dialect(content, path, expected=expected, is_header=is_header, below=below))


def may_be_header(rows: Sequence[tuple[str, ...]], columns: Sequence[int]) -> bool:
    """Whether the first row has words in these columns that occur in no other row, given enough rows."""
    first, *others = ({row[k] for k in columns if k < len(row)} for row in rows)
    return len(rows) > 8 and not first & set().union(*others) and not any(map(is_number, first))


def _is_header(requested: Collection[str], rows: Rows) -> bool:
    """Whether the first row has words where others have numbers, or requested or usual column names.

    Short names (``u``, ``v``, ``to``) may be nodes: they count only if no row repeats them.
    """
    first, rest = rows[0], rows[1:]
    if not set(requested).isdisjoint(first):
        return True
    if any(is_number(field) for field in first):
        return False
    if any(all(is_number(field) for field in column) for column in zip(*rest, strict=False)):
        return True
    names = [key for key in map(column_key, first) if key in _COLUMN_NAMES]
    if (triple := find_named_triple(first)) is not None:
        names = [column_key(first[k]) for k in triple]
    is_clear = sum(len(name) > 2 for name in names) >= 2
    return is_clear or (len(names) >= 2 and not any(set(first) & set(row) for row in rest))
