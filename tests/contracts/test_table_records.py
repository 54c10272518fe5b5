"""The records of the tables are those of today's models: none would be replaced."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from linkwl.benchmark.cell_record import load_cells
from linkwl.benchmark.grid import GRIDS
from linkwl.benchmark.runner import plan_cells
from linkwl.models.bundled import SettingsKind

RESULTS = Path(__file__).parents[2] / "results"
KINDS: list[tuple[str, SettingsKind]] = [*((name, grid.settings) for name, grid in GRIDS.items()), ("table3", "paper")]
FILES = [
    (name, kind, path.stem)
    for name, kind in KINDS
    for path in sorted((RESULTS / GRIDS[name].file_name(kind)).glob("*.jsonl"))
]


def test_there_are_records():
    assert {name for name, _, _ in FILES} >= {"table1", "table2"}


@pytest.mark.parametrize(("name", "kind", "model"), FILES)
def test_no_record_is_replaced(name, kind, model):
    grid = GRIDS[name]
    folder = RESULTS / grid.file_name(kind)
    records = list(load_cells(folder, model).values())
    digests = {record.cell.dataset: record.evaluation.graph.digest for record in records}
    plan = plan_cells(
        [record.cell for record in records],
        folder,
        kind,
        protocol=grid.protocol,
        open_dataset=lambda dataset: SimpleNamespace(digest=digests[dataset], task=grid.task),
    )
    assert plan.num_replaced == 0
    assert plan.num_done == sum(record.refusal is None for record in records)
