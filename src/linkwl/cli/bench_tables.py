"""The commands of ``linkwl bench``: run what a table needs, and draw it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkwl.benchmark import grid as tables
from linkwl.cli.completion import complete_datasets, complete_models
from linkwl.cli.console import QuietOption, check_json_target, console, say, write_json
from linkwl.cli.engine_option import EngineOption
from linkwl.cli.graph_argument import JsonOption, open_dataset
from linkwl.cli.progress import progress_bar
from linkwl.errors import InputError, LinkwlError
from linkwl.models.registry import RECOMMENDED

if TYPE_CHECKING:
    from linkwl.benchmark.grid import Grid, TableCell
    from linkwl.benchmark.runner import Outcome, RunPlan
    from linkwl.benchmark.timing import TimeRecord
    from linkwl.engine import Engine
    from linkwl.models import StepReport
    from linkwl.models.bundled import SettingsKind

app = typer.Typer(add_completion=False, rich_markup_mode="rich")
"""The commands; :mod:`linkwl.cli.bench` lists them without importing this module."""

OutOption = Annotated[Path, typer.Option(metavar="DIR", help="The folder of the records and tables.")]
DrawOption = Annotated[bool, typer.Option("--draw-only", help="Draw the table from the existing records.")]
DatasetsOption = Annotated[
    str | None,
    typer.Option(
        metavar="D[,D...]",
        autocompletion=complete_datasets,
        help="Datasets to run; by default all datasets of the table.",
    ),
]
ModelsOption = Annotated[
    str | None,
    typer.Option(
        metavar="M[,M...]",
        autocompletion=complete_models,
        help="Networks to run, and `heuristics` for the baseline; by default all models of the table.",
    ),
]
SeedsOption = Annotated[
    int | None,
    typer.Option(metavar="K", help="Splits per network; by default as in the protocol, fewer where runs are slow."),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Number of parallel runs, in processes that share the cores: short for --engine processes:N."
    ),
]
SettingsOption = Annotated[
    str,
    typer.Option(
        metavar="KIND",
        help="Settings of the networks: tuned, paper (as published) or default.",
    ),
]

TableSettingsOption = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        help="Settings of the networks: tuned, paper (as published) or default; by default those of the table.",
    ),
]

_TIMED = "local-2wl,local-2fwl,walk-2fwl,seal,nbfnet"
"""The models of the paper's table of times, and ours."""

_HELP = """{title}: run the missing cells, then draw the table. {metrics} on {datasets}.

Records are kept in DIR/{name}, one file per model, the table in DIR/{name}.md and .png.
With --settings other than {settings} the names end in the kind of settings, as in {name}-paper.
{models}

[bold]Examples[/]

  linkwl bench {name} --datasets {dataset} --models {example} --seeds 3

  linkwl bench {name} --jobs 2

  linkwl bench {name} --draw-only
"""


def _add_score_table(name: str) -> None:
    """Adds the command of one of the tables."""
    grid = tables.GRIDS[name]
    if grid.floor:
        models = (
            f"Heuristics are measured once, over {grid.full_seeds} splits, into DIR/{grid.floor_folder}; on citation "
            "networks this takes minutes."
        )
    else:
        models = f"Models, unless --models names others: {', '.join(grid.usual_models(grid.settings))}."
    text = _HELP.format(
        name=name,
        title=grid.title,
        metrics=", ".join(grid.metric_titles.values()),
        datasets=", ".join(grid.datasets),
        dataset=grid.datasets[0],
        models=models,
        example=f"local-2fwl,{tables.FLOOR}" if grid.floor else RECOMMENDED,
        settings=grid.settings,
    )

    @app.command(name, help=text)
    def score_table(
        datasets: DatasetsOption = None,
        models: ModelsOption = None,
        seeds: SeedsOption = None,
        jobs: JobsOption = None,
        engine: EngineOption = None,
        settings: TableSettingsOption = None,
        out: OutOption = Path("results"),
        draw_only: DrawOption = False,
        quiet: QuietOption = False,
        json: JsonOption = None,
    ) -> None:
        from linkwl.benchmark.runner import failure_sentence, find_kind
        from linkwl.benchmark.tables import check_drawable, plan_table

        grid = tables.GRIDS[name]
        check_json_target(json)
        kind = grid.settings if settings is None else find_kind(settings)
        _check_counts({"--seeds": seeds, "--jobs": jobs})
        workers = _find_engine(engine, jobs)
        floor = [tables.FLOOR] if grid.floor else []
        known = [*floor, *(grid.usual_models(kind) if models is None else grid.networks)]
        named = _choose(models, known, "model")
        chosen = _choose(datasets, grid.datasets, f"dataset of {name}:")
        failure = None
        if not draw_only:
            check_drawable(out, grid.file_name(kind))
            plan = plan_table(
                grid, out, datasets=chosen, models=named, seeds=seeds, kind=kind, open_dataset=open_dataset
            )
            failure = failure_sentence(_run(grid, plan, workers))
        try:
            _draw_scores(grid, out, kind, json)
        except InputError as error:
            if failure is None:
                raise
            raise LinkwlError(failure) from error  # there is nothing to draw, so report the failure
        if failure is not None:
            raise LinkwlError(failure)


for _name in tables.GRIDS:
    _add_score_table(_name)


