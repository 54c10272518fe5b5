"""Runs the missing cells of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, get_args

from linkwl.benchmark.cell_record import CellRecord, digest, load_cells, save_cell, with_all_settings
from linkwl.benchmark.grid import TableCell
from linkwl.datasets import load_dataset
from linkwl.engine import Engine, InlineEngine
from linkwl.errors import LinkwlError, MemoryLimitError, TaskError, UnknownNameError
from linkwl.graph import Observed
from linkwl.models import StepReport, create_model
from linkwl.models.bundled import SettingsKind, bundled_settings, has_bundled_settings
from linkwl.protocols import PAPER, Protocol
from linkwl.records import Evaluation
from linkwl.training import evaluate_models
from linkwl.typing import Task

SETTINGS: tuple[SettingsKind, ...] = get_args(SettingsKind)
"""The kinds of settings of the networks."""

_SHOWN = 3
"""Number of failures that :func:`failure_sentence` names."""


@dataclass(frozen=True)
class CellTask:
    """A cell to run."""

    cell: TableCell
    folder: Path
    """The folder of its record."""
    kind: SettingsKind
    """The kind of its settings; ``default`` if there are none of the requested kind."""
    settings: dict[str, Any]

    def __str__(self) -> str:
        return str(self.cell)


@dataclass(frozen=True)
class RunPlan:
    """The runs to do."""

    tasks: tuple[CellTask, ...]
    protocol: Protocol
    num_done: int
    """Number of cells with a record of these settings, this protocol and this graph."""
    num_replaced: int
    """Number of tasks whose cell has an outdated record."""


@dataclass(frozen=True)
class Outcome:
    """The result of a task."""

    cell: TableCell
    seconds: float
    record: CellRecord | None = None
    """The record of the run, or of its refusal; None if it failed."""
    failure: str | None = None
    """The error, as a sentence."""


def plan_cells(
    cells: Iterable[TableCell],
    folder: Path,
    kind: SettingsKind = "tuned",
    *,
    protocol: Protocol = PAPER,
    open_dataset: Callable[[str], Observed] = load_dataset,
) -> RunPlan:
    """Finds the cells without a record, or with an outdated one.

    A cell that was refused is tried again: there may be more memory now, and a refusal takes no time.

    Args:
        cells: The cells of the table.
        folder: The folder of the table.
        kind: One of :data:`SETTINGS`.
        protocol: How to split and what to measure.
        open_dataset: Returns the graph with a given name.

    Raises:
        InputError: If a record cannot be read.
    """
    graphs: dict[str, Observed] = {}
    records: dict[str, dict[TableCell, CellRecord]] = {}
    tasks, num_done, num_replaced = [], 0, 0
    for cell in cells:
        if cell.dataset not in graphs:
            graphs[cell.dataset] = protocol.view(open_dataset(cell.dataset))
        if cell.model not in records:
            records[cell.model] = load_cells(folder, cell.model)
        settings = bundled_settings(cell.model, cell.dataset, kind)
        found = records[cell.model].get(cell)
        config = _config(cell.model, graphs[cell.dataset].task, settings)
        wanted = (digest(config), digest(protocol.to_json()), graphs[cell.dataset].digest)
        task = graphs[cell.dataset].task
        is_of_today = found is not None and with_all_settings(found, task).identity == wanted
        if found is not None and is_of_today and found.refusal is None:
            num_done += 1
        else:
            num_replaced += found is not None and not is_of_today
            is_bundled = settings or has_bundled_settings(cell.model, cell.dataset, kind)
            tasks.append(CellTask(cell, folder, kind if is_bundled else "default", settings))
    return RunPlan(tuple(tasks), protocol, num_done, num_replaced)


def _config(model: str, task: Task, settings: dict[str, Any]) -> dict[str, Any]:
    return create_model(model, task, **settings).config.model_dump(mode="json")


def find_kind(name: str) -> SettingsKind:
    """The kind of settings with this name.

    Raises:
        UnknownNameError: If there is none.
    """
    for kind in SETTINGS:
        if kind == name:
            return kind
    raise UnknownNameError("kind of settings", name, SETTINGS)


def run_plan(
    plan: RunPlan,
    engine: Engine | None = None,
    *,
    on_start: Callable[[TableCell], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
    on_done: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Runs every task and writes its record as soon as it is finished, so that a killed command can be resumed.

    A task that fails writes no record and does not stop the others.

    Args:
        plan: The runs to do.
        engine: The engine that runs the tasks; by default inline.
        on_start: Called with each cell before its run, if the engine is inline.
        on_step: Called after every training step, if the engine is inline.
        on_done: Called as each task ends.

    Returns:
        The tasks that failed for a reason other than memory.

    Raises:
        OutputError: If a record cannot be written; earlier records are kept.
        TaskError: If a worker process was killed.
    """
    engine = engine or InlineEngine()
    run = partial(run_task, on_start=on_start, on_step=on_step) if engine.is_inline else run_task

    def keep(task: CellTask, outcome: Outcome) -> None:
        if outcome.record is not None:
            save_cell(task.folder, outcome.record)
        if on_done is not None:
            on_done(outcome)

    try:
        outcomes = engine.map(run, plan.tasks, shared=plan.protocol, on_done=keep)
        return [outcome for outcome in outcomes if outcome.failure is not None]
    except TaskError as error:
        raise TaskError(f"{error} Finished runs are kept.") from error


def run_task(
    protocol: Protocol,
    task: CellTask,
    on_start: Callable[[TableCell], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> Outcome:
    """Runs one cell; an error becomes a sentence, so that it does not stop the other cells."""
    if on_start is not None:
        on_start(task.cell)
    start = time.perf_counter()
    record, failure = None, None
    try:
        record = _measure(task, protocol, on_step)
    except LinkwlError as error:
        failure = str(error)
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return Outcome(task.cell, time.perf_counter() - start, record, failure)


def failure_sentence(failed: Sequence[Outcome]) -> str | None:
    """The failures as one sentence; None if there are none."""
    if not failed:
        return None
    what = "1 run failed and has no record" if len(failed) == 1 else f"{len(failed)} runs failed and have no record"
    shown = "; ".join(f"{outcome.cell}: {outcome.failure}" for outcome in failed[:_SHOWN])
    more = f"; and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
    return f"{what}, the rest is kept: {shown}{more}"


def _measure(task: CellTask, protocol: Protocol, on_step: Callable[[StepReport], None] | None) -> CellRecord:
    graph = _graph(task.cell.dataset)
    model = create_model(task.cell.model, graph.task, **task.settings)
    refusal = None
    try:
        evaluation = evaluate_models(graph, [model], protocol, [task.cell.seed], on_step=on_step)
    except MemoryLimitError as error:
        evaluation, refusal = Evaluation(graph.record, protocol.to_json(), ()), str(error)
    return CellRecord(task.cell, task.kind, model.config.model_dump(mode="json"), evaluation, refusal)


@lru_cache(maxsize=2)
def _graph(name: str) -> Observed:
    """The graph of a dataset; cells are ordered by dataset, so each is read once."""
    return load_dataset(name)
