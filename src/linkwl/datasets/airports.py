"""The graph of pairs that is part of the package: direct flights between US airports; it needs no network access."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import pyarrow as pa

from linkwl.graph import Graph, build_graph
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions


@dataclass(frozen=True)
class Airport:
    """A node of the airport graph."""

    code: str
    """IATA code, the node's id."""
    name: str
    city: str
    latitude: float
    """Degrees north."""
    longitude: float
    """Degrees east: negative in most of the United States."""


def load_airports(*, with_places: bool = False) -> Graph:
    """US domestic routes, July 2026: 352 airports by IATA code, 3017 undirected routes.

    Args:
        with_places: Whether the graph has the coordinates of the airports, as that of the catalogue does.

    Example:
        >>> load_airports()
        Graph('airports', 352 nodes, 3017 edges)
        >>> load_airports(with_places=True)
        Graph('airports', 352 nodes, 3017 edges, coordinates)
    """
    routes = [(row["source"], row["target"]) for row in _rows("routes.csv")]
    source, target = map(pa.array, zip(*routes, strict=True))
    graph = build_graph(source, target, name="airports", form="embedded table")
    if not with_places:
        return graph
    airports = airport_table()
    places = np.array([(airports[str(code)].latitude, airports[str(code)].longitude) for code in graph.ids])
    return graph.with_attributes(Attributes(positions=Positions(places, "map")))


def airport_table() -> dict[str, Airport]:
    """Name, city and location of each airport, by its code.

    Example:
        >>> airport_table()["SFO"].city
        'San Francisco'
    """
    return {
        row["code"]: Airport(row["code"], row["name"], row["city"], float(row["latitude"]), float(row["longitude"]))
        for row in _rows("airports.csv")
    }


def _rows(table: str) -> Iterator[dict[str, str]]:
    text = (files("linkwl.datasets") / "embedded" / table).read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines())
