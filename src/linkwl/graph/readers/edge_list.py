"""Edge lists as text: CSV, TSV and the like, with or without a header, plain or gzipped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
from linkwl.graph.value_columns import NOTHING, ValueColumns, bad_value, to_numbers
from linkwl.threads import run_ranges

_COLUMN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *NODE_NAMES, "relation", "weight"}


def read_edge_list(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph of a text file with two node ids per line.

    Delimiter and header are detected; further columns are ignored unless requested, and named in the intake.
    """
    return read_pair_columns(path, values).to_graph(path, name=name, directed=directed)


def read_pair_columns(path: Path, values: ValueColumns = NOTHING) -> PairColumns:
    """The two columns of node names in a text file, and the requested values."""
    content = read_text(path)
    dialect = detect_dialect(content, path, expected="two node ids per line", is_header=_is_header)
    places = values.find(dialect.header, dialect.num_columns, path)
    source, target, notes = _choose_columns(dialect, path, places)
    try:
        columns, ids_note = _read_columns(content, dialect, source, target, places.values())
    except pa.ArrowInvalid as error:
        raise explain_bad_text(content, dialect, path) from error
    found = {kind: _read_values(kind, columns[k], k, content, dialect, path) for kind, k in places.items()}

    def line_of(name: str) -> int | None:
        return find_line(content, dialect.first_line, lambda line: name in _ends(dialect, line, source, target))

    return PairColumns(
        columns[source], columns[target], dialect.form, (*notes, *ids_note), line_of, **found, merge=values.merge
    )


def _choose_columns(dialect: Dialect, path: Path, places: Mapping[str, int]) -> tuple[int, int, list[str]]:
    """The two columns that hold the ends of the edges, given the columns of the requested values, and the notes."""
    others = [k for k in range(dialect.num_columns) if k not in places.values()]
    if dialect.header is not None:
        ends = find_ends([dialect.header[k] for k in others])
    else:  # a weight or a date may follow the ids
        further = others[2:3]
        ends = (0, 1) if all(_is_value(row[k]) for row in dialect.sample for k in further if k < len(row)) else None
    if ends is None or len(others) < 2:
        if len(others) != 2:
            raise InputError(unclear_ends_problem(len(others)), path=path, line=dialect.first_line)
        ends = (0, 1)
    source, target = (others[k] for k in ends)
    ignored = [k for k in others if k not in (source, target)]
    names = _column_names(dialect)
    used = [f"{kind} from column {names[k]}" for kind, k in places.items()]
    if dialect.header is not None:
        notes = [f"edges from columns {names[source]} and {names[target]}"]
        return source, target, notes + used + ignored_note([names[k] for k in ignored])
    notes = ["no header"]
    if _may_be_header(dialect.sample):
        words = ",".join(dialect.sample[0])
        notes = [f"line {dialect.first_line} `{words}` read as an edge: if it is a header, name it `source,target`"]
    return source, target, notes + used + ignored_note([names[k] for k in ignored])


def _column_names(dialect: Dialect) -> list[str]:
    """The columns' names in notes and errors: their names, or positions from 1."""
    header = dialect.header
    return [str(k + 1) if header is None else f"`{header[k]}`" for k in range(dialect.num_columns)]


def _read_values(
    kind: str, column: pa.ChunkedArray, place: int, content: pa.Buffer, dialect: Dialect, path: Path
) -> np.ndarray:
    """A column of strings as weights or times."""
    decimal_comma = dialect.delimiter != ","
    first = dialect.sample[0][place]

    def find_problem(fields: list[str]) -> str | None:
        field = fields[place]
        try:
            to_numbers(kind, pa.chunked_array([[field]]), decimal_comma=decimal_comma)
            is_fine = _is_value(field) == _is_value(first)  # no dates among numbers
        except ValueError:
            is_fine = False
        return None if is_fine else f"{bad_value(kind, _column_names(dialect)[place])}; found {field!r}."

    try:
        return to_numbers(kind, column, decimal_comma=decimal_comma)
    except ValueError as error:
        raise explain_bad_text(content, dialect, path, find_problem) from error


