"""The dialect of a table in text form: the separator of its columns, and whether it has a header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.readers.text_source import SAMPLE_BYTES, numbered_lines

_DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}
_COMMENTS = ("#", "%", "sep=")  # the last is Excel's
_LOOSE_SPACES = re.compile(r"^ |\t|  | $")
_FEWEST_LINES, _MOST_LINES, _MOST_COMMENTS = 16, 1000, 20
_LONGEST_LINE, _MOST_COLUMNS = 1 << 23, 1 << 18
NOT_UTF8 = "this line is not UTF-8 text; save the file as UTF-8, or name its encoding with --encoding, as in latin-1."
_NUMBER = re.compile(r"\s*[+-]?(\d++(?:\.\d*+)?|\.\d++)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf|infinity)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """The dialect detected from the first lines of a text."""

    delimiter: str
    num_columns: int
    header: tuple[str, ...] | None
    """Column names, if the first row holds them."""
    first_line: int
    """The line of the first row of data."""
    offset: int
    """The offset of that line, in bytes."""
    sample: tuple[tuple[str, ...], ...]
    """The fields of the first rows of data."""
    has_loose_spaces: bool
    """Whether runs of spaces or tabs separate the columns."""

    block_bytes: int
    """Bytes to parse at once: several times the longest line."""

    comments: tuple[str, ...] = ()
    """The first comments above the rows."""

    @property
    def form(self) -> str:
        """The dialect in words."""
        return f"{_DELIMITERS[self.delimiter]}-separated text"

    def fields(self, line: bytes) -> list[str]:
        """The fields of one line; undecodable bytes are replaced."""
        text = line.decode(errors="replace")
        fields = split_line(text, self.delimiter, self.has_loose_spaces)
        if self.delimiter == " " and len(fields) != self.num_columns:
            return split_line(text, " ", is_loose=True)  # single spaces in the first lines only
        return fields


Rows = list[tuple[str, ...]]


class Sample(NamedTuple):
    """The first lines of a text, split into fields."""

    lines: list[tuple[int, int, str]]
    """Number, offset and text of each."""
    rows: Rows
    comments: tuple[str, ...]
    """The comments above them."""
    delimiter: str
    num_columns: int
    is_loose: bool
    """Whether runs of spaces or tabs separate the columns."""

    @property
    def form(self) -> str:
        """The dialect in words."""
        return f"{_DELIMITERS[self.delimiter]}-separated text"


def detect_dialect(
    content: pa.Buffer,
    path: Path,
    *,
    expected: str,
    is_header: Callable[[Rows], bool],
    below: Callable[[Sequence[str]], str] | None = None,
    skip_bad: bool = False,
) -> Dialect:
    """Detects the dialect from the first lines: a thousand of them, or 64 kB, or more if they are long.

    Args:
        content: The whole text.
        path: The file, for error messages.
        expected: The expected content of a line, in words, for the error about a single column.
        is_header: Whether the first of the rows names the columns.
        below: The expected content of a line below these column names, if it depends on them.
        skip_bad: Whether to pass over lines that are not UTF-8.
    """
    sample = sample_text(content, path, expected=expected, skip_bad=skip_bad)
    lines, rows, comments, delimiter, num_columns, is_loose = sample
    texts = [text for _, _, text in lines]
    header = rows[0] if is_header(rows) else None
    if header is not None:
        if len(rows) == 1:
            missing = expected if below is None else below(header)
            raise InputError(f"there is only a header in it; expected {missing} below.", path=path, line=lines[0][0])
        if len(header) != num_columns:
            problem = f"the header has {len(header)} columns, the rows below have {num_columns}; make them agree."
            raise InputError(problem, path=path, line=lines[0][0])
        lines, rows = lines[1:], rows[1:]
    number, offset, _ = lines[0]
    block_bytes = min(max(1 << 20, 16 * max(map(len, texts))), 1 << 30)
    return Dialect(delimiter, num_columns, header, number, offset, tuple(rows), is_loose, block_bytes, comments)


def sample_text(content: pa.Buffer, path: Path, *, expected: str, skip_bad: bool = False) -> Sample:
    """The first lines of a text that are not empty; leading ones that start with ``#`` or ``%`` are comments."""
    lines: list[tuple[int, int, str]] = []
    comments: list[str] = []
    for number, offset, line in numbered_lines(content):
        if len(lines) > _MOST_LINES or (offset > SAMPLE_BYTES and len(lines) > _FEWEST_LINES):
            break
        if len(line) > _LONGEST_LINE:
            problem = f"this line has {len(line):,} bytes, more than a row of a table can have; put each row on a line."
            raise InputError(problem, path=path, line=number)
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            if skip_bad:
                continue
            raise InputError(NOT_UTF8, path=path, line=number) from error
        if not lines and text.startswith(_COMMENTS):
            comments += [text] if len(comments) < _MOST_COMMENTS else []
        elif text.strip():
            lines.append((number, offset, text))
    if not lines:
        raise InputError(f"there are only comments in it; expected {expected}.", path=path)
    texts = [text for _, _, text in lines]
    delimiter, num_columns, is_loose = _find_delimiter(texts, path, lines[0][0], expected)
    if num_columns > _MOST_COLUMNS:
        problem = f"found {num_columns:,} columns, at most {_MOST_COLUMNS:,} are read; write a matrix as .npz."
        raise InputError(problem, path=path, line=lines[0][0])
    rows = [tuple(split_line(text, delimiter, is_loose)) for text in texts]
    return Sample(lines, rows, tuple(comments), delimiter, num_columns, is_loose)


