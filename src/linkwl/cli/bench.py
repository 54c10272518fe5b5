"""``linkwl bench``: the paper's tables, by one command each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.graph_argument import JsonOption, open_graph
from linkwl.errors import InputError, LinkwlError
from linkwl.files import check_writable, make_folder, write_text

if TYPE_CHECKING:
    from linkwl.benchmark.grid import Grid
    from linkwl.models.bundled import SettingsKind

app = typer.Typer(
    help="""Measure the networks as the paper did, and set the printed numbers beside ours.

    Every run leaves a record, and tables are drawn from records: a command that
    was stopped goes on where it was, and --draw-only draws without running.""",
    epilog="Examples:  linkwl bench table1 --jobs 2  |  linkwl bench table2 --models local-2fwl --seeds 3",
    no_args_is_help=True,
)

OutOption = Annotated[Path, typer.Option(metavar="DIR", help="Where records and tables are kept.")]
DrawOption = Annotated[bool, typer.Option("--draw-only", help="Draw the table from the records there are.")]
DatasetsOption = Annotated[
    str | None, typer.Option(metavar="D[,D...]", help="Datasets to run; by default all of the table.")
]
ModelsOption = Annotated[
    str | None,
    typer.Option(
        metavar="M[,M...]",
        help="Networks to run, and `heuristics` for the floor below them; by default all of the table.",
    ),
]
SeedsOption = Annotated[
    int | None, typer.Option(metavar="K", help="Splits per network; by default 10, fewer where a run is dear.")
]
JobsOption = Annotated[int, typer.Option(metavar="N", help="Runs at a time, in processes that share the cores.")]
SettingsOption = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="Settings of the networks: tuned, paper (as published) or default.",
    ),
]


@app.command("table1")
def table1(
    datasets: DatasetsOption = None,
    models: ModelsOption = None,
    seeds: SeedsOption = None,
    jobs: JobsOption = 1,
    settings: SettingsOption = "tuned",
    out: OutOption = Path("results"),
    draw_only: DrawOption = False,
    json: JsonOption = None,
) -> None:
    """Run the paper's table 1, AUC on eight networks without features, or what is missing of it.

    Records are kept in DIR/table1, the table in DIR/table1.md and .png.
    With --settings paper or default the names are table1-paper or table1-default.
    Heuristics are measured once, over 10 splits, into DIR/heuristics.

    [bold]Examples[/]

      linkwl bench table1 --datasets usair,ns --models local-2fwl,heuristics --seeds 3

      linkwl bench table1 --draw-only
    """
    _score_table("table1", datasets, models, seeds, jobs, settings, out, draw_only, json)


@app.command("table2")
def table2(
    datasets: DatasetsOption = None,
    models: ModelsOption = None,
    seeds: SeedsOption = None,
    jobs: JobsOption = 1,
    settings: SettingsOption = "tuned",
    out: OutOption = Path("results"),
    draw_only: DrawOption = False,
    json: JsonOption = None,
) -> None:
    """Run the paper's table 2, AUC on three citation networks, or what is missing of it.

    Records are kept in DIR/table2, the table in DIR/table2.md and .png.
    With --settings paper or default the names are table2-paper or table2-default.
    Heuristics are measured once, over 10 splits, into DIR/heuristics; here that takes minutes.

    [bold]Examples[/]

      linkwl bench table2 --jobs 2

      linkwl bench table2 --settings paper --models local-2wl,local-2fwl
    """
    _score_table("table2", datasets, models, seeds, jobs, settings, out, draw_only, json)


@app.command("time")
def time(
    datasets: DatasetsOption = None,
    models: Annotated[str, typer.Option(metavar="M[,M...]", help="Models to time.")] = "local-2wl,local-2fwl",
    seeds: Annotated[int, typer.Option(metavar="K", help="Splits to time.")] = 1,
    runs: Annotated[int, typer.Option(metavar="R", help="Timed runs on each split after the first.")] = 7,
    settings: SettingsOption = "tuned",
    out: OutOption = Path("results"),
    draw_only: DrawOption = False,
    json: JsonOption = None,
) -> None:
    """Time the scoring of the test targets of the citation networks, beside PyG's graph autoencoder.

    Records are kept in DIR/time, the table in DIR/time.md and .png.
    With --settings paper or default the names are time-paper or time-default.

    [bold]Example[/]

      linkwl bench time --datasets cora
    """
    from linkwl.benchmark.collect_times import TIME, collect_times
    from linkwl.benchmark.gae import GAE, has_gae
    from linkwl.benchmark.grid import choose, folder_name
    from linkwl.benchmark.paper import CITATION
    from linkwl.benchmark.runner import find_kind
    from linkwl.benchmark.timing import measure_times
    from linkwl.models import create_model
    from linkwl.models.bundled import bundled_settings
    from linkwl.models.registry import model_ids
    from linkwl.reports.benchmark_time import draw_times, times_markdown, times_table

    check_json_target(json)
    chosen = list(CITATION) if datasets is None else choose(datasets, CITATION, "dataset of time:")
    named = choose(models, model_ids(task="pairs"), "model")
    kind = find_kind(settings)
    table_name = folder_name(TIME, kind)
    for option, count in (("--seeds", seeds), ("--runs", runs)):
        if count < 1:
            raise InputError(f"{option} {count}: expected a whole number from 1.")
    if not draw_only:
        _check_out(out, table_name)
        with progress_bar() as bar:
            task = bar.add_task("timing", total=len(chosen))
            for name in chosen:
                record = measure_times(
                    open_graph(name),
                    [create_model(model, **bundled_settings(model, name, kind)) for model in named],
                    dataset=name,
                    turns=runs,
                    seeds=seeds,
                    on_progress=lambda text, name=name: bar.update(task, description=f"{name}: {text}"),  # type: ignore[misc]
                )
                record.save(out / table_name)
                bar.advance(task)
        if not has_gae():
            say(f"{GAE} was left out: torch_geometric is not installed; it comes with `pip install linkwl[pyg]`.")
    table = collect_times(out / table_name)
    _check_out(out, table_name)
    write_text(out / f"{table_name}.md", times_markdown(table))
    draw_times(table, out / f"{table_name}.png")
    say(table.title)
    console.print(times_table(table))
    for line in (table.conditions, *table.notes, f"wrote {out / table_name}.md and .png"):
        say(line)
    write_json(json, table.to_json())


def _score_table(
    name: str,
    datasets: str | None,
    models: str | None,
    seeds: int | None,
    jobs: int,
    settings: str,
    out: Path,
    draw_only: bool,
    json: str | None,
) -> None:
    """Runs what is missing of a table, then draws all of it; what failed is told last."""
    from linkwl.benchmark.floor import FLOOR
    from linkwl.benchmark.grid import GRIDS, choose, folder_name
    from linkwl.benchmark.runner import find_kind

    grid = GRIDS[name]
    check_json_target(json)
    kind = find_kind(settings)
    for option, count in (("--seeds", seeds), ("--jobs", jobs)):
        if count is not None and count < 1:
            raise InputError(f"{option} {count}: expected a whole number from 1.")
    known = (FLOOR, *grid.networks)
    named = list(known) if models is None else choose(models, known, "model")
    chosen = list(grid.datasets) if datasets is None else choose(datasets, grid.datasets, f"dataset of {name}:")
    failure = None
    if not draw_only:
        from linkwl.cli.bench_runs import run_missing

        _check_out(out, folder_name(name, kind))
        failure = run_missing(grid, out, datasets=chosen, models=named, seeds=seeds, kind=kind, num_processes=jobs)
    try:
        _draw_scores(grid, out, kind, json)
    except InputError as error:
        if failure is None:
            raise
        raise LinkwlError(failure) from error  # nothing to draw, and this is why
    if failure is not None:
        raise LinkwlError(failure)


def _draw_scores(grid: Grid, out: Path, kind: SettingsKind, json: str | None) -> None:
    from linkwl.benchmark.collect import collect_scores
    from linkwl.reports.benchmark_figure import draw_scores
    from linkwl.reports.benchmark_table import scores_legend, scores_markdown, scores_tables

    table = collect_scores(grid, out, kind)
    _check_out(out, table.name)
    write_text(out / f"{table.name}.md", scores_markdown(table))
    draw_scores(table, out / f"{table.name}.png")
    say(table.title)
    say(table.protocol)
    for part in scores_tables(table, console.width):
        console.print(part)
    refused = [f"refused: {cell}: {why}" for cell, why in table.refusals.items()]
    for line in (scores_legend(table), *refused, *table.notes, f"wrote {out / table.name}.md and .png"):
        say(line)
    write_json(json, table.to_json())


def _check_out(out: Path, name: str) -> None:
    """Fails before the work if its results could not be written."""
    make_folder(out)
    for ending in ("md", "png"):
        check_writable(out / f"{name}.{ending}")
