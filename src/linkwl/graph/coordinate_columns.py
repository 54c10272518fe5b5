"""Which columns of a node table hold coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from linkwl.errors import InputError
from linkwl.graph.column_words import column_key
from linkwl.graph.positions import Metric
from linkwl.typing import FloatArray

AUTO, NONE = "auto", "none"
LATITUDE = ("latitude", "lat", "latdeg", "latitudedeg")
LONGITUDE = ("longitude", "lon", "lng", "long", "londeg", "longitudedeg")
_BOUNDS = (("latitude", -90.0, 90.0), ("longitude", -180.0, 360.0))


class CoordinateColumns(NamedTuple):
    """The places of the columns, and what they measure."""

    columns: tuple[int, ...]
    metric: Metric

    def check(self, table: FloatArray, refuse: Callable[[int, str], InputError]) -> None:
        """Raises InputError if a value is no latitude or longitude."""
        if self.metric == "plane":
            return
        for k, (name, low, high) in enumerate(_BOUNDS):
            bad = np.flatnonzero((table[:, k] < low) | (table[:, k] > high))
            if len(bad):
                raise refuse(
                    int(bad[0]),
                    f"{table[bad[0], k]:g} is no {name}, which is {low:g} to {high:g} degrees; correct it, or say what "
                    "the columns are: --coordinates plane:COL,COL or none.",
                )


def find_coordinates(names: Sequence[str], wanted: str = AUTO) -> CoordinateColumns | None:
    """The columns that hold coordinates.

    Args:
        names: The names of all columns.
        wanted: ``auto`` for columns called ``lat`` and ``lon``, ``latitude`` and ``longitude`` or similar, or ``x`` and
            ``y``; ``none``; or names, as in ``map:breite,laenge`` (the latitude first) and ``plane:east,north``.

    Raises:
        InputError: If the text has another form, or there is no such column.
    """
    if wanted == NONE:
        return None
    keys = [column_key(name) for name in names]
    if wanted == AUTO:
        found = [next((keys.index(key) for key in group if key in keys), None) for group in (LATITUDE, LONGITUDE)]
        if None not in found:
            return CoordinateColumns((found[0] or 0, found[1] or 0), "map")
        return CoordinateColumns((keys.index("x"), keys.index("y")), "plane") if {"x", "y"} <= set(keys) else None
    kind, _, rest = wanted.partition(":")
    columns = [column.strip() for column in rest.split(",")]
    if kind not in ("map", "plane") or len(columns) != 2:
        raise InputError(
            f"coordinates {wanted!r}: expected auto, none, or two columns, as in map:lat,lon or plane:x,y."
        )
    for column in columns:
        if column not in names:
            listed = ", ".join(f"`{name}`" for name in names)
            raise InputError(f"coordinates {wanted!r}: there is no column `{column}`; the columns are {listed}.")
    return CoordinateColumns((names.index(columns[0]), names.index(columns[1])), "map" if kind == "map" else "plane")
