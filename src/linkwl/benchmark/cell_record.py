"""What one cell of a table leaves behind: the record of its run, or the sentence that refused it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkwl.benchmark.grid import Cell
from linkwl.errors import InputError
from linkwl.files import make_folder, write_text
from linkwl.records import Evaluation, RunRecord


@dataclass(frozen=True)
class CellRecord:
    """One run of a table, as it is kept in a file of its own."""

    cell: Cell
    settings: str
    """Where the settings came from: ``tuned``, ``paper`` or ``default``."""
    config: dict[str, Any]
    """All of the model's settings."""
    evaluation: Evaluation
    """The graph, the protocol and one run; no run where the cell was refused."""
    refusal: str | None = None
    """Why it was not run: it would have taken more memory than there was."""

    @property
    def run(self) -> RunRecord | None:
        """The run; None where the cell was refused."""
        return self.evaluation.runs[0] if self.evaluation.runs else None

    @property
    def identity(self) -> tuple[str, str, str]:
        """What has to be the same for two records to be of one measurement: settings, protocol and graph."""
        return digest(self.config), digest(self.evaluation.protocol), self.evaluation.graph.digest

    def save(self, path: Path) -> None:
        """Writes the record, whole or not at all; its folders are made."""
        make_folder(path.parent)
        own = {
            "dataset": self.cell.dataset,
            "model": self.cell.model,
            "seed": self.cell.seed,
            "settings": self.settings,
            "config": self.config,
            "refusal": self.refusal,
        }
        values = {"cell": own} | json.loads(self.evaluation.to_json())
        write_text(path, json.dumps(values, indent=2, allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: Path) -> CellRecord:
        """The record in a file written by :meth:`save`.

        Raises:
            InputError: If the file holds something else.
        """
        try:
            text = path.read_text(encoding="utf-8")
            own = dict(json.loads(text)["cell"])
            cell = Cell(own.pop("dataset"), own.pop("model"), own.pop("seed"))
            record = cls(cell=cell, evaluation=Evaluation.from_json(text), **own)
            _check(record, path)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                "this is not a readable record of a run; delete it, and the cell is run again.", path=path
            ) from error
        return record


def digest(values: dict[str, Any]) -> str:
    """SHA-256 of plain values, the same before they were written as JSON and after."""
    return hashlib.sha256(json.dumps(values, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _check(record: CellRecord, path: Path) -> None:
    """Finds out what would only surface when the table is drawn."""
    if path.parts[-3:] != record.cell.place.parts:
        raise InputError(f"this is the record of {record.cell}, and stands in the wrong place; delete it.", path=path)
    runs = record.evaluation.runs
    if len(runs) != (0 if record.refusal else 1):
        raise ValueError("a record holds one run, or a refusal")
    for run in runs:
        if (run.model, run.seed) != (record.cell.model, record.cell.seed):
            raise ValueError("the run is of another cell")
        if not 0 <= run.metrics["auc"] <= 1 or not 0 <= run.valid["auc"] <= 1:
            raise ValueError("an AUC lies between 0 and 1")