@app.command("time")
def time(
    datasets: DatasetsOption = None,
    models: Annotated[str, typer.Option(metavar="M[,M...]", help="Models to time.")] = _TIMED,
    seeds: Annotated[int, typer.Option(metavar="K", help="Splits to time.")] = 1,
    runs: Annotated[int, typer.Option(metavar="R", help="Timed runs on each split after the first.")] = 7,
    train: Annotated[
        bool, typer.Option("--train", help="Train to the end and time that as well; otherwise for a few steps.")
    ] = False,
    settings: SettingsOption = "tuned",
    out: OutOption = Path("results"),
    draw_only: DrawOption = False,
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> None:
    """Time the scoring of the test targets of the citation networks, and compare with PyG's graph autoencoder.

    Records are kept in DIR/time.jsonl, the table in DIR/time.md and .png.
    With --settings paper or default the names are time-paper or time-default.

    [bold]Example[/]

      linkwl bench time --datasets cora

      linkwl bench time --models local-2fwl,seal,nbfnet --train --runs 3
    """
    from linkwl.benchmark.gae import GAE, has_gae
    from linkwl.benchmark.published import CITATION
    from linkwl.benchmark.runner import find_kind
    from linkwl.benchmark.tables import check_drawable, draw_time_table
    from linkwl.benchmark.timing import TIME, run_times
    from linkwl.models.registry import model_ids
    from linkwl.reports.benchmark_time import times_table

    check_json_target(json)
    chosen = _choose(datasets, CITATION, "dataset of time:")
    named = _choose(models, model_ids(task="pairs"), "model")
    kind = find_kind(settings)
    _check_counts({"--seeds": seeds, "--runs": runs})
    if not draw_only:
        check_drawable(out, tables.table_name(TIME, kind))
        with progress_bar() as bar:
            task = bar.add_task("timing", total=len(chosen))

            def show(dataset: str, text: str) -> None:
                bar.update(task, description=f"{dataset}: {text}")

            def advance(record: TimeRecord) -> None:
                bar.advance(task)

            run_times(
                out,
                datasets=chosen,
                models=named,
                kind=kind,
                turns=runs,
                seeds=seeds,
                trains_fully=train,
                open_dataset=open_dataset,
                on_progress=show,
                on_done=advance,
            )
        if not has_gae():
            say(f"{GAE} was skipped: torch_geometric is not installed; install it with `pip install linkwl[pyg]`.")
    table = draw_time_table(out, kind)
    say(table.title)
    console.print(times_table(table))
    for line in (table.conditions, *table.notes, f"wrote {out / table.name}.md and .png"):
        say(line)
    write_json(json, table.to_json())


def _choose(names: str | None, known: Sequence[str], kind: str) -> list[str]:
    return list(known) if names is None else tables.choose(names, known, kind)


def _check_counts(counts: dict[str, int | None]) -> None:
    for option, count in counts.items():
        if count is not None and count < 1:
            raise InputError(f"{option} {count}: expected an integer of at least 1.")


def _find_engine(name: str | None, jobs: int | None) -> Engine:
    from linkwl.engine import InlineEngine, ProcessEngine, find_engine

    if name is not None and jobs is not None:
        raise InputError("--jobs and --engine both select the engine; give one of them.")
    if jobs is not None:
        return ProcessEngine(jobs)
    return InlineEngine() if name is None else find_engine(name)


def _run(grid: Grid, plan: RunPlan, engine: Engine) -> list[Outcome]:
    """Runs the missing cells with a progress bar; returns those that failed."""
    from linkwl.benchmark.runner import run_plan

    count = len(plan.tasks)
    replaced = f", {plan.num_replaced} of them to replace outdated records" if plan.num_replaced else ""
    say(f"{plan.num_done:,} of {plan.num_done + count:,} runs are done, {count:,} remain{replaced}")
    with progress_bar() as bar:
        task = bar.add_task("running", total=count)

        def show(outcome: Outcome) -> None:
            bar.update(task, advance=1, description=str(outcome.cell))
            is_scored = outcome.record is not None and outcome.record.run is not None
            if not console.is_terminal or not is_scored:  # a log has no bar
                say(f"{outcome.cell}: {_result(grid, outcome)} ({outcome.seconds:.1f} s)")

        def show_start(cell: TableCell) -> None:
            bar.update(task, description=str(cell))

        def show_step(report: StepReport) -> None:
            cell = f"{report.model}, seed {report.seed}"
            bar.update(task, description=f"{cell}: step {report.step} of at most {report.max_steps}")

        return run_plan(plan, engine, on_start=show_start, on_step=show_step, on_done=show)


def _result(grid: Grid, outcome: Outcome) -> str:
    if outcome.record is None:
        return f"failed: {outcome.failure}"
    if outcome.record.run is None:
        return f"refused: {outcome.record.refusal}"
    found = outcome.record.run.metrics
    return ", ".join(f"{title} {100 * found[metric]:.2f} %" for metric, title in grid.metric_titles.items())


def _draw_scores(grid: Grid, out: Path, kind: SettingsKind, json: str | None) -> None:
    from linkwl.benchmark.tables import draw_score_table
    from linkwl.reports.benchmark_table import scores_legend, scores_tables

    table = draw_score_table(grid, out, kind)
    say(table.title)
    say(table.protocol)
    for part in scores_tables(table, console.width):
        console.print(part)
    refused = [f"refused: {cell}: {why}" for cell, why in table.refusals.items()]
    for line in (scores_legend(table), *refused, *table.notes, f"wrote {out / table.name}.md and .png"):
        say(line)
    write_json(json, table.to_json())
