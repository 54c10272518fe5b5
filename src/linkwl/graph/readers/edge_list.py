"""Edge lists as text: CSV, TSV and the like, with or without a header, plain or gzipped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
import pyarrow as pa
import pyarrow.csv

from linkwl.errors import InputError
from linkwl.graph.build import BadIdError, build_graph
from linkwl.graph.graph import Graph
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import SOURCE_NAMES, TARGET_NAMES, Dialect, column_key, detect_dialect, is_number
from linkwl.graph.readers.text_source import find_line, numbered_lines, read_text
from linkwl.threads import run_ranges

_TEXT = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class PairColumns:
    """Two columns of node names, as a text file lists them."""

    source: pa.ChunkedArray
    target: pa.ChunkedArray
    form: str
    notes: tuple[str, ...]
    line_of: Callable[[str], int | None]
    """The first line where a name stands in one of the two columns."""


def read_edge_list(path: Path, *, name: str, directed: bool | None = None) -> Graph:
    """The graph of a text file with two node ids per line.

    Delimiter and header are detected; further columns (weights, dates) are ignored and named in the intake.
    """
    pairs = read_pair_columns(path)
    try:
        return build_graph(
            pairs.source,
            pairs.target,
            is_directed=bool(directed),
            name=name,
            form=pairs.form,
            notes=pairs.notes,
            path=path,
        )
    except BadIdError as error:
        raise InputError(error.problem, path=path, line=pairs.line_of(error.text)) from None


def read_pair_columns(path: Path) -> PairColumns:
    """The two columns of node names in a text file."""
    content = read_text(path)
    dialect = detect_dialect(content, path, expected="two node ids per line")
    source, target, notes = _choose_columns(dialect, path)
    try:
        columns, ids_note = _read_columns(content, dialect, source, target)
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error

    def line_of(name: str) -> int | None:
        return find_line(content, dialect.first_line, lambda line: name in _ends(dialect, line, source, target))

    return PairColumns(columns[0], columns[1], dialect.form, (*notes, *ids_note), line_of)


def _choose_columns(dialect: Dialect, path: Path) -> tuple[int, int, list[str]]:
    """Which two columns hold the ends of the edges."""
    source, target, notes = 0, 1, []
    if dialect.header is None:
        notes.append("no header")
        if dialect.num_columns > 2 and not all(is_number(field) for row in dialect.sample for field in row[2:3]):
            raise InputError(
                f"{dialect.num_columns} columns without a header, and the third is not numeric, so the node ids "
                "could be anywhere; add a header that names two columns `source` and `target`.",
                path=path,
                line=dialect.first_line,
            )
    else:
        keys = [column_key(field) for field in dialect.header]
        found = [next((keys.index(k) for k in names if k in keys), None) for names in (SOURCE_NAMES, TARGET_NAMES)]
        if found[0] is not None and found[1] is not None:
            source, target = found[0], found[1]
        notes.append(f"edges from columns `{dialect.header[source]}` and `{dialect.header[target]}`")
    ignored = [k for k in range(dialect.num_columns) if k not in (source, target)]
    if ignored:
        names = [f"`{dialect.header[k]}`" if dialect.header else str(k + 1) for k in ignored]
        notes.append(f"ignored column{'s' if len(names) > 1 else ''} {', '.join(names)}")
    return source, target, notes


def _read_columns(
    content: pa.Buffer, dialect: Dialect, source: int, target: int
) -> tuple[list[pa.ChunkedArray], list[str]]:
    """The two columns, as whole numbers if all ids are plain ones, else as text."""
    body = content.slice(dialect.offset)
    if dialect.has_loose_spaces:
        body = _tidy(body)
    sampled = [row[k] for row in dialect.sample for k in (source, target) if k < len(row)]
    looks_decimal = all(field.isdecimal() and field.isascii() for field in sampled)
    try:
        if looks_decimal and not _has_leading_zeros(body, dialect.delimiter):
            return _parse(body, dialect, source, target, pa.int64()), []
    except pa.ArrowInvalid:
        pass  # a later line has a name, a larger number, or an error that the next attempt meets again
    try:
        columns = _parse(body, dialect, source, target, _TEXT)
    except pa.ArrowInvalid:
        if dialect.delimiter != " " or dialect.has_loose_spaces:
            raise
        columns = _parse(_tidy(body), dialect, source, target, _TEXT)  # single spaces in the sample only
    note = "ids kept as text: some have leading zeros, more than 18 digits, or are names"
    return columns, [note] if looks_decimal else []


def _parse(body: pa.Buffer, dialect: Dialect, source: int, target: int, id_type: pa.DataType) -> list[pa.ChunkedArray]:
    names = [str(k) for k in range(dialect.num_columns)]
    wanted = [names[source], names[target]]
    table = pa.csv.read_csv(
        pa.BufferReader(body),
        read_options=pa.csv.ReadOptions(column_names=names),
        parse_options=pa.csv.ParseOptions(delimiter=dialect.delimiter),
        convert_options=pa.csv.ConvertOptions(
            include_columns=wanted, column_types=dict.fromkeys(wanted, id_type), null_values=[]
        ),
    )
    return [table[name] for name in wanted]


def _tidy(body: pa.Buffer) -> pa.Buffer:
    """The same lines with single spaces between their fields."""
    return pa.py_buffer(b"\n".join(b" ".join(line.split()) for _, line in numbered_lines(body)))


def _ends(dialect: Dialect, line: bytes, source: int, target: int) -> list[str]:
    fields = dialect.fields(line)
    return [fields[k] for k in (source, target) if k < len(fields)]


def _has_leading_zeros(body: pa.Buffer, delimiter: str) -> bool:
    """Whether a field starts with 0 and another digit, as in 007: such ids are names, not numbers."""
    text = np.frombuffer(body, np.uint8)
    found = np.zeros(1, dtype=np.bool_)
    run_ranges(lambda start, stop: _find_leading_zero(text, ord(delimiter), start, stop, found), len(text) - 1)
    return bool(found[0])


@numba.njit(nogil=True, cache=True)
def _find_leading_zero(text, delimiter, start, stop, found):  # type: ignore[no-untyped-def]
    for i in range(start, stop):
        if text[i] == 48 and 48 <= text[i + 1] <= 57 and (i == 0 or text[i - 1] in (10, 13, 34, delimiter)):
            found[0] = True
            return
