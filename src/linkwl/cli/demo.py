"""``linkwl demo``: the whole workflow on an embedded graph."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import QuietOption, check_json_target, console, say, write_json
from linkwl.cli.graph_argument import JsonOption
from linkwl.cli.progress import progress_bar
from linkwl.cli.train import result_text, show_step

if TYPE_CHECKING:
    from linkwl.graph import Observed
    from linkwl.predict import LinkPredictor
    from linkwl.predict.summary import ModelSummary
    from linkwl.records import RunRecord, TrainingRecord


class DemoGraph(StrEnum):
    """The graphs that are part of the package."""

    AIRPORTS = "airports"
    WORLD = "world"


def demo(
    graph: Annotated[DemoGraph, typer.Option(help="Routes between US airports, or facts about countries.")] = (
        DemoGraph.AIRPORTS
    ),
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the report.")] = Path("linkwl-demo"),
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Find missing routes between US airports: train, evaluate, rank, explain, draw a map, write a report.

    With --graph world, find missing facts about countries. Neither needs network access or files: the graphs are part
    of the package.

    [bold]Examples[/]

      linkwl demo --out demo

      linkwl demo --graph world --out world-demo
    """
    from linkwl.locks import locked

    check_json_target(json)
    show = _show_airports if graph is DemoGraph.AIRPORTS else _show_world
    with locked(out):
        record = show(out).record
    write_json(json, record.to_json())


def _show_airports(out: Path) -> ModelSummary:
    from rich.table import Table

    from linkwl.datasets import airport_table, load_airports
    from linkwl.reports.demo import write_demo

    predictor, summary = _fit(load_airports(with_places=True), "training on the airport graph")
    routes = write_demo(summary, airport_table(), out)
    predictor.save(out / "model")
    say(f"{headline(summary.record, summary.heuristics)} The likeliest missing routes:")
    table = Table(box=None, header_style="bold")
    for column in ("#", "from", "to", "km", "probability"):
        table.add_column(column, justify="left" if column in ("from", "to") else "right")
    for route in routes:
        ends = (f"{end.code} {end.city}" for end in (route.source, route.target))
        table.add_row(str(route.link.rank), *ends, f"{route.distance_km:,}", f"{route.link.probability:.3f}")
    console.print(table)
    say(
        f"open {out / 'index.html'} in a browser; the list is in {out / 'missing_routes.csv'}; for more predictions run"
    )
    say(f"  linkwl predict {out / 'model'} --top-k 5 --for JNU")
    return summary


def headline(record: TrainingRecord, heuristics: Sequence[RunRecord]) -> str:
    """How well the model finds test links, beside the heuristic that validation links choose and the best one.

    A user has no test links to choose a heuristic by, so the first is the fair rival; the second is a bound.
    """
    from linkwl.metrics import find_metric
    from linkwl.models.registry import find_row

    metric = find_metric(record.selects)
    chosen = max(heuristics, key=lambda run: run.valid[metric.id])
    best = max(heuristics, key=lambda run: run.metrics[metric.id])

    def text(run: RunRecord) -> str:
        return f"{find_row(run.model).title} ({run.model}) with {100 * run.metrics[metric.id]:.1f} %"

    if best is chosen:
        others = "no other one is better on the hidden routes themselves"
    else:
        others = f"on the hidden routes themselves, the best is {text(best)}"
    return (
        f"{record.model} finds hidden routes with {100 * record.test[metric.id]:.1f} % {metric.title}. Of "
        f"{len(heuristics)} heuristics, the best on validation links is {text(chosen)}; {others}."
    )


def _show_world(out: Path) -> ModelSummary:
    from linkwl.cli.predict_output import ranking_table
    from linkwl.datasets import load_world, place_table
    from linkwl.reports.world_demo import write_world_demo

    predictor, summary = _fit(load_world(), "training on facts about countries")
    assert summary.triples is not None
    first, *_ = write_world_demo(summary, place_table(), out)
    predictor.save(out / "model")
    say(f"{result_text(summary.record, 'triples')}; the likeliest missing facts:")
    console.print(ranking_table(summary.top))
    say("the likeliest missing fact of each relation:")
    console.print(ranking_table(summary.triples.best))
    say(f"open {out / 'index.html'} in a browser; the list is in {out / 'missing_facts.csv'}; for more predictions run")
    say(f"  linkwl predict {out / 'model'} --top-k 5 --for France")
    triple = " ".join(f'"{name}"' for name in first[:3])
    say(f"  linkwl explain {out / 'model'} --triple {triple}")
    return summary


def _fit(graph: Observed, stage: str) -> tuple[LinkPredictor, ModelSummary]:
    """A predictor with default settings, and the contents of its report."""
    from linkwl.predict import LinkPredictor
    from linkwl.predict.summary import summarise

    with progress_bar() as bar:
        task = bar.add_task(stage, total=None)
        predictor = LinkPredictor().fit(graph, on_step=lambda report: show_step(bar, task, report))
        bar.update(task, visible=False)
        stages = bar.add_task("measuring", total=None)
        return predictor, summarise(predictor, on_stage=lambda stage: bar.update(stages, description=stage))
