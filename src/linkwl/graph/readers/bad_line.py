"""The slow second look at a text that could not be read: which line is to blame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.readers.dialect import Dialect
from linkwl.graph.readers.text_source import numbered_lines


def explain_bad_text(
    content: pa.Buffer, dialect: Dialect, path: Path, find_problem: Callable[[list[str]], str | None] | None = None
) -> InputError:
    """The error for the first line that is not UTF-8, has another number of columns, or has a problem of its own."""
    if dialect.delimiter == " ":
        dialect = replace(dialect, has_loose_spaces=True)
    for number, line in numbered_lines(content):
        if number < dialect.first_line or not line.strip():
            continue
        fields = dialect.fields(line)
        problem = None
        if not _is_utf8(line):
            problem = "this line is not UTF-8 text; save the file as UTF-8."
        elif len(fields) != dialect.num_columns:
            problem = (
                f"expected {dialect.num_columns} columns as in the other lines, found {len(fields)}; mend this line."
            )
        elif find_problem is not None:
            problem = find_problem(fields)
        if problem is not None:
            return InputError(problem, path=path, line=number)
    return InputError("the text cannot be split into columns; check its quotes.", path=path)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
