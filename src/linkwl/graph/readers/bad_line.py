"""Finds the bad line of a text that could not be parsed."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.readers.dialect import Dialect
from linkwl.graph.readers.text_source import numbered_lines


def explain_bad_text(
    content: pa.Buffer, dialect: Dialect, path: Path, find_problem: Callable[[list[str]], str | None] | None = None
) -> InputError:
    """The error for the first line that is not UTF-8, has a wrong number of columns, or has another problem."""
    for number, _, line in numbered_lines(content):
        if number < dialect.first_line or not line or (dialect.delimiter == " " and not line.strip()):
            continue
        problem = _problem_in(line, dialect)
        if problem is None and find_problem is not None:
            problem = find_problem(dialect.fields(line))
        if problem is not None:
            return InputError(problem, path=path, line=number)
    return InputError(
        "the text cannot be read as a table; look for odd characters, or write it again as CSV.", path=path
    )


def _problem_in(line: bytes, dialect: Dialect) -> str | None:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return "this line is not UTF-8 text; save the file as UTF-8."
    if len(line) > dialect.block_bytes:
        return f"this line has {len(line):,} bytes, far more than the first ones; fix it."
    if not text.strip():
        return "there are only spaces in this line; remove it."
    if _has_open_quote(text, dialect.delimiter):
        return "a quoted field does not end in its line; close the quote, or remove it."
    found = len(dialect.fields(line))
    if found != dialect.num_columns:
        return f"expected {dialect.num_columns} columns as in the other lines, found {found}; fix this line."
    return None


def _has_open_quote(text: str, delimiter: str) -> bool:
    try:
        next(csv.reader([text], delimiter=delimiter, strict=True), None)
    except csv.Error as error:
        return "end of data" in str(error)
    return False
