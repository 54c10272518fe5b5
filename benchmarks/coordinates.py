"""What coordinates add: how many hidden links are among the first pairs of a ranking, with places and without.

A tenth of the links is hidden, `LinkPredictor` is fitted to the rest with default settings, and all pairs that are not
linked are ranked. Of as many pairs as links were hidden, the share that was hidden is the precision. One split each.

The places of the Polish grid are no map: its package draws the grid by its lines, the hidden ones included, so they
give the answer away. Its row is for comparison only. The grids of a district and of a village have real places.

    python benchmarks/coordinates.py           the figures, as JSON
    python benchmarks/coordinates.py table     the record as a table
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from measure import collected, draws_table
from package_graphs import (
    district_grid,
    district_places,
    minnesota_places,
    minnesota_roads,
    placed_graph,
    polish_drawing,
    polish_grid,
    village_grid,
    village_places,
)

from linkwl import Graph, LinkPredictor
from linkwl.datasets import load_airports
from linkwl.protocols import PAPER

MODELS = ("walk-2fwl", "boosting")
SEED = 0
DRAWN = "polish grid"
"""The graph whose places were computed from its links."""
GRAPHS: dict[str, Callable[[], Graph]] = {
    "airports": lambda: load_airports(with_places=True),
    "district grid": lambda: placed_graph(district_grid, district_places, "map"),
    "minnesota roads": lambda: placed_graph(minnesota_roads, minnesota_places, "map"),
    "village grid": lambda: placed_graph(village_grid, village_places, "map"),
    DRAWN: lambda: placed_graph(polish_grid, polish_drawing, "plane"),
}
RECORD = Path(__file__).parent / "results" / "coordinates.json"


class Run(NamedTuple):
    """One ranking."""

    graph: str
    model: str
    has_places: bool

    def __str__(self) -> str:
        return f"{self.model} on {self.graph} {'with' if self.has_places else 'without'} places"


def measure(run: Run) -> dict[str, Any]:
    """The share of hidden links among as many pairs as were hidden, and among the first hundred."""
    graph = GRAPHS[run.graph]()
    graph = graph if run.has_places else graph.with_attributes(None)
    split = PAPER.apply(graph, SEED)
    count = len(split.test.positives)
    found = (
        LinkPredictor(run.model, seed=SEED).fit(split.test.observed).recommend(max(count, 100), ranking="exact").queries
    )
    is_link = graph.has_edges(found)
    return {
        "what": f"precision of {run}",
        "value": float(is_link[:count].mean()),
        "first_100": float(is_link[:100].mean()),
        "hidden": count,
        **run._asdict(),
    }


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table; a run that is missing has a dash."""
    found = {(figure["graph"], figure["model"], figure["has_places"]): figure for figure in figures}
    columns = [(model, has_places) for model in MODELS for has_places in (False, True)]
    names = [f"{model}, {'with' if has_places else 'without'} places" for model, has_places in columns]
    lines = [f"| graph | hidden links | {' | '.join(names)} |", "|---|--:|" + "--:|" * len(names)]
    for graph in GRAPHS:
        row = [found.get((graph, *column)) for column in columns]
        if not any(row):
            continue
        hidden = next(figure["hidden"] for figure in row if figure)
        drawn = " (places drawn from its lines)" if graph == DRAWN else ""
        cells = " | ".join("–" if figure is None else f"{100 * figure['value']:.1f} %" for figure in row)
        lines.append(f"| {graph}{drawn} | {hidden:,} | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    runs = [Run(graph, model, places) for graph in GRAPHS for model in MODELS for places in (True, False)]
    json.dump(collected(measure, runs, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
