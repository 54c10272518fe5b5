"""The options that say what is known about nodes and pairs beyond the edges, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from linkwl.cli.option_groups import OptionGroup

_AUTO = "auto"
_PANEL = "What is known about nodes and pairs"


class MissingFeatures(StrEnum):
    """What to do about nodes without a row of features."""

    ERROR = "error"
    FILL = "fill"


@dataclass(frozen=True)
class Known:
    """What is known about the nodes and pairs of a graph: files, and how they are read."""

    features: Path | None = None
    missing_features: MissingFeatures = MissingFeatures.ERROR
    coordinates: str = _AUTO
    pair_features: Path | None = None
    types: Path | None = None

    @property
    def files(self) -> tuple[Path | None, ...]:
        """The files, which no output may overwrite."""
        return self.features, self.pair_features, self.types

    @property
    def of_graph(self) -> dict[str, object]:
        """The options that make sense only beside a graph, by name: those that are given.

        Numbers about pairs may also belong to the training graph.
        """
        given = {
            "features": self.features,
            "missing-features": self.missing_features.value,
            "coordinates": self.coordinates,
            "types": self.types,
        }
        return {name: value for name, value in given.items() if value not in (None, _AUTO, "error")}

    @property
    def origin(self) -> dict[str, str | None]:
        """The names of the files, for the record of a model."""
        named = {"pair_features": self.pair_features, "types": self.types}
        return {
            "features": None if self.features is None else str(self.features),
            **{option: str(path) for option, path in named.items() if path is not None},
        }


NOTHING_KNOWN = Known()


def _option(text: str, *, metavar: str | None = None) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel=_PANEL)


_FEATURES = "Table of nodes, by id: numbers, categories, dates, coordinates (CSV, Parquet); or a matrix (.npy, .npz)."
_MISSING = (
    "Nodes without a row of features, and rows of nodes that are not in the graph: an error, or filled with means and "
    "missing values, and ignored."
)
_COORDINATES = (
    "Columns of the features that are coordinates: auto (lat and lon, x and y), none, map:LAT,LON or plane:X,Y."
)
_PAIR_FEATURES = "Numbers about pairs: source, target, x1, x2, ... per line (CSV, Parquet)."
_TYPES = "Types of entities, CSV or Parquet: an entity and a type per row."

TypesOption = Annotated[Path | None, typer.Option(metavar="FILE", help=_TYPES)]
"""For commands without the other options."""

FEATURES = OptionGroup(
    {
        "features": (Annotated[Path | None, _option(_FEATURES, metavar="FILE")], None),
        "missing_features": (Annotated[MissingFeatures, _option(_MISSING)], MissingFeatures.ERROR),
        "coordinates": (Annotated[str, _option(_COORDINATES, metavar="COLS")], _AUTO),
        "pair_features": (Annotated[Path | None, _option(_PAIR_FEATURES, metavar="FILE")], None),
        "types": (Annotated[Path | None, _option(_TYPES, metavar="FILE")], None),
    },
    Known,
)
"""The options of commands that learn from a graph."""
_OTHER = Annotated[Path | None, _option("Node features of that graph, by id.", metavar="FILE")]
OTHER_FEATURES = OptionGroup({**FEATURES.options, "features": (_OTHER, None)}, Known)
"""The options of commands that apply a model to a graph other than its own."""
