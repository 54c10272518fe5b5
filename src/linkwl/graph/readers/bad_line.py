"""Finds the bad line of a text that could not be parsed."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.readers.dialect import NOT_UTF8, Dialect
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


def without_bad_lines(
    content: pa.Buffer,
    dialect: Dialect,
    problems: Sequence[Callable[[list[str]], str | None]],
    path: Path,
) -> tuple[pa.Buffer, Dialect, list[str]]:
    """The rows of a text without those that cannot be read, and a note on how many there were.

    Args:
        content: The whole text.
        dialect: Its dialect.
        problems: What else may be wrong with the fields of a line.
        path: The file, for the error message.

    Raises:
        InputError: If no line is left.
    """
    kept: list[bytes] = []
    count, first = 0, ""
    for number, _, line in numbered_lines(content):
        if number < dialect.first_line or not line.strip():
            continue
        problem = _problem_in(line, dialect)
        if problem is None:
            fields = dialect.fields(line)
            problem = next(filter(None, (find(fields) for find in problems)), None)
        if problem is None:
            kept.append(line)
            continue
        count += 1
        first = first or f"line {number}: {problem}"
    if not kept:
        raise InputError(f"none of its {count} lines can be read; {first}", path=path)
    if not count:
        return content, dialect, []
    body = pa.py_buffer(b"\n".join(kept) + b"\n")
    return body, replace(dialect, offset=0, first_line=1), skipped_note(count, first)


def skipped_note(count: int, first: str) -> list[str]:
    """The note on lines that were skipped, if any; ``first`` is the number of the first and what is wrong with it."""
    if not count:
        return []
    what = "1 line that cannot be read," if count == 1 else f"{count:,} lines that cannot be read, the first is"
    return [f"skipped {what} {first.split(';')[0].rstrip('.')}"]


def _problem_in(line: bytes, dialect: Dialect) -> str | None:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return NOT_UTF8
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
