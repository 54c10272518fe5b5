"""A table of edges or triples as text: its content, its dialect and its header."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from linkwl.graph.pair_columns import NOTHING_DECLARED, Declared
from linkwl.graph.readers.dialect import Dialect, Rows, detect_dialect
from linkwl.graph.readers.header import has_clear_header, is_header
from linkwl.graph.readers.text_source import read_text
from linkwl.graph.readers.triple_places import find_named_triple
from linkwl.graph.reading import AS_DECLARED, Reading
from linkwl.graph.unused import ignored_note

EXPECTED_TRIPLES = "three names per line (head, relation and tail)"
"""The content of a line of triples, in words."""

_DIRECTED = re.compile(r"(%\s*asym\b|#\s*directed graph)", re.IGNORECASE)
_UNDIRECTED = re.compile(r"(%\s*sym\b|#\s*undirected graph)", re.IGNORECASE)
_BIPARTITE = re.compile(r"%\s*bip(artite)?\b", re.IGNORECASE)


class TableText(NamedTuple):
    """A file of edges or triples, read but not parsed."""

    path: Path
    content: pa.Buffer
    dialect: Dialect
    header_note: tuple[str, ...] = ()
    """That a first line was taken for a header, if it may be a row."""

    @property
    def column_names(self) -> list[str]:
        """The columns' names in notes and errors: their names, or positions from 1 where they have none."""
        header = self.dialect.header
        names = [""] * self.dialect.num_columns if header is None else header
        return [f"`{name}`" if name else str(k + 1) for k, name in enumerate(names)]

    def unused_note(self, unused: Sequence[int], given: Collection[str] = ()) -> list[str]:
        """The note on columns that are not used, with the options that would use them unless such values are given."""
        header, names = self.dialect.header, self.column_names
        options = [str(k + 1) if header is None else header[k] for k in unused]
        cells = [[row[k] for row in self.dialect.sample if k < len(row)] for k in unused]
        return ignored_note([names[k] for k in unused], options, cells, given, has_names=header is not None)

    @property
    def declared(self) -> Declared:
        """What the comments above the rows declare, as the collections KONECT and SNAP do."""
        for comment in self.dialect.comments:
            reason = f"the comment `{comment.strip()[:40]}` says"
            if _BIPARTITE.match(comment):
                return Declared(None, True, reason)
            if _DIRECTED.match(comment):
                return Declared(True, None, reason)
            if _UNDIRECTED.match(comment):
                return Declared(False, None, reason)
        return NOTHING_DECLARED


def open_table_text(
    path: Path,
    reading: Reading = AS_DECLARED,
    requested: Collection[str | int] = (),
    *,
    expected: str = "two node ids per line",
) -> TableText:
    """Reads a text and detects its dialect.

    Args:
        path: The file.
        reading: How to read it.
        requested: Columns that the caller asks for; a first row with one of these names is a header.
        expected: The expected content of a line, in words.
    """
    return detect_table(path, read_text(path, reading.encoding), reading, requested, expected=expected)


def detect_table(
    path: Path,
    content: pa.Buffer,
    reading: Reading = AS_DECLARED,
    requested: Collection[str | int] = (),
    *,
    expected: str = "two node ids per line",
) -> TableText:
    """Like :func:`open_table_text`, of a file that was read already."""
    words = {column for column in requested if isinstance(column, str) and not column.isdecimal()}

    def below(header: Sequence[str]) -> str:
        return expected if find_named_triple(header) is None else EXPECTED_TRIPLES

    def as_asked(rows: Rows) -> bool:
        return bool(reading.header)

    dialect = detect_dialect(
        content,
        path,
        expected=expected,
        is_header=partial(is_header, words) if reading.header is None else as_asked,
        below=below,
        skip_bad=reading.skip_bad,
    )
    note: tuple[str, ...] = ()
    is_unclear = dialect.header and not has_clear_header(words, [dialect.header, *dialect.sample])
    if is_unclear and reading.header is None:
        assert dialect.header is not None
        note = (f"first line `{','.join(dialect.header)}` read as a header: if it is an edge, use --no-header",)
    return TableText(path, content, dialect, note)
