from __future__ import annotations

from dataclasses import replace

import pytest

from linkwl.benchmark.cell_record import CellRecord, save_cell
from linkwl.benchmark.grid import FLOOR, Grid, TableCell
from linkwl.benchmark.published import Published, PublishedRow
from linkwl.protocols import PAPER
from linkwl.records import Evaluation, GraphRecord, RunRecord

GRAPH = GraphRecord("airports", 352, 3017, "digest")


def published(system: str, value: float | None, std: float | None = None, *, is_in_paper: bool = True) -> PublishedRow:
    return PublishedRow(system, "a paper", {"airports": Published(value, std, f"a paper, row {system}")}, is_in_paper)


@pytest.fixture
def grid() -> Grid:
    """A table of one small dataset that is part of the package."""
    return Grid(
        "toy",
        "Toy table",
        ("airports",),
        (published("A", 90.0), published("B", 97.0, 1.0, is_in_paper=False), published("2-WL", 95.0, 0.5)),
        (published("aa", 91.0),),
        models=("2wl", "local-2wl"),
        heuristics=("cn", "aa"),
    )


@pytest.fixture
def make_record():
    """A record with the AUC that a test wants."""

    def make(model, seed, auc=0.9, *, valid=0.8, config=None, refusal=None, graph=GRAPH, protocol=PAPER) -> CellRecord:
        config = config or {}
        run = RunRecord(
            model=model,
            seed=seed,
            metrics={"auc": auc, "ap": auc},
            valid={"auc": valid, "ap": valid},
            seconds={"prepare": 0.0, "fit": 0.0, "predict": 0.0},
            steps=0,
            peak_memory_mb=1.0,
            split="split",
            config=config,
        )
        evaluation = Evaluation(graph, protocol.to_json(), (run,))
        if refusal is not None:
            evaluation = replace(evaluation, runs=())
        return CellRecord(TableCell("airports", model, seed), "tuned", config, evaluation, refusal)

    return make


@pytest.fixture
def save(make_record, tmp_path):
    """Writes a record where the toy table looks for it."""

    def write(model, seed, auc=0.9, folder="toy", **values):
        save_cell(tmp_path / folder, make_record(model, seed, auc, **values))
        return tmp_path / folder / f"{model}.jsonl"

    return write


@pytest.fixture
def save_floor(save, tmp_path):
    """Writes the records of heuristics, with the AUCs on validation and on test targets that a test wants."""

    def write(**aucs):
        for model, values in aucs.items():
            (tmp_path / FLOOR / f"{model}.jsonl").unlink(missing_ok=True)
            for seed, (valid, test) in enumerate(values):
                save(model, seed, test, folder=FLOOR, valid=valid)

    return write
