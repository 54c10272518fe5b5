"""The files of the demonstration: which routes between US airports are missing?"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from linkwl.datasets import Airport
from linkwl.files import make_folder, replaced
from linkwl.predict.ranking import RankedLink
from linkwl.reports.airport_map import draw_airport_map
from linkwl.reports.model_report import write_report
from linkwl.reports.themes import read_picture

if TYPE_CHECKING:
    from linkwl.predict.summary import ModelSummary

CREDIT = (
    "Airports: OurAirports. Routes: U.S. Department of Transportation, Bureau of Transportation Statistics, July 2026; "
    "both by way of bokeh-sampledata. The model knows the network and where the airports are."
)


@dataclass(frozen=True)
class MissingRoute:
    """A route that the model predicts and nobody flies."""

    link: RankedLink
    source: Airport
    target: Airport

    @property
    def distance_km(self) -> int:
        """Great-circle distance."""
        (a, b), (c, d) = (
            (math.radians(airport.latitude), math.radians(airport.longitude)) for airport in (self.source, self.target)
        )
        haversine = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
        return round(2 * 6371 * math.asin(math.sqrt(haversine)))


def write_demo(summary: ModelSummary, airports: Mapping[str, Airport], folder: Path) -> tuple[MissingRoute, ...]:
    """Writes ``index.html``, ``map.svg``, ``map.png`` and ``missing_routes.csv``.

    Args:
        summary: A model of the airport graph, with its top-ranked links.
        airports: The airports by code.
        folder: The output folder; created if missing.

    Returns:
        The top-ranked routes.
    """
    make_folder(folder)
    links = [row for row in summary.top if isinstance(row, RankedLink)]
    routes = tuple(MissingRoute(link, airports[str(link.source)], airports[str(link.target)]) for link in links)
    pictures = [folder / "map.svg", folder / "map.png"]
    places = [airports[str(code)] for code in summary.graph.ids]
    draw_airport_map(places, summary.graph.facts, summary.top.queries, pictures)
    with TemporaryDirectory() as scratch:
        narrow = Path(scratch) / "map.svg"
        draw_airport_map(places, summary.graph.facts, summary.top.queries, [narrow], is_narrow=True)
        images = {"map": read_picture(pictures[0]), "narrow map": read_picture(narrow)}
    write_report(
        summary,
        folder / "index.html",
        title="Which routes are missing?",
        labels={code: f"{code} {airport.name}" for code, airport in airports.items()},
        notes=(CREDIT,),
        images=images,
    )
    _write_routes(routes, folder / "missing_routes.csv")
    return routes


def _write_routes(routes: tuple[MissingRoute, ...], path: Path) -> None:
    with replaced(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*RankedLink._fields, "source_name", "target_name", "distance_km"])
        writer.writerows([*route.link, route.source.name, route.target.name, route.distance_km] for route in routes)
