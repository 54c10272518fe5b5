"""Two columns of node names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_graph
from linkwl.graph.direction import build_directed
from linkwl.graph.edge_columns import Merge, Times
from linkwl.graph.graph import Graph
from linkwl.graph.name_maps import BadIdError
from linkwl.graph.reading import AS_DECLARED, Reading
from linkwl.graph.sides import decide_sides
from linkwl.typing import FloatArray


class Declared(NamedTuple):
    """What a source declares about the directions and the sides of its edges; None for nothing."""

    directed: bool | None = None
    bipartite: bool | None = None
    reason: str = ""
    """How it declares that, in words."""


NOTHING_DECLARED = Declared()


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
    names: tuple[str, str] | None = None
    """The names of the two columns, if they have names."""
    declared: Declared = NOTHING_DECLARED

    def to_graph(self, path: Path | None, *, name: str, reading: Reading = AS_DECLARED) -> Graph:
        """The graph whose edges are the rows."""
        declared = self.declared
        sides = decide_sides(
            reading.bipartite,
            self.source,
            self.target,
            declared=declared.bipartite,
            reason=declared.reason,
            names=self.names,
        )

        def build(is_directed: bool) -> Graph:
            return build_graph(
                self.source,
                self.target,
                is_directed=is_directed,
                name=name,
                form=self.form,
                notes=(*self.notes, *sides.notes),
                path=path,
                weight=self.weight,
                time=self.time,
                merge=self.merge,
                has_sides=sides.are_separate,
            )

        try:
            if sides.are_separate:
                if reading.directed is True:
                    raise InputError("the two sides already tell the ends apart; leave out --directed.", path=path)
                return build(False)
            return build_directed(
                build, reading.directed, declared=declared.directed, reason=declared.reason, names=self.names
            )
        except BadIdError as error:
            raise InputError(error.problem, path=path, line=self.line_of(error.text)) from None