def split_line(text: str, delimiter: str, is_loose: bool) -> list[str]:
    """The fields of one line, without the spaces around them."""
    if is_loose:
        text = " ".join(re.findall(r"[^ \t\v\f]+", text))
    try:
        fields = next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:  # a field of more than 128 kB
        fields = text.split(delimiter)
    return [field.strip() for field in fields]


def is_number(text: str) -> bool:
    """Whether a field is written as a number (NaN and infinity included)."""
    return _NUMBER.fullmatch(text) is not None


def is_value(field: str) -> bool:
    """Whether a field can be a weight or a time: a number, perhaps with a decimal comma, or nothing."""
    return not field or is_number(field.replace(",", "."))


def unclear_ends_problem(num_columns: int, *, may_be_triples: bool = False) -> str:
    """The sentence for a table whose end columns are ambiguous, and which may hold triples in its first three."""
    found = f"{num_columns} columns, and nothing says which two hold the node ids; "
    if may_be_triples:
        return (
            f"{found}if column 2 holds the relations of triples, as its repeated names suggest, use --relation 2; for "
            "edges, name the two columns with --source and --target."
        )
    return f"{found}name them with --source and --target (for triples: name the column of relations with --relation)."


def _find_delimiter(texts: list[str], path: Path, line: int, expected: str) -> tuple[str, int, bool]:
    """A delimiter that splits most lines into the same number of fields, two or more.

    A tab has the highest priority and a space the lowest. Among the others the one that occurs first in the lines wins:
    the comma in ``1;2;0,5`` is a decimal comma.
    """
    for group in ("\t", ",;|", " "):
        found = []
        for delimiter in group:
            is_loose = delimiter == " " and any(map(_LOOSE_SPACES.search, texts))
            rows = [split_line(text, delimiter, is_loose) for text in texts]
            num_columns, votes = Counter(map(len, rows)).most_common(1)[0]
            if num_columns >= 2 and 2 * votes >= len(texts):
                found.append((sum(len(row[0]) for row in rows), delimiter, num_columns, is_loose))
        if found:
            return min(found)[1:]
    raise InputError(
        f"found one column, expected {expected}, separated by commas, tabs, semicolons, bars or spaces.",
        path=path,
        line=line,
    )
