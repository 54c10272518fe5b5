"""The record of one cell of a table: its run, or the reason why it was refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linkwl.benchmark.grid import TableCell
from linkwl.errors import InputError
from linkwl.jsonl import Row, put_row, read_rows
from linkwl.models.registry import recreate_model
from linkwl.records import Evaluation, RunRecord
from linkwl.typing import Task

_WHAT = "a run"


@dataclass(frozen=True)
class CellRecord:
    """One run of a table; a line in the file of its model."""

    cell: TableCell
    settings: str
    """The kind of settings: ``tuned``, ``paper`` or ``default``."""
    config: dict[str, Any]
    """All of the model's settings."""
    evaluation: Evaluation
    """The graph, the protocol and one run; no run if the cell was refused."""
    refusal: str | None = None
    """Why it was not run: it needs more memory than was free."""

    @property
    def run(self) -> RunRecord | None:
        """The run; None if the cell was refused."""
        return self.evaluation.runs[0] if self.evaluation.runs else None

    @property
    def identity(self) -> tuple[str, str, str]:
        """Settings, protocol and graph: equal for records of the same measurement."""
        return digest(self.config), digest(self.evaluation.protocol), self.evaluation.graph.digest

    def to_row(self) -> Row:
        """The record as plain values."""
        own = {
            "dataset": self.cell.dataset,
            "model": self.cell.model,
            "seed": self.cell.seed,
            "settings": self.settings,
            "config": self.config,
            "refusal": self.refusal,
        }
        return {"cell": own} | json.loads(self.evaluation.to_json())

    @classmethod
    def from_row(cls, row: Row) -> CellRecord:
        """The record from the plain values of :meth:`to_row`.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: If the values are not a record.
        """
        own = dict(row["cell"])
        cell = TableCell(own.pop("dataset"), own.pop("model"), own.pop("seed"))
        record = cls(cell=cell, evaluation=Evaluation.from_json(json.dumps(row)), **own)
        _check(record)
        return record


def load_cells(folder: Path, model: str) -> dict[TableCell, CellRecord]:
    """The records of one model in the folder of a table, by dataset and seed; none if there is no file.

    Raises:
        InputError: If a line cannot be read, belongs to another model, or repeats the cell of an earlier line.
    """
    found: dict[TableCell, CellRecord] = {}

    def add(row: Row) -> None:
        record = CellRecord.from_row(row)
        if record.cell.model != model:
            raise InputError(f"this is the record of {record.cell}, in the file of another model; delete the line.")
        if record.cell in found:
            raise InputError(f"this is a second record of {record.cell}; delete one of the two lines.")
        found[record.cell] = record

    read_rows(_file(folder, model), add, _WHAT)
    return found


def save_cell(folder: Path, record: CellRecord) -> None:
    """Writes a record, replacing an earlier one of its cell; creates the folder.

    Raises:
        InputError: If an existing line is damaged.
        OutputError: If the file cannot be written.
    """
    put_row(_file(folder, record.cell.model), record.to_row(), _key, _WHAT)


def merged(records: Sequence[CellRecord]) -> Evaluation:
    """Merges the runs of one or more records of the same measurement."""
    runs = tuple(record.run for record in records if record.run is not None)
    return replace(records[0].evaluation, runs=runs)


def with_all_settings(record: CellRecord, task: Task) -> CellRecord:
    """The record with the settings that its model has gained since, at the values that leave the model as it was.

    A record with a setting that no longer exists stays as it is.
    """
    with suppress(InputError):
        config = recreate_model(record.cell.model, task, record.config).config.model_dump(mode="json")
        return replace(record, config=config)
    return record


def digest(values: dict[str, Any]) -> str:
    """SHA-256 of plain values, the same before and after writing them as JSON."""
    return hashlib.sha256(json.dumps(values, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _file(folder: Path, model: str) -> Path:
    return folder / f"{model}.jsonl"


def _key(row: Row) -> tuple[str, int]:
    return row["cell"]["dataset"], row["cell"]["seed"]


def _check(record: CellRecord) -> None:
    """Raises ValueError for a record that the table could not draw."""
    runs = record.evaluation.runs
    if len(runs) != (0 if record.refusal else 1):
        raise ValueError("a record holds one run, or a refusal")
    for run in runs:
        if (run.model, run.seed) != (record.cell.model, record.cell.seed):
            raise ValueError("the run is of another cell")
        values = [run.metrics[name] for name in record.evaluation.protocol["metrics"]]
        if not run.valid or not all(0 <= value <= 1 for value in (*values, *run.valid.values())):
            raise ValueError("a metric lies between 0 and 1")
