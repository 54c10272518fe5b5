"""Runs the cells of a table, or those that are still to be run."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, get_args

from linkwl.benchmark.cell_record import CellRecord, digest
from linkwl.benchmark.grid import Cell
from linkwl.benchmark.workers import run_in_processes
from linkwl.datasets import load_dataset
from linkwl.errors import InputError, LinkwlError, MemoryLimitError, OutputError, UnknownNameError
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.bundled import SettingsKind, bundled_settings
from linkwl.records import Evaluation
from linkwl.splits import PAPER, Protocol
from linkwl.training import evaluate_models
from linkwl.training.history import StepReport

SETTINGS: tuple[SettingsKind, ...] = get_args(SettingsKind)
"""Where the settings of the networks come from."""


@dataclass(frozen=True)
class Task:
    """A cell that is still to be run."""

    cell: Cell
    file: Path
    kind: SettingsKind
    """Where its settings come from; ``default`` where there are none of the kind that was asked for."""
    settings: dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What there is to do."""

    tasks: tuple[Task, ...]
    num_done: int
    """Cells whose record is there and was made with these settings, under this protocol, on this graph."""
    num_replaced: int
    """Tasks whose cell has a record that was made otherwise."""


@dataclass(frozen=True)
class Outcome:
    """How a task ended."""

    cell: Cell
    seconds: float
    auc: float | None = None
    """On the test targets; None where there is none."""
    refusal: str | None = None
    """Why the cell was not run: it would have taken too much memory."""
    failure: str | None = None
    """What went wrong otherwise, as a sentence: errors themselves do not travel between processes."""
    is_kept: bool = True
    """Whether a record could be written, had there been one."""


def plan_cells(
    cells: Iterable[Cell],
    folder: Path,
    kind: SettingsKind = "tuned",
    *,
    protocol: Protocol = PAPER,
    open_dataset: Callable[[str], Graph] = load_dataset,
) -> Plan:
    """Finds the cells that have no record yet, or one that was made otherwise.

    A cell that was refused is tried again: there may be more memory now, and to be refused takes no time.

    Args:
        cells: What the table needs.
        folder: The folder of the table.
        kind: One of :data:`SETTINGS`.
        protocol: How to split and what to measure.
        open_dataset: Gives the graph of that name.

    Raises:
        InputError: If a record cannot be read.
    """
    graphs: dict[str, Graph] = {}
    tasks, num_done, num_replaced = [], 0, 0
    for cell in cells:
        if cell.dataset not in graphs:
            graphs[cell.dataset] = open_dataset(cell.dataset).to_undirected()
        settings = bundled_settings(cell.model, cell.dataset, kind)
        file = folder / cell.place
        found = CellRecord.load(file) if file.exists() else None
        config = _config(cell.model, settings)
        wanted = (digest(config), digest(protocol.to_json()), graphs[cell.dataset].digest)
        is_of_today = found is not None and _measurement(found) == wanted
        if found is not None and is_of_today and found.refusal is None:
            num_done += 1
        else:
            num_replaced += found is not None and not is_of_today
            tasks.append(Task(cell, file, kind if settings else "default", settings))
    return Plan(tuple(tasks), num_done, num_replaced)


def _config(model: str, settings: dict[str, Any]) -> dict[str, Any]:
    return create_model(model, **settings).config.model_dump(mode="json")


def _measurement(record: CellRecord) -> tuple[str, str, str]:
    """The record's identity, where a setting that came after it counts as its default."""
    try:
        config = _config(record.cell.model, record.config)
    except InputError:  # it has a setting that is no more
        return record.identity
    return replace(record, config=config).identity


def find_kind(name: str) -> SettingsKind:
    """The kind of settings of that name.

    Raises:
        UnknownNameError: If there is none.
    """
    for kind in SETTINGS:
        if kind == name:
            return kind
    raise UnknownNameError("kind of settings", name, SETTINGS)


def run_plan(
    plan: Plan,
    *,
    num_processes: int = 1,
    protocol: Protocol = PAPER,
    on_start: Callable[[Cell], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
    on_done: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Runs every task and writes its record as soon as it is finished, so that a run that is killed can go on.

    A task that fails leaves no record and stops no other.

    Args:
        plan: What there is to do.
        num_processes: How many tasks at a time; the cores are shared between them.
        protocol: How to split and what to measure.
        on_start: Called with each cell before it is run, if there is one process only.
        on_step: Called after every step of training, if there is one process only.
        on_done: Called as each task ends.

    Returns:
        What failed, for another reason than memory.

    Raises:
        LinkwlError: If a record cannot be written, so that to go on would be in vain; what was written before is kept.
    """
    if not plan.tasks:
        return []
    run = partial(run_task, protocol=protocol)
    outcomes = (
        _one_by_one(partial(run, on_step=on_step), plan.tasks, on_start)
        if num_processes == 1
        else run_in_processes(run, plan.tasks, min(num_processes, len(plan.tasks)))
    )
    failed = []
    with closing(outcomes):
        for outcome in outcomes:
            if not outcome.is_kept:
                raise LinkwlError(f"{outcome.cell}: {outcome.failure}")
            if outcome.failure is not None:
                failed.append(outcome)
            if on_done is not None:
                on_done(outcome)
    return failed


def run_task(task: Task, protocol: Protocol = PAPER, on_step: Callable[[StepReport], None] | None = None) -> Outcome:
    """Runs one cell and writes its record."""
    start = time.perf_counter()
    outcome = partial(Outcome, task.cell)
    try:
        record = _measure(task, protocol, on_step)
        record.save(task.file)
    except LinkwlError as error:
        return outcome(time.perf_counter() - start, failure=str(error), is_kept=not isinstance(error, OutputError))
    except Exception as error:  # a fault of ours in one cell is no reason to lose the others
        return outcome(time.perf_counter() - start, failure=f"{type(error).__name__}: {error}")
    auc = None if record.run is None else record.run.metrics["auc"]
    return outcome(time.perf_counter() - start, auc=auc, refusal=record.refusal)


def _measure(task: Task, protocol: Protocol, on_step: Callable[[StepReport], None] | None) -> CellRecord:
    graph = _graph(task.cell.dataset)
    model = create_model(task.cell.model, **task.settings)
    refusal = None
    try:
        evaluation = evaluate_models(graph, [model], protocol, [task.cell.seed], on_step=on_step)
    except MemoryLimitError as error:
        evaluation, refusal = Evaluation(graph.record, protocol.to_json(), ()), str(error)
    return CellRecord(task.cell, task.kind, model.config.model_dump(mode="json"), evaluation, refusal)


def _one_by_one(
    run: Callable[[Task], Outcome], tasks: Sequence[Task], on_start: Callable[[Cell], None] | None
) -> Generator[Outcome, None, None]:
    for task in tasks:
        if on_start is not None:
            on_start(task.cell)
        yield run(task)


@lru_cache(maxsize=2)
def _graph(name: str) -> Graph:
    """Cells come dataset by dataset, so that each is read once."""
    return load_dataset(name).to_undirected()
