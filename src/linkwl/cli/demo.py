"""``linkwl demo``: the main job on the embedded graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.graph_argument import JsonOption
from linkwl.cli.train import show_step


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the report.")] = Path("linkwl-demo"),
    json: JsonOption = None,
) -> None:
    """Find the missing routes between US airports: learn, measure, rank, explain, draw a map, write a page.

    Needs no network and no files: the graph is part of the package.

    [bold]Example[/]

      linkwl demo --out demo
    """
    from rich.table import Table

    from linkwl.reports.demo import run_demo

    check_json_target(json)
    with progress_bar() as bar:
        task = bar.add_task("learning from the airport graph", total=None)
        result = run_demo(
            out,
            on_step=lambda report: show_step(bar, task, report),
            on_stage=lambda stage: bar.update(task, description=stage),
        )
    record, best = result.predictor.record_, result.report.heuristics[0]
    say(
        f"{record.model} ranks {100 * record.test['auc']:.1f} % of hidden routes above other pairs, the best heuristic "
        f"({best.model}) {100 * best.metrics['auc']:.1f} %; the likeliest missing routes:"
    )
    table = Table(box=None, header_style="bold")
    for column in ("#", "from", "to", "km", "probability"):
        table.add_column(column, justify="left" if column in ("from", "to") else "right")
    for route in result.routes:
        ends = (f"{end.code} {end.city}" for end in (route.source, route.target))
        table.add_row(str(route.link.rank), *ends, f"{route.distance_km:,}", f"{route.link.probability:.3f}")
    console.print(table)
    say(f"open {out / 'index.html'} in a browser; the list is in {out / 'missing_routes.csv'}; ask more with")
    say(f"  linkwl predict {out / 'model'} --top-k 5 --for JNU")
    write_json(json, record.to_json())
