"""Columns of node ids in a text, as integers or strings."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.graph.node_ids import whole_numbers
from linkwl.graph.readers.dialect import Dialect
from linkwl.graph.readers.text_table import parse_columns
from linkwl.kernel import kernel
from linkwl.threads import run_ranges


def read_id_columns(
    content: pa.Buffer, dialect: Dialect, source: int, target: int, others: Collection[int]
) -> tuple[dict[int, pa.ChunkedArray], list[str]]:
    """The two columns of ids, as integers if all ids are plain integers, else as strings; other columns as strings.

    Also returns the notes for the intake.

    Raises:
        pa.ArrowInvalid: If a line differs from the others; see :func:`~linkwl.graph.readers.text_table.parse_columns`.
    """

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
    numbers = {k: as_whole_numbers(columns[k]) for k in (source, target)}
    if all(column.null_count == 0 for column in numbers.values()):
        return columns | numbers, []  # the odd zeros are in other columns
    return columns, ["ids kept as text: some have leading zeros, are too large for 64 bits, or are names"]


def as_whole_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Strings as integers, null where they are not."""
    return pa.chunked_array([whole_numbers(pc.utf8_trim_whitespace(chunk)) for chunk in column.chunks], type=pa.int64())


def _has_odd_zeros(body: pa.Buffer, delimiter: str) -> bool:
    """Whether a field may be a name that Arrow parses as a number: 007, 0x7 or -0."""
    text = np.frombuffer(body, np.uint8)
    if _has_odd_zero(np.append(np.uint8(10), text[:2]), ord(delimiter)):  # the very first field
        return True
    inner = max(len(text) - 2, 0)
    return any(run_ranges(lambda start, stop: _has_odd_zero(text[start : stop + 2], ord(delimiter)), inner))


@kernel
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
