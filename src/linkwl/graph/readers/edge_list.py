"""Edge lists as text: CSV, TSV and the like, with or without a header, plain or gzipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numba
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import whole_numbers
from linkwl.graph.readers.bad_line import explain_bad_text
from linkwl.graph.readers.dialect import (
    NODE_NAMES,
    SOURCE_NAMES,
    TARGET_NAMES,
    Dialect,
    Rows,
    column_key,
    detect_dialect,
    find_ends,
    ignored_note,
    is_number,
    unclear_ends_problem,
)
from linkwl.graph.readers.pair_columns import PairColumns
from linkwl.graph.readers.text_source import find_line, read_text
from linkwl.graph.readers.text_table import parse_columns
from linkwl.threads import run_ranges

_COLUMN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *NODE_NAMES, "relation", "weight"}


def read_edge_list(path: Path, *, name: str, directed: bool | None = None) -> Graph:
    """The graph of a text file with two node ids per line.

    Delimiter and header are detected; further columns (weights, dates) are ignored and named in the intake.
    """
    return read_pair_columns(path).to_graph(path, name=name, directed=directed)


def read_pair_columns(path: Path) -> PairColumns:
    """The two columns of node names in a text file."""
    content = read_text(path)
    dialect = detect_dialect(content, path, expected="two node ids per line", is_header=_is_header)
    source, target, notes = _choose_columns(dialect, path)
    try:
        columns, ids_note = _read_columns(content, dialect, source, target)
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error

    def line_of(name: str) -> int | None:
        return find_line(content, dialect.first_line, lambda line: name in _ends(dialect, line, source, target))

    return PairColumns(columns[0], columns[1], dialect.form, (*notes, *ids_note), line_of)


def _choose_columns(dialect: Dialect, path: Path) -> tuple[int, int, list[str]]:
    """Which two columns hold the ends of the edges, and what is to be noted."""
    if dialect.header is not None:
        ends = find_ends(dialect.header)
    else:  # a weight or a date may follow the ids
        ends = (0, 1) if all(_is_value(field) for row in dialect.sample for field in row[2:3]) else None
    if ends is None:
        if dialect.num_columns > 2:
            raise InputError(unclear_ends_problem(dialect.num_columns), path=path, line=dialect.first_line)
        ends = (0, 1)
    source, target = ends
    ignored = [k for k in range(dialect.num_columns) if k not in ends]
    if dialect.header is not None:
        notes = [f"edges from columns `{dialect.header[source]}` and `{dialect.header[target]}`"]
        return source, target, notes + ignored_note([f"`{dialect.header[k]}`" for k in ignored])
    notes = ["no header"]
    if _may_be_header(dialect.sample):
        words = ",".join(dialect.sample[0])
        notes = [f"line {dialect.first_line} `{words}` read as an edge: if it is a header, name it `source,target`"]
    return source, target, notes + ignored_note([str(k + 1) for k in ignored])


def _may_be_header(rows: Sequence[tuple[str, ...]]) -> bool:
    """Whether the first row is two words that none of many other rows repeats."""
    first, others = set(rows[0][:2]), {field for row in rows[1:] for field in row[:2]}
    return len(rows) > 8 and not first & others and not any(map(is_number, first))


def _is_value(field: str) -> bool:
    """Whether a field can be a weight or a time: a number, perhaps with a decimal comma, or nothing."""
    return not field or is_number(field.replace(",", "."))


def _is_header(rows: Rows) -> bool:
    """Whether the first row has words where others have numbers, or usual names of columns.

    Short ones (``u``, ``v``, ``to``) may be nodes: they count only if no row repeats them.
    """
    first, rest = rows[0], rows[1:]
    if any(is_number(field) for field in first):
        return False
    if any(all(is_number(field) for field in column) for column in zip(*rest, strict=False)):
        return True
    names = [key for key in map(column_key, first) if key in _COLUMN_NAMES]
    is_clear = sum(len(name) > 2 for name in names) >= 2
    return is_clear or (len(names) >= 2 and not any(set(first) & set(row) for row in rest))


def _read_columns(
    content: pa.Buffer, dialect: Dialect, source: int, target: int
) -> tuple[list[pa.ChunkedArray], list[str]]:
    """The two columns, as whole numbers if all ids are plain ones, else as text."""
    sampled = [row[k] for row in dialect.sample for k in (source, target) if k < len(row)]
    looks_decimal = all(field.isdecimal() and field.isascii() for field in sampled)
    if looks_decimal and not _has_odd_zeros(content.slice(dialect.offset), dialect.delimiter):
        try:
            return parse_columns(content, dialect, dict.fromkeys((source, target), pa.int64())), []
        except pa.ArrowInvalid:
            pass  # a later line has a name, a larger number, or an error that the next attempt meets again
    columns = parse_columns(content, dialect, dict.fromkeys((source, target), pa.string()))
    if not looks_decimal:
        return columns, []
    numbers = [_as_numbers(column) for column in columns]
    if all(column.null_count == 0 for column in numbers):
        return numbers, []  # the odd zeros stand in other columns
    return columns, ["ids kept as text: some have leading zeros, are too large for 64 bits, or are names"]


def _as_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Texts as whole numbers, null where they are none."""
    return pa.chunked_array([whole_numbers(pc.utf8_trim_whitespace(chunk)) for chunk in column.chunks], type=pa.int64())


def _ends(dialect: Dialect, line: bytes, source: int, target: int) -> list[str]:
    fields = dialect.fields(line)
    return [fields[k] for k in (source, target) if k < len(fields)]


def _has_odd_zeros(body: pa.Buffer, delimiter: str) -> bool:
    """Whether a field may be a name that Arrow takes for a number: 007, 0x7 or -0."""
    text = np.frombuffer(body, np.uint8)
    if _has_odd_zero(np.append(np.uint8(10), text[:2]), ord(delimiter)):  # the first field of all
        return True
    inner = max(len(text) - 2, 0)
    return any(run_ranges(lambda start, stop: _has_odd_zero(text[start : stop + 2], ord(delimiter)), inner))


@numba.njit(nogil=True, cache=True)
def _has_odd_zero(text, delimiter):  # type: ignore[no-untyped-def]
    # Bytes only, and no branch: the compiler then looks at 32 places at a time.
    byte = np.uint8
    tab, line_feed, carriage_return, space, quote, minus = byte(9), byte(10), byte(13), byte(32), byte(34), byte(45)
    zero, ten, letter_x, separator = byte(48), byte(10), byte(120), byte(delimiter)
    before, here, after = text[:-2], text[1:-1], text[2:]
    is_found = byte(0)
    for i in range(len(here)):
        a, b, c = before[i], here[i], after[i]
        starts = byte(a == separator) | byte(a == line_feed) | byte(a == carriage_return)
        starts |= byte(a == tab) | byte(a == space) | byte(a == quote)
        continues = byte(byte(c - zero) < ten) | byte(c | space == letter_x)
        is_odd = (byte(b == zero) & continues) | (byte(b == minus) & byte(c == zero))
        is_found |= starts & is_odd
    return is_found
