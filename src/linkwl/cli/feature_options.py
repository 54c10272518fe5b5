"""The options that say what is known about nodes and pairs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

FeaturesOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="What is known about nodes, by id: numbers, categories, dates, coordinates (CSV, Parquet); or a matrix "
        "(.npy, .npz).",
    ),
]
OtherFeaturesOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Node features of that graph, by id.")]


class MissingFeatures(StrEnum):
    """What to do about nodes without a row of features."""

    ERROR = "error"
    FILL = "fill"


MissingFeaturesOption = Annotated[
    MissingFeatures,
    typer.Option(help="Nodes without a row of features: an error, or filled with means and missing values."),
]
CoordinatesOption = Annotated[
    str,
    typer.Option(
        metavar="COLS",
        help="Columns of the features that are coordinates: auto (lat and lon, x and y), none, map:LAT,LON or "
        "plane:X,Y.",
    ),
]
PairFeaturesOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Numbers about pairs: source, target, x1, x2, ... per line (CSV, Parquet)."),
]
