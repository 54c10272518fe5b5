"""Files of records: one line of JSON per record, small enough to rewrite the whole file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from linkwl.errors import InputError
from linkwl.files import exclusive, make_folder, parse_json, write_text

T = TypeVar("T")
Row: TypeAlias = dict[str, Any]


def read_rows(path: Path, parse: Callable[[Row], T], what: str) -> list[T]:
    """The result of ``parse`` for every line, in order; empty if the file is, or does not exist.

    Args:
        path: The file.
        parse: Raises ``InputError`` with its own sentence, or ``ValueError``, ``KeyError``, ``TypeError`` or
            ``AttributeError``, if the values are not those of a record.
        what: What a line records, for error messages.

    Raises:
        InputError: If a line is damaged, with its number.
    """
    text = path.read_bytes() if path.exists() else b""
    found = []
    for number, line in enumerate(text.removesuffix(b"\n").split(b"\n") if text else (), start=1):
        try:
            found.append(parse(parse_json(line.decode())))
        except InputError as error:
            raise InputError(error.problem, path=path, line=number) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problem = f"this is not a readable record of {what}; delete the line, and measure again."
            raise InputError(problem, path=path, line=number) from error
    return found


def put_row(path: Path, row: Row, key: Callable[[Row], Any], what: str) -> None:
    """Inserts a row, replacing one with the same key; rows are sorted by key.

    The file is replaced atomically, its folder is created, and concurrent commands do not lose rows.

    Raises:
        InputError: If an existing line is damaged.
        OutputError: If the file cannot be written.
    """
    with exclusive(make_folder(path.parent)):
        rows = dict(read_rows(path, lambda row: (key(row), row), what)) | {key(row): row}
        write_text(path, "".join(json.dumps(rows[k], allow_nan=False) + "\n" for k in sorted(rows)))
