"""A whole table: plans its missing runs, and draws it from the existing records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from linkwl.benchmark.collect import collect_scores
from linkwl.benchmark.collect_times import collect_times
from linkwl.benchmark.grid import FLOOR, Grid
from linkwl.benchmark.runner import RunPlan, plan_cells
from linkwl.files import check_writable, make_folder, write_text
from linkwl.graph import Observed
from linkwl.models.bundled import SettingsKind
from linkwl.reports.benchmark_figure import draw_scores
from linkwl.reports.benchmark_table import ScoreTable, scores_markdown
from linkwl.reports.benchmark_time import TimeTable, draw_times, times_markdown


def plan_table(
    grid: Grid,
    out: Path,
    *,
    datasets: Sequence[str],
    models: Sequence[str],
    seeds: int | None,
    kind: SettingsKind,
    open_dataset: Callable[[str], Observed],
) -> RunPlan:
    """The runs of a table that have no record yet: heuristics first, if requested, then networks.

    Args:
        grid: The table.
        out: The folder of the records.
        datasets: Some of its datasets.
        models: Some of its networks, and :data:`FLOOR` for the heuristics.
        seeds: As in :meth:`Grid.cells`.
        kind: The kind of settings of the networks.
        open_dataset: Returns the graph with a given name.

    Raises:
        InputError: If an existing record cannot be read.
    """
    open_once = cache(open_dataset)
    heuristics = grid.cells(datasets=datasets, models=grid.floor, seeds=seeds) if FLOOR in models else []
    networks = grid.cells(datasets=datasets, models=[model for model in models if model != FLOOR], seeds=seeds)
    floor = plan_cells(heuristics, out / grid.floor_folder, "default", protocol=grid.protocol, open_dataset=open_once)
    rest = plan_cells(networks, out / grid.file_name(kind), kind, protocol=grid.protocol, open_dataset=open_once)
    return RunPlan(
        floor.tasks + rest.tasks, grid.protocol, floor.num_done + rest.num_done, floor.num_replaced + rest.num_replaced
    )


def check_drawable(out: Path, name: str) -> None:
    """Checks before the work that the table can be written.

    Raises:
        OutputError: If it cannot.
    """
    make_folder(out)
    for ending in ("md", "png"):
        check_writable(out / f"{name}.{ending}")


def draw_score_table(grid: Grid, out: Path, kind: SettingsKind | None = None) -> ScoreTable:
    """Draws the table of the records in ``out``, as Markdown and as a picture in the same folder.

    Raises:
        InputError: If there is no record, or one cannot be read.
        OutputError: If it cannot be written.
    """
    table = collect_scores(grid, out, grid.settings if kind is None else kind)
    check_drawable(out, table.name)
    write_text(out / f"{table.name}.md", scores_markdown(table))
    draw_scores(table, out / f"{table.name}.png")
    return table


def draw_time_table(out: Path, kind: SettingsKind = "tuned") -> TimeTable:
    """Draws the table of times.

    Raises:
        InputError: If there is no record, or one cannot be read.
        OutputError: If it cannot be written.
    """
    table = collect_times(out, kind)
    check_drawable(out, table.name)
    write_text(out / f"{table.name}.md", times_markdown(table))
    draw_times(table, out / f"{table.name}.png")
    return table
