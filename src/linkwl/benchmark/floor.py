"""The floor of a table: heuristics that need no training, one record of all of them per dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from linkwl.benchmark.cell_record import digest
from linkwl.errors import InputError
from linkwl.files import make_folder
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.records import Evaluation, RunRecord
from linkwl.splits import PAPER, Protocol
from linkwl.training import evaluate_models

FLOOR = "heuristics"
"""What the floor is called among models, and its folder."""

_REMEDY = f"delete it, and run the table with `--models {FLOOR}`."


def floor_file(out: Path, dataset: str) -> Path:
    """The record of all heuristics on a dataset; every table reads the same one."""
    return out / FLOOR / f"{dataset}.json"


def load_floor(path: Path, models: Iterable[str]) -> Evaluation:
    """The record in a file that :func:`measure_floor` or ``linkwl evaluate --json`` wrote.

    Args:
        path: The file.
        models: Heuristics that have to be in it: the best of fewer would be a lower floor.

    Raises:
        InputError: If it is no such record, or one of the heuristics is missing.
    """
    try:
        evaluation = Evaluation.from_json(path.read_text(encoding="utf-8"))
        for run in evaluation.runs:
            if not 0 <= run.metrics["auc"] <= 1 or not 0 <= run.valid["auc"] <= 1:
                raise ValueError("an AUC lies between 0 and 1")
        found = {run.model for run in evaluation.runs}
        protocol_id = evaluation.protocol["id"]
        if not isinstance(protocol_id, str):
            raise TypeError("a protocol has a name")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"this is not a readable record of heuristics; {_REMEDY}", path=path) from error
    missing = [model for model in models if model not in found]
    if missing:
        raise InputError(f"this record has no run of {', '.join(missing)}; {_REMEDY}", path=path)
    return evaluation


def check_floor(path: Path, floor: Evaluation, graph_digest: str, protocol: dict[str, Any]) -> None:
    """Finds out whether the heuristics were measured as the networks are.

    Raises:
        InputError: If they were measured on another graph, or under another protocol.
    """
    if floor.graph.digest != graph_digest:
        raise InputError(f"these heuristics were measured on another graph than the networks; {_REMEDY}", path=path)
    if digest(floor.protocol) != digest(protocol):
        raise InputError(
            f"these heuristics were measured under another protocol than the networks; {_REMEDY}", path=path
        )


def measure_floor(
    graph: Graph,
    path: Path,
    models: Sequence[str],
    *,
    protocol: Protocol = PAPER,
    on_run: Callable[[RunRecord], None] | None = None,
) -> Evaluation:
    """Measures heuristics over all seeds of the protocol and writes their record, whole or not at all.

    Args:
        graph: The whole graph.
        path: The file to write; its folder is made.
        models: The heuristics.
        protocol: How to split and what to measure.
        on_run: Called with each run as it is finished.
    """
    make_folder(path.parent)  # fails before the work
    evaluation = evaluate_models(
        graph, [create_model(model) for model in models], protocol, range(protocol.seeds), on_run=on_run
    )
    evaluation.save(path)
    return evaluation
