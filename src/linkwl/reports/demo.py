"""The demonstration: which routes between US airports are missing?"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import jinja2
import numpy as np

from linkwl.datasets import Airport, airport_table, load_airports
from linkwl.files import make_folder, replaced, write_text
from linkwl.graph import Graph
from linkwl.models import create_model, rank_missing_links
from linkwl.models.registry import HEURISTICS
from linkwl.records import Evaluation, RunRecord
from linkwl.reports.airport_map import draw_airport_map
from linkwl.splits import PAPER
from linkwl.training import evaluate_models


@dataclass(frozen=True)
class MissingRoute:
    """A route that is not flown and that the best model expects."""

    rank: int
    source: Airport
    target: Airport
    score: float
    shared: tuple[str, ...]
    """Codes of the airports that both ends fly to, the busiest first."""

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

    evaluation: Evaluation
    best: str
    routes: tuple[MissingRoute, ...]

    @property
    def valid_auc(self) -> dict[str, float]:
        """Mean AUC on validation links by model: what the best one was chosen by."""
        return mean_valid_auc(self.evaluation)


def mean_valid_auc(evaluation: Evaluation) -> dict[str, float]:
    """Mean AUC on validation links, by model."""
    valid: dict[str, list[float]] = {}
    for run in evaluation.runs:
        valid.setdefault(run.model, []).append(run.valid["auc"])
    return {model: fmean(values) for model, values in valid.items()}


def run_demo(
    folder: Path, *, seeds: int = PAPER.seeds, top_k: int = 15, on_run: Callable[[RunRecord], None] | None = None
) -> Demo:
    """Evaluates every model on the airport graph, ranks the missing routes with the best, and writes a report.

    The best model is the one with the highest mean AUC on the *validation* links. Writes ``index.html``, ``map.svg``,
    ``map.png``, ``missing_routes.csv`` and ``evaluation.json`` into ``folder``.
    """
    make_folder(folder)
    graph = load_airports()
    models = [create_model(name) for name in HEURISTICS]
    evaluation = evaluate_models(graph, models, PAPER, range(seeds), on_run=on_run)
    valid_auc = mean_valid_auc(evaluation)
    best = max(valid_auc, key=valid_auc.__getitem__)
    demo = Demo(evaluation, best, _rank(graph, best, top_k))
    _write(demo, graph, folder)
    return demo


def _rank(graph: Graph, model: str, top_k: int) -> tuple[MissingRoute, ...]:
    airports = airport_table()
    codes = list(map(str, graph.ids))
    pairs, scores = rank_missing_links(create_model(model), graph, top_k)
    routes = []
    for rank, ((p, q), score) in enumerate(zip(pairs, scores, strict=True), start=1):
        shared = np.intersect1d(graph.neighbours(p), graph.neighbours(q))
        shared = shared[np.argsort(-graph.degree[shared], kind="stable")]
        names = tuple(codes[v] for v in shared)
        routes.append(MissingRoute(rank, airports[codes[p]], airports[codes[q]], float(score), names))
    return tuple(routes)


def _write(demo: Demo, graph: Graph, folder: Path) -> None:
    airports = airport_table()
    missing = graph.ids.indices([end.code for route in demo.routes for end in (route.source, route.target)])
    draw_airport_map(
        [airports[str(code)] for code in graph.ids],
        graph.edges,
        missing.reshape(-1, 2),
        [folder / "map.svg", folder / "map.png"],
    )
    demo.evaluation.save(folder / "evaluation.json")
    with (
        replaced(folder / "missing_routes.csv") as temporary,
        temporary.open("w", newline="", encoding="utf-8") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(["source", "target", "score", "rank", "source_name", "target_name", "distance_km"])
        for route in demo.routes:
            ends = (route.source, route.target)
            codes, names = [end.code for end in ends], [end.name for end in ends]
            writer.writerow([*codes, f"{route.score:.6g}", route.rank, *names, route.distance_km])
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("linkwl.reports"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    titles = {name: model.title for name, model in HEURISTICS.items()}
    page = environment.get_template("demo.html").render(demo=demo, titles=titles)
    write_text(folder / "index.html", page)
