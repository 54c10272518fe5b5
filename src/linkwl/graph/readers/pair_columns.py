"""Two columns of node names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_graph
from linkwl.graph.edge_columns import Merge, Times
from linkwl.graph.graph import Graph
from linkwl.graph.name_maps import BadIdError
from linkwl.typing import FloatArray


def _no_line(_: str) -> None:
    return None


@dataclass(frozen=True)
class PairColumns:
    """Two columns of node names in the order of a file, with weights and times."""

    source: pa.ChunkedArray
    target: pa.ChunkedArray
    form: str
    notes: tuple[str, ...]
    line_of: Callable[[str], int | None] = _no_line
    """The first line with a name in one of the two columns, if the file has lines."""
    weight: FloatArray | None = None
    time: Times | None = None
    merge: Merge = "sum"
    """How the weights of duplicates are merged."""

    def to_graph(self, path: Path | None, *, name: str, directed: bool | None = None) -> Graph:
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
                weight=self.weight,
                time=self.time,
                merge=self.merge,
            )
        except BadIdError as error:
            raise InputError(error.problem, path=path, line=self.line_of(error.text)) from None
