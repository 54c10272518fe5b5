"""Graphs from an open file, such as standard input."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linkwl.errors import InputError


def is_stream(source: Any) -> bool:
    """Whether the object is an open file."""
    return isinstance(source, io.IOBase) or (hasattr(source, "read") and hasattr(source, "readable"))


@contextmanager
def saved_stream(stream: Any, kind: str | None) -> Iterator[Path]:
    """The content of an open file, as a temporary file; errors about it name standard input, or the file's own name.

    Args:
        stream: The open file, of bytes or of text.
        kind: The format of the content; by default that of the file's name, or text.
    """
    name = getattr(stream, "name", None)
    shown = "standard input" if name in ("<stdin>", 0) or not isinstance(name, str) else name
    ending = f".{kind}" if kind is not None else "".join(Path(shown).suffixes)
    with tempfile.TemporaryDirectory(prefix="linkwl-") as folder:
        path = Path(folder) / f"graph{ending}"
        try:
            with path.open("wb") as file:
                shutil.copyfileobj(_as_bytes(stream), file)
            yield path
        except InputError as error:
            if error.path != path:
                raise
            raise InputError(error.problem, path=shown, line=error.line) from error


def _as_bytes(stream: Any) -> Any:
    if isinstance(stream, io.TextIOBase):
        return io.BytesIO(stream.read().encode()) if not hasattr(stream, "buffer") else stream.buffer
    return stream
