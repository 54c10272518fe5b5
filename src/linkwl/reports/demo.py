"""The demonstration: which routes between US airports are missing?"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkwl.datasets import Airport, airport_table, load_airports
from linkwl.files import make_folder, replaced
from linkwl.predict import LinkPredictor, RankedLink
from linkwl.reports.airport_map import draw_airport_map
from linkwl.reports.model_report import ModelReport, make_report, write_report
from linkwl.reports.report_figures import svg_address
from linkwl.training import StepReport

CREDIT = (
    "Airports: OurAirports. Routes: U.S. Department of Transportation, Bureau of Transportation Statistics, July 2026; "
    "both by way of bokeh-sampledata. The model knows the network, not the distances: airports of one city may come "
    "out on top."
)


@dataclass(frozen=True)
class MissingRoute:
    """A route that is not flown and that the model expects."""

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


@dataclass(frozen=True)
class Demo:
    """What the demonstration found."""

    predictor: LinkPredictor
    report: ModelReport
    routes: tuple[MissingRoute, ...]


def run_demo(
    folder: Path,
    *,
    settings: Mapping[str, Any] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> Demo:
    """Learns from the airport graph, ranks the missing routes, explains the first ones and writes a page.

    Writes ``index.html``, ``map.svg``, ``map.png``, ``missing_routes.csv`` and the folder ``model``.
    """
    make_folder(folder)
    graph, airports = load_airports(), airport_table()
    predictor = LinkPredictor(settings=settings).fit(graph, on_step=on_step)
    labels = {code: f"{code} {airport.name}" for code, airport in airports.items()}
    report = make_report(
        predictor, title="Which routes are missing?", labels=labels, notes=(CREDIT,), on_stage=on_stage
    )
    routes = tuple(MissingRoute(link, airports[str(link.source)], airports[str(link.target)]) for link in report.top)
    pictures = [folder / "map.svg", folder / "map.png"]
    draw_airport_map([airports[str(code)] for code in graph.ids], graph.edges, report.top.pairs, pictures)
    report.images["map"] = svg_address(pictures[0].read_bytes())
    write_report(report, folder / "index.html")
    _write_routes(routes, folder / "missing_routes.csv")
    predictor.save(folder / "model")
    return Demo(predictor, report, routes)


def _write_routes(routes: tuple[MissingRoute, ...], path: Path) -> None:
    with replaced(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*RankedLink._fields, "source_name", "target_name", "distance_km"])
        writer.writerows([*route.link, route.source.name, route.target.name, route.distance_km] for route in routes)
