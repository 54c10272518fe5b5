"""``linkwl demo``: the main job on the embedded graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.graph_argument import JsonOption


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to write the report.")] = Path("linkwl-demo"),
    json: JsonOption = None,
) -> None:
    """Find the missing routes between US airports: evaluate, rank, draw a map, write a page.

    Needs no network and no files: the graph is part of the package.

    [bold]Example[/]

      linkwl demo --out demo
    """
    from rich.table import Table

    from linkwl.models.registry import HEURISTICS
    from linkwl.reports.demo import run_demo
    from linkwl.reports.tables import evaluation_table, evaluation_title
    from linkwl.splits import PAPER

    check_json_target(json)
    with progress_bar() as bar:
        task = bar.add_task("evaluating on the airport graph", total=PAPER.seeds * len(HEURISTICS))
        result = run_demo(out, on_run=lambda _: bar.advance(task))
    say(evaluation_title(result.evaluation))
    console.print(evaluation_table(result.evaluation))
    say(f"the likeliest missing routes, by {result.best}, the best model on validation links")
    table = Table(box=None, header_style="bold")
    for column in ("#", "from", "to", "km"):
        table.add_column(column, justify="right" if column in "#km" else "left")
    for route in result.routes:
        ends = (route.source, route.target)
        table.add_row(str(route.rank), *(f"{end.code} {end.city}" for end in ends), f"{route.distance_km:,}")
    console.print(table)
    say(f"open {out / 'index.html'} in a browser; the list is in {out / 'missing_routes.csv'}")
    write_json(json, result.evaluation.to_json())
