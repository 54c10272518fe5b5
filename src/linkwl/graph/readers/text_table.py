"""Parses columns of a text with Arrow."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.csv

from linkwl.graph.readers.dialect import Dialect
from linkwl.graph.readers.text_source import SAMPLE_BYTES, numbered_lines


def parse_columns(content: pa.Buffer, dialect: Dialect, types: dict[int, pa.DataType]) -> list[pa.ChunkedArray]:
    """Some columns of a text, by position, each with the requested type.

    Raises:
        pa.ArrowInvalid: If a line differs from the others, or a field is not of its type; see
            :func:`~linkwl.graph.readers.bad_line.explain_bad_text`.
    """
    body = content.slice(dialect.offset)
    if not dialect.has_loose_spaces:
        try:
            return _parse(body, dialect, types)
        except pa.ArrowInvalid:
            if dialect.delimiter != " ":
                raise  # otherwise perhaps only the first lines have single spaces
    return _parse(_tidy(body), dialect, types)


def _parse(body: pa.Buffer, dialect: Dialect, types: dict[int, pa.DataType]) -> list[pa.ChunkedArray]:
    names = [str(k) for k in range(dialect.num_columns)]
    wanted = {names[k]: kind for k, kind in types.items()}
    table = pa.csv.read_csv(
        pa.BufferReader(body),
        read_options=pa.csv.ReadOptions(column_names=names, block_size=dialect.block_bytes),
        parse_options=pa.csv.ParseOptions(delimiter=dialect.delimiter),
        convert_options=pa.csv.ConvertOptions(include_columns=list(wanted), column_types=wanted, null_values=[]),
    )
    if re.search(rb'"', body) and table.num_rows != _num_rows(body, table.num_rows):
        raise pa.ArrowInvalid("a quoted field contains the end of its line")
    return [table[name] for name in wanted]


def _num_rows(body: pa.Buffer, expected: int) -> int:
    """The number of non-empty lines; the quick count is correct if it equals ``expected``."""
    text = np.frombuffer(body, np.uint8)
    blocks = (text[start : start + SAMPLE_BYTES] for start in range(0, len(text), SAMPLE_BYTES))
    quick = sum(int(np.count_nonzero(block == ord("\n"))) for block in blocks) + int(text[-1] != ord("\n"))
    return quick if quick == expected else sum(1 for _, _, line in numbered_lines(body) if line)


def _tidy(body: pa.Buffer) -> pa.Buffer:
    """The same lines with single spaces between their fields."""
    return pa.py_buffer(b"\n".join(b" ".join(line.split()) for _, _, line in numbered_lines(body)))
