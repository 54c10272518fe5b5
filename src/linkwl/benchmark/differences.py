"""A model against all others, split by split."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from linkwl.benchmark.cell_record import CellRecord, merged
from linkwl.benchmark.collect import load_records
from linkwl.benchmark.grid import Grid
from linkwl.metrics import PairedDifference, paired_difference
from linkwl.models.bundled import SettingsKind


@dataclass(frozen=True)
class Difference:
    """A model minus another on one dataset, over the splits that both were run on."""

    found: PairedDifference
    splits: int


def collect_differences(
    grid: Grid, out: Path, model: str, kind: SettingsKind = "tuned"
) -> dict[str, dict[str, Difference]]:
    """The first metric of a model minus that of every other, by model and dataset, from the existing records.

    Args:
        grid: The table.
        out: The folder of the records.
        model: The model that others are compared with.
        kind: The kind of settings.

    Raises:
        InputError: If a record cannot be read.
    """
    records = load_records(grid, out, kind)
    metric, protocol = next(iter(grid.metric_titles)), grid.protocol.to_json()
    overlap = protocol["test_ratio"] / (1 - protocol["valid_ratio"] - protocol["test_ratio"])
    found: dict[str, dict[str, Difference]] = {}
    for (other, dataset), theirs in records.items():
        if other == model or (model, dataset) not in records:
            continue
        ours, others = (_scores(rows, metric) for rows in (records[model, dataset], theirs))
        splits = sorted(ours.keys() & others.keys())
        if splits:
            difference = paired_difference(
                [ours[split] for split in splits], [others[split] for split in splits], overlap=overlap
            )
            found.setdefault(other, {})[dataset] = Difference(difference, len(splits))
    return found


def _scores(records: list[CellRecord], metric: str) -> dict[tuple[int, str], float]:
    """The metric by seed and digest of the split."""
    return {(run.seed, run.split): run.metrics[metric] for run in merged(records).runs}
