"""Two columns of node names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa


def _no_line(_: str) -> None:
    return None


@dataclass(frozen=True)
class PairColumns:
    """Two columns of node names, as a file lists them."""

    source: pa.ChunkedArray
    target: pa.ChunkedArray
    form: str
    notes: tuple[str, ...]
    line_of: Callable[[str], int | None] = _no_line
    """The first line where a name stands in one of the two columns, if the file has lines."""