def _may_be_header(rows: Sequence[tuple[str, ...]]) -> bool:
    """Whether the first row is two words that occur in no other row, given enough rows."""
    first, others = set(rows[0][:2]), {field for row in rows[1:] for field in row[:2]}
    return len(rows) > 8 and not first & others and not any(map(is_number, first))


def _is_value(field: str) -> bool:
    """Whether a field can be a weight or a time: a number, perhaps with a decimal comma, or nothing."""
    return not field or is_number(field.replace(",", "."))


def _is_header(rows: Rows) -> bool:
    """Whether the first row has words where others have numbers, or usual column names.

    Short names (``u``, ``v``, ``to``) may be nodes: they count only if no row repeats them.
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
    content: pa.Buffer, dialect: Dialect, source: int, target: int, others: Collection[int]
) -> tuple[dict[int, pa.ChunkedArray], list[str]]:
    """The two columns, as integers if all ids are plain integers, else as strings; other columns as strings."""

    def parse(kind: pa.DataType) -> dict[int, pa.ChunkedArray]:
        types = dict.fromkeys((source, target), kind) | dict.fromkeys(others, pa.string())
        return dict(zip(types, parse_columns(content, dialect, types), strict=True))

    sampled = [row[k] for row in dialect.sample for k in (source, target) if k < len(row)]
    looks_decimal = all(field.isdecimal() and field.isascii() for field in sampled)
    if looks_decimal and not _has_odd_zeros(content.slice(dialect.offset), dialect.delimiter):
        try:
            return parse(pa.int64()), []
        except pa.ArrowInvalid:
            pass  # a later line has a name, a larger number, or an error that the next attempt will report
    columns = parse(pa.string())
    if not looks_decimal:
        return columns, []
    numbers = {k: _as_numbers(columns[k]) for k in (source, target)}
    if all(column.null_count == 0 for column in numbers.values()):
        return columns | numbers, []  # the odd zeros are in other columns
    return columns, ["ids kept as text: some have leading zeros, are too large for 64 bits, or are names"]


def _as_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Strings as integers, null where they are not."""
    return pa.chunked_array([whole_numbers(pc.utf8_trim_whitespace(chunk)) for chunk in column.chunks], type=pa.int64())


def _ends(dialect: Dialect, line: bytes, source: int, target: int) -> list[str]:
    fields = dialect.fields(line)
    return [fields[k] for k in (source, target) if k < len(fields)]


def _has_odd_zeros(body: pa.Buffer, delimiter: str) -> bool:
    """Whether a field may be a name that Arrow parses as a number: 007, 0x7 or -0."""
    text = np.frombuffer(body, np.uint8)
    if _has_odd_zero(np.append(np.uint8(10), text[:2]), ord(delimiter)):  # the very first field
        return True
    inner = max(len(text) - 2, 0)
    return any(run_ranges(lambda start, stop: _has_odd_zero(text[start : stop + 2], ord(delimiter)), inner))


@numba.njit(nogil=True, cache=True)
def _has_odd_zero(text, delimiter):  # type: ignore[no-untyped-def]
    # Bytes only, and no branches: the compiler can then process 32 bytes at a time.
    byte = np.uint8
    tab, line_feed, carriage_return, space, quote, minus = byte(9), byte(10), byte(13), byte(32), byte(34), byte(45)
    zero, ten, letter_x, separator = byte(48), byte(10), byte(120), byte(delimiter)
    before, current, after = text[:-2], text[1:-1], text[2:]
    is_found = byte(0)
    for i in range(len(current)):
        a, b, c = before[i], current[i], after[i]
        starts = byte(a == separator) | byte(a == line_feed) | byte(a == carriage_return)
        starts |= byte(a == tab) | byte(a == space) | byte(a == quote)
        continues = byte(byte(c - zero) < ten) | byte(c | space == letter_x)
        is_odd = (byte(b == zero) & continues) | (byte(b == minus) & byte(c == zero))
        is_found |= starts & is_odd
    return is_found
