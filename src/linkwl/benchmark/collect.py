"""From the records of a table, and from print, to the values that are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from linkwl.benchmark.cell_record import CellRecord, digest
from linkwl.benchmark.floor import FLOOR, check_floor, floor_file, load_floor
from linkwl.benchmark.grid import Grid, folder_name
from linkwl.benchmark.paper import Published, PublishedRow
from linkwl.datasets import CATALOGUE
from linkwl.errors import InputError
from linkwl.models.bundled import SettingsKind, bundled_settings
from linkwl.models.registry import ROWS
from linkwl.models.settings import flattened
from linkwl.records import Evaluation, RunRecord
from linkwl.reports.benchmark_view import Score, ScoreTable, System
from linkwl.splits import PAPER

_Records = Mapping[tuple[str, str], Sequence[CellRecord]]
"""By model and dataset; never empty."""


def collect_scores(grid: Grid, out: Path, kind: SettingsKind = "tuned") -> ScoreTable:
    """The table that the records in ``out`` give, whichever are there; neither graphs nor weights are needed.

    Args:
        grid: The table.
        out: Where records are kept: those of the networks in the folder of the table, those of the floor in
            ``heuristics``.
        kind: Which settings of the networks.

    Raises:
        InputError: If there is no record, one cannot be read, or the floor was measured otherwise than the networks.
    """
    name = folder_name(grid.name, kind)
    notes: list[str] = []
    records = {
        (model, dataset): found
        for model in grid.networks
        for dataset in grid.datasets
        if (found := _same_measurement(_load(out / name / model / dataset), kind, notes))
    }
    floors = _load_floors(grid, out, records)
    if not records and not floors:
        command = f"linkwl bench {grid.name}" + ("" if kind == "tuned" else f" --settings {kind}")
        raise InputError(f"no record of {grid.name} is here; run `{command}` first.", path=out / name)
    published = {row.system: row for row in grid.published}
    networks = []
    for model in grid.networks:
        row = published.pop(ROWS[model].published, None)
        ours = {dataset: _score(records[model, dataset]) for dataset in grid.datasets if (model, dataset) in records}
        networks.append(System(model, row.system if row else "", ours, _printed(row, grid.datasets)))
    return ScoreTable(
        name=name,
        title=f"{grid.title}, test AUC %",
        datasets={dataset: CATALOGUE[dataset].title for dataset in grid.datasets},
        networks=tuple(networks),
        floor=_floor(grid, floors),
        others=tuple(
            System("", row.system, printed=_printed(row, grid.datasets), is_in_paper=row.is_in_paper)
            for row in published.values()
        ),
        protocol=_protocol(records),
        full_seeds=PAPER.seeds,
        sources=(name, FLOOR),
        notes=tuple(notes),
    )


def _load(folder: Path) -> list[CellRecord]:
    """The records of one model on one dataset, by seed."""
    return sorted((CellRecord.load(path) for path in folder.glob("seed-*.json")), key=lambda record: record.cell.seed)


def _same_measurement(records: Sequence[CellRecord], kind: SettingsKind, notes: list[str]) -> list[CellRecord]:
    """Those under the protocol of the tables and made with the settings of today, or as most of them: one measurement.

    Runs that differ in settings or graph are not of one cell.
    """
    if not records:
        return []
    protocol, cell = digest(PAPER.to_json()), records[0].cell
    under_protocol = [record for record in records if digest(record.evaluation.protocol) == protocol]
    today = flattened(bundled_settings(cell.model, cell.dataset, kind)).items()
    of_today = [record for record in under_protocol if today <= flattened(record.config).items()]
    alike = Counter(record.identity for record in of_today or under_protocol)
    kept = [record for record in under_protocol if record.identity == alike.most_common(1)[0][0]]
    if len(kept) < len(records):
        left_out = len(records) - len(kept)
        notes.append(
            f"Left out: {left_out} record{'' if left_out == 1 else 's'} of {cell.model} on {cell.dataset}, made with "
            "other settings, on another graph or under another protocol than the rest."
        )
    return kept


def _load_floors(grid: Grid, out: Path, records: _Records) -> dict[str, Evaluation]:
    """The heuristics of every dataset that has a record of them, measured as the networks were."""
    floors = {}
    for dataset in grid.datasets:
        path = floor_file(out, dataset)
        if not path.exists():
            continue
        floor = floors[dataset] = load_floor(path, grid.floor)
        graphs = [records[model, dataset][0].evaluation.graph for model in grid.networks if (model, dataset) in records]
        for graph in graphs or [floor.graph]:
            check_floor(path, floor, graph.digest, PAPER.to_json())
    return floors


def _protocol(records: _Records) -> str:
    """How ours were measured, in words."""
    values = PAPER.to_json()
    valid, test = 100 * values["valid_ratio"], 100 * values["test_ratio"]
    text = (
        f"Ours: linkwl under protocol `{PAPER.id}`: {100 - valid - test:g} % of the edges train, {valid:g} % valid "
        f"and {test:g} % test, {' and '.join(values['test_observes'])} edges observed at test time; "
        f"{values['negatives']}."
    )
    kinds = sorted({record.settings for found in records.values() for record in found})
    return f"{text} Settings of the networks: {', '.join(kinds)}." if kinds else text


def _score(records: Sequence[CellRecord]) -> Score:
    """Mean and sample standard deviation over the seeds; or the refusal."""
    runs = [record.run for record in records if record.run is not None]
    if not runs:
        return Score(None, word="refused", detail=records[0].refusal or "")
    return _summary(records[0].evaluation, runs)


def _summary(evaluation: Evaluation, runs: Sequence[RunRecord]) -> Score:
    auc = replace(evaluation, runs=tuple(runs)).summary[runs[0].model]["auc"]
    return Score(100 * auc["mean"], 100 * auc["std"] if len(runs) > 1 else None, num_seeds=len(runs))


def _floor(grid: Grid, floors: Mapping[str, Evaluation]) -> System:
    """The best heuristic of every dataset, chosen by its mean AUC on validation targets; the first of equal ones."""
    ours, printed = {}, {}
    published = {row.system: row for row in grid.published_heuristics}
    for dataset, floor in floors.items():
        runs = {model: [run for run in floor.runs if run.model == model] for model in grid.floor}
        best = max(runs, key=lambda model: fmean(run.valid["auc"] for run in runs[model]))
        ours[dataset] = replace(_summary(floor, runs[best]), detail=best)
        if best in published and dataset in published[best].values:
            printed[dataset] = _printed_score(published[best].values[dataset])
    return System("best heuristic", "the same heuristic, in print", ours, printed, is_in_paper=False)


def _printed(row: PublishedRow | None, datasets: Sequence[str]) -> dict[str, Score]:
    if row is None:
        return {}
    return {dataset: _printed_score(row.values[dataset]) for dataset in datasets if dataset in row.values}


def _printed_score(value: Published) -> Score:
    return Score(value.value, value.std, word="OOM" if value.value is None else "", source=value.source)
