"""What ``linkwl bench`` runs before it draws: the floor, then the cells that are missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from linkwl.benchmark.floor import FLOOR, check_floor, floor_file, load_floor, measure_floor
from linkwl.benchmark.grid import Cell, Grid, folder_name
from linkwl.benchmark.runner import Outcome, plan_cells, run_plan
from linkwl.cli.console import console, progress_bar, say
from linkwl.cli.graph_argument import open_graph
from linkwl.errors import LinkwlError, OutputError
from linkwl.graph import Graph
from linkwl.models.bundled import SettingsKind
from linkwl.records import RunRecord
from linkwl.splits import PAPER
from linkwl.training.history import StepReport

_SHOWN = 3
"""Failures that are told in full at the end; each was told when it happened as well."""


def run_missing(
    grid: Grid,
    out: Path,
    *,
    datasets: Sequence[str],
    models: Sequence[str],
    seeds: int | None,
    kind: SettingsKind,
    num_processes: int,
) -> str | None:
    """Runs what has no record yet: the heuristics first, if they are asked for, then the cells of the networks.

    Returns:
        What failed, as one sentence; None if nothing did.

    Raises:
        LinkwlError: If a record that is there cannot be read, or a new one cannot be written.
    """
    cells = grid.cells(datasets=datasets, models=[model for model in models if model != FLOOR], seeds=seeds)
    open_once = cache(open_graph)
    missing = _missing_floors(grid, out, datasets, open_once)
    plan = plan_cells(cells, out / folder_name(grid.name, kind), kind, open_dataset=open_once)
    failures = []
    if FLOOR in models:
        failures += _run_floors(grid, out, missing, open_once)
    if cells:
        replaced = f", {plan.num_replaced} of them in place of records made otherwise" if plan.num_replaced else ""
        say(f"{plan.num_done:,} of {len(cells):,} runs are there, {len(plan.tasks):,} to do{replaced}")
    with progress_bar() as bar:
        task = bar.add_task("running", total=len(plan.tasks))

        def show(outcome: Outcome) -> None:
            bar.update(task, advance=1, description=str(outcome.cell))
            if not console.is_terminal or outcome.auc is None:  # a log has no bar
                say(f"{outcome.cell}: {_result(outcome)} ({outcome.seconds:.1f} s)")

        def show_start(cell: Cell) -> None:
            bar.update(task, description=str(cell))

        def show_step(report: StepReport) -> None:
            cell = f"{report.model}, seed {report.seed}"
            bar.update(task, description=f"{cell}: step {report.step} of at most {report.max_steps}")

        failed = run_plan(plan, num_processes=num_processes, on_start=show_start, on_step=show_step, on_done=show)
    failures += [f"{outcome.cell}: {outcome.failure}" for outcome in failed]
    return _sentence(failures)


def _missing_floors(grid: Grid, out: Path, datasets: Sequence[str], open_dataset: Callable[[str], Graph]) -> list[str]:
    """The datasets without a record of the heuristics; a record that does not fit is found before anything is run."""
    missing = []
    for dataset in datasets:
        path = floor_file(out, dataset)
        if path.exists():
            graph = open_dataset(dataset).to_undirected()
            check_floor(path, load_floor(path, grid.floor), graph.digest, PAPER.to_json())
        else:
            missing.append(dataset)
    return missing


def _run_floors(grid: Grid, out: Path, datasets: Sequence[str], open_dataset: Callable[[str], Graph]) -> list[str]:
    """Measures the heuristics where their record is missing; what failed."""
    if not datasets:
        return []
    say(
        f"heuristics first, once: {len(grid.floor)} of them over {PAPER.seeds} splits of {', '.join(datasets)} "
        "(seconds on small graphs, minutes on citation networks)"
    )
    failures = []
    with progress_bar() as bar:
        task = bar.add_task("heuristics", total=len(datasets) * len(grid.floor) * PAPER.seeds)
        for dataset in datasets:

            def show(run: RunRecord, dataset: str = dataset) -> None:
                bar.update(task, advance=1, description=f"{run.model} on {dataset}, seed {run.seed}")

            path = floor_file(out, dataset)
            try:
                measure_floor(open_dataset(dataset), path, grid.floor, on_run=show)
            except OutputError:
                raise
            except LinkwlError as error:
                failures.append(f"heuristics on {dataset}: {error}")
            else:
                say(f"wrote {path}")
    return failures


def _result(outcome: Outcome) -> str:
    if outcome.auc is not None:
        return f"AUC {100 * outcome.auc:.2f} %"
    return f"refused: {outcome.refusal}" if outcome.refusal is not None else f"failed: {outcome.failure}"


def _sentence(failures: Sequence[str]) -> str | None:
    if not failures:
        return None
    what = "1 run failed and has no record" if len(failures) == 1 else f"{len(failures)} runs failed and have no record"
    more = f"; and {len(failures) - _SHOWN} more" if len(failures) > _SHOWN else ""
    return f"{what}, the rest is kept: {'; '.join(failures[:_SHOWN])}{more}"
