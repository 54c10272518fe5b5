"""``linkwl demo``: the whole workflow on the embedded graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.graph_argument import JsonOption
from linkwl.cli.train import show_step


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the report.")] = Path("linkwl-demo"),
    json: JsonOption = None,
) -> None:
    """Find missing routes between US airports: train, evaluate, rank, explain, draw a map, write a report.

    Needs no network access and no files: the graph is part of the package.

    [bold]Example[/]

      linkwl demo --out demo
    """
    from rich.table import Table

    from linkwl.datasets import airport_table, load_airports
    from linkwl.files import make_folder
    from linkwl.metrics import find_metric
    from linkwl.predict import LinkPredictor
    from linkwl.predict.summary import summarise
    from linkwl.reports.demo import write_demo

    check_json_target(json)
    make_folder(out)
    with progress_bar() as bar:
        task = bar.add_task("training on the airport graph", total=None)
        predictor = LinkPredictor().fit(load_airports(), on_step=lambda report: show_step(bar, task, report))
        summary = summarise(predictor, on_stage=lambda stage: bar.update(task, description=stage))
        routes = write_demo(summary, airport_table(), out)
    predictor.save(out / "model")
    record, best = summary.record, summary.heuristics[0]
    metric = find_metric(record.selects)
    say(
        f"{record.model} finds hidden routes with {100 * record.test[metric.id]:.1f} % {metric.title}, the best "
        f"heuristic ({best.model}) with {100 * best.metrics[metric.id]:.1f} %; the likeliest missing routes:"
    )
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
    write_json(json, record.to_json())
