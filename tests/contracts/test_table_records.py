"""The records of the tables are those of today's models: none would be replaced."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from linkwl.benchmark.cell_record import load_cells
from linkwl.benchmark.grid import GRIDS
from linkwl.benchmark.runner import plan_cells

RESULTS = Path(__file__).parents[2] / "results"
FILES = [
    (name, path.stem)
    for name, grid in GRIDS.items()
    for path in sorted((RESULTS / grid.file_name(grid.settings)).glob("*.jsonl"))
]


def test_there_are_records():
    assert {name for name, _ in FILES} >= {"table1", "table2"}


@pytest.mark.parametrize(("name", "model"), FILES)
def test_no_record_is_replaced(name, model):
    grid = GRIDS[name]
    folder = RESULTS / grid.file_name(grid.settings)
    records = list(load_cells(folder, model).values())
    digests = {record.cell.dataset: record.evaluation.graph.digest for record in records}
    plan = plan_cells(
        [record.cell for record in records],
        folder,
        grid.settings,
        protocol=grid.protocol,
        open_dataset=lambda dataset: SimpleNamespace(digest=digests[dataset], is_directed=False),
    )
    assert plan.num_replaced == 0
    assert plan.num_done == sum(record.refusal is None for record in records)
