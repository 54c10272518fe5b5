"""How a table is written as text: what separates its columns, and whether its first row names them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.readers.text_source import SAMPLE_BYTES

_DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(nan|inf|infinity)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """What was found out from the first lines of a text."""

    delimiter: str
    num_columns: int
    header: tuple[str, ...] | None
    """Column names, if the first row holds them."""
    first_line: int
    """The line of the first row of data."""
    offset: int
    """Where that line starts, in bytes."""
    sample: tuple[tuple[str, ...], ...]
    """The fields of the first rows of data."""
    has_loose_spaces: bool
    """Whether runs of spaces or tabs separate the columns."""

    @property
    def form(self) -> str:
        """In words."""
        return f"{_DELIMITERS[self.delimiter]}-separated text"

    def fields(self, line: bytes) -> list[str]:
        """The fields of one line; undecodable bytes are replaced."""
        return split_line(line.decode(errors="replace"), self.delimiter, self.has_loose_spaces)


def detect_dialect(content: pa.Buffer, path: Path, *, expected: str) -> Dialect:
    """Reads the dialect off the first 64 kB.

    Leading lines that start with ``#`` or ``%`` are comments. The first row is a header if its fields are words where
    the rows below have numbers, or if they are usual names of columns (``source``, ``target``, ...) that no row
    repeats.

    Args:
        content: The whole text.
        path: The file to blame.
        expected: What a line should hold, in words, for the error when there is one column only.
    """
    sample = content.slice(0, min(SAMPLE_BYTES, content.size)).to_pybytes()
    raw = sample.splitlines(keepends=True)
    if content.size > len(sample) and len(raw) > 1:
        raw.pop()  # cut off in the middle
    lines: list[tuple[int, int, str]] = []  # number, offset, text
    offset = 0
    for number, line in enumerate(raw, start=1):
        try:
            text = line.decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise InputError("this line is not UTF-8 text; save the file as UTF-8.", path=path, line=number) from error
        if text.strip() and not (text.startswith(("#", "%")) and not lines):
            lines.append((number, offset, text))
        offset += len(line)
    if not lines:
        raise InputError(f"there are only comments in it; expected {expected}.", path=path)
    texts = [text for _, _, text in lines]
    delimiter, num_columns, is_loose = _find_delimiter(texts, path, lines[0][0], expected)
    rows = [tuple(split_line(text, delimiter, is_loose)) for text in texts]
    header = rows[0] if _is_header(rows) else None
    if header is None:
        number, offset, _ = lines[0]
        return Dialect(delimiter, num_columns, None, number, offset, tuple(rows), is_loose)
    if len(rows) == 1:
        raise InputError(f"there is only a header in it; expected {expected} below.", path=path, line=lines[0][0])
    if len(header) != num_columns:
        problem = f"the header has {len(header)} columns, the rows below have {num_columns}; make them agree."
        raise InputError(problem, path=path, line=lines[0][0])
    number, offset, _ = lines[1]
    return Dialect(delimiter, num_columns, header, number, offset, tuple(rows[1:]), is_loose)


def split_line(text: str, delimiter: str, is_loose: bool) -> list[str]:
    """The fields of one line, without the spaces around them."""
    if is_loose:
        return text.split()
    return [field.strip() for field in next(csv.reader([text], delimiter=delimiter), [])]


def is_number(text: str) -> bool:
    """Whether a field is written as a number (NaN and infinity included)."""
    return _NUMBER.fullmatch(text) is not None


def column_key(name: str) -> str:
    """A column's name for comparison: lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


# fmt: off
SOURCE_NAMES = ("source", "src", "from", "head", "start", "u", "i", "node1", "id1", "nodea", "sourceid", "srcid",
                "fromid", "fromnode", "fromnodeid")
TARGET_NAMES = ("target", "dst", "dest", "destination", "to", "tail", "end", "v", "j", "node2", "id2", "nodeb",
                "targetid", "dstid", "toid", "tonode", "tonodeid")
# fmt: on
NODE_NAMES = ("node", "nodeid", "id", "name")
_COLUMN_NAMES = {*SOURCE_NAMES, *TARGET_NAMES, *NODE_NAMES, "relation", "weight"}


def _find_delimiter(texts: list[str], path: Path, line: int, expected: str) -> tuple[str, int, bool]:
    """The first delimiter that cuts most lines into the same number of fields, two or more."""
    for delimiter in _DELIMITERS:
        is_loose = delimiter == " " and any(text != " ".join(text.split()) for text in texts)
        counts = Counter(len(split_line(text, delimiter, is_loose)) for text in texts)
        num_columns, votes = counts.most_common(1)[0]
        if num_columns >= 2 and 2 * votes >= len(texts):
            return delimiter, num_columns, is_loose
    raise InputError(
        f"found one column, expected {expected}, separated by commas, tabs, semicolons, bars or spaces.",
        path=path,
        line=line,
    )


def _is_header(rows: list[tuple[str, ...]]) -> bool:
    first, rest = rows[0], rows[1:]
    if any(is_number(field) for field in first):
        return False
    if any(all(is_number(field) for field in column) for column in zip(*rest, strict=False)):
        return True
    named = sum(column_key(field) in _COLUMN_NAMES for field in first)
    return named >= 2 and not any(set(first) & set(row) for row in rest)
