"""``linkwl bench``: the paper's tables, by one command each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.cli.console import check_json_target, console, progress_bar, say, write_json
from linkwl.cli.graph_argument import JsonOption, open_graph
from linkwl.errors import InputError
from linkwl.files import check_writable, make_folder, write_text

if TYPE_CHECKING:
    from linkwl.benchmark.grid import Cell
    from linkwl.benchmark.runner import Outcome
    from linkwl.models.published import SettingsKind
    from linkwl.training.history import StepReport

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
        help="Models to run, `heuristics` for all of those; by default all of the table.",
    ),
]
SeedsOption = Annotated[
    int | None, typer.Option(metavar="K", help="Splits per cell; by default 10, fewer where a run is dear.")
]
JobsOption = Annotated[int, typer.Option(metavar="N", help="Runs at a time, in processes that share the cores.")]
SettingsOption = Annotated[
    str, typer.Option(metavar="KIND", help="Settings of the networks: tuned, paper (as published) or default.")
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
    A record made with other settings is replaced: give each kind of
    --settings a folder of its own.

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
    A record made with other settings is replaced: give each kind of
    --settings a folder of its own.

    [bold]Examples[/]

      linkwl bench table2 --jobs 2

      linkwl bench table2 --settings paper --out published-settings
    """
    _score_table("table2", datasets, models, seeds, jobs, settings, out, draw_only, json)


@app.command("time")
def time(
    datasets: DatasetsOption = None,
    models: Annotated[str, typer.Option(metavar="M[,M...]", help="Models to time.")] = "local-2wl,local-2fwl",
    runs: Annotated[int, typer.Option(metavar="R", help="Timed runs of each after the first.")] = 7,
    settings: SettingsOption = "tuned",
    out: OutOption = Path("results"),
    draw_only: DrawOption = False,
    json: JsonOption = None,
) -> None:
    """Time the scoring of the test targets of the citation networks, beside PyG's graph autoencoder.

    Records are kept in DIR/time, the table in DIR/time.md and DIR/time.png.

    [bold]Example[/]

      linkwl bench time --datasets cora
    """
    from linkwl.benchmark.collect_times import TIME, collect_times
    from linkwl.benchmark.gae import GAE, has_gae
    from linkwl.benchmark.grid import HEURISTICS, NETWORKS, choose
    from linkwl.benchmark.paper import CITATION
    from linkwl.benchmark.runner import find_kind, settings_for
    from linkwl.benchmark.timing import measure_times
    from linkwl.models import create_model
    from linkwl.reports.benchmark_time import draw_times, times_markdown, times_table

    check_json_target(json)
    chosen = list(CITATION) if datasets is None else choose(datasets, CITATION, "dataset of time:")
    named = choose(models, [*NETWORKS, *HEURISTICS], "model")
    kind = find_kind(settings)
    if runs < 1:
        raise InputError(f"--runs {runs}: at least one timed run is needed.")
    if not draw_only:
        _check_out(out, TIME)
        with progress_bar() as bar:
            task = bar.add_task("timing", total=len(chosen))
            for name in chosen:
                record = measure_times(
                    open_graph(name),
                    [create_model(model, **settings_for(model, name, kind)) for model in named],
                    dataset=name,
                    turns=runs,
                    on_progress=lambda text, name=name: bar.update(task, description=f"{name}: {text}"),  # type: ignore[misc]
                )
                record.save(out / TIME)
                bar.advance(task)
        if not has_gae():
            say(f"{GAE} was left out: torch_geometric is not installed; it comes with `pip install linkwl[pyg]`.")
    table = collect_times(out / TIME)
    _check_out(out, TIME)
    write_text(out / f"{TIME}.md", times_markdown(table))
    draw_times(table, out / f"{TIME}.png")
    say(table.title)
    console.print(times_table(table))
    for line in (table.conditions, *table.notes, f"wrote {out / TIME}.md and {out / TIME}.png"):
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
    """Runs what is missing of a table, then draws all of it."""
    from linkwl.benchmark.collect import collect_scores
    from linkwl.benchmark.grid import GRIDS, choose, choose_models
    from linkwl.benchmark.runner import find_kind
    from linkwl.reports.benchmark_figure import draw_scores
    from linkwl.reports.benchmark_table import scores_legend, scores_markdown, scores_tables

    grid, folder = GRIDS[name], out / name
    check_json_target(json)
    kind = find_kind(settings)
    for option, count in (("--seeds", seeds), ("--jobs", jobs)):
        if count is not None and count < 1:
            raise InputError(f"{option} {count}: expected a whole number from 1.")
    cells = grid.cells(
        datasets=None if datasets is None else choose(datasets, grid.datasets, f"dataset of {name}:"),
        models=None if models is None else choose_models(models, grid),
        seeds=seeds,
    )
    if not draw_only:
        _check_out(out, name)
        _run_cells(cells, folder, kind, jobs)
    table = collect_scores(grid, folder)
    _check_out(out, name)
    write_text(out / f"{name}.md", scores_markdown(table))
    draw_scores(table, out / f"{name}.png")
    say(table.title)
    say(table.protocol)
    for part in scores_tables(table, console.width):
        console.print(part)
    refused = [f"refused: {cell}: {why}" for cell, why in table.refusals.items()]
    for line in (scores_legend(table), *refused, *table.notes, f"wrote {out / name}.md and {out / name}.png"):
        say(line)
    write_json(json, table.to_json())


def _run_cells(cells: list[Cell], folder: Path, kind: SettingsKind, jobs: int) -> None:
    from linkwl.benchmark.runner import plan_cells, run_plan

    plan = plan_cells(cells, folder, kind, open_dataset=open_graph)
    replaced = f", {plan.num_replaced} of them in place of records made otherwise" if plan.num_replaced else ""
    say(f"{plan.num_done:,} of {len(cells):,} runs are there, {len(plan.tasks):,} to do{replaced}")
    with progress_bar() as bar:
        task = bar.add_task("running", total=len(plan.tasks))

        def show(outcome: Outcome) -> None:
            bar.update(task, advance=1, description=str(outcome.cell))
            if not console.is_terminal or outcome.refusal:  # a log has no bar
                result = f"refused: {outcome.refusal}" if outcome.auc is None else f"AUC {100 * outcome.auc:.2f} %"
                say(f"{outcome.cell}: {result} ({outcome.seconds:.1f} s)")

        def show_step(report: StepReport) -> None:
            cell = f"{report.model}, seed {report.seed}"
            bar.update(task, description=f"{cell}: step {report.step} of at most {report.max_steps}")

        if plan.tasks:
            run_plan(
                plan,
                num_processes=jobs,
                on_start=lambda cell: bar.update(task, description=str(cell)),
                on_step=show_step,
                on_done=show,
            )


def _check_out(out: Path, name: str) -> None:
    """Fails before the work if its results could not be written."""
    make_folder(out)
    for ending in ("md", "png"):
        check_writable(out / f"{name}.{ending}")
