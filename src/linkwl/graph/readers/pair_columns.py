"""Two columns of node names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import BadIdError, build_graph
from linkwl.graph.graph import Graph


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

    def to_graph(self, path: Path, *, name: str, directed: bool | None = None) -> Graph:
        """The graph whose edges are the rows."""
        try:
            return build_graph(
                self.source,
                self.target,
                is_directed=bool(directed),
                name=name,
                form=self.form,
                notes=self.notes,
                path=path,
            )
        except BadIdError as error:
            raise InputError(error.problem, path=path, line=self.line_of(error.text)) from None
