"""Collects the values of a score table from records and published numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from linkwl.benchmark.cell_record import CellRecord, digest, load_cells, merged, with_all_settings
from linkwl.benchmark.grid import Grid
from linkwl.benchmark.published import Published, PublishedRow
from linkwl.errors import InputError
from linkwl.models.bundled import SettingsKind, bundled_settings
from linkwl.models.registry import ROWS
from linkwl.models.settings import flattened
from linkwl.reports.benchmark_table import Score, ScoreTable, System

_Records = Mapping[tuple[str, str], Sequence[CellRecord]]
"""By model and dataset; never empty."""
_Floors = Mapping[str, Mapping[str, Sequence[CellRecord]]]
"""The records of heuristics, by dataset and model."""


def collect_scores(grid: Grid, out: Path, kind: SettingsKind = "tuned") -> ScoreTable:
    """The table of the existing records in ``out``; neither graphs nor weights are needed.

    Args:
        grid: The table.
        out: The folder of the records: those of the networks are in the folder of the table, those of the heuristics
            in their own folder.
        kind: The kind of settings of the networks.

    Raises:
        InputError: If there is no record, or one cannot be read.
    """
    name = grid.file_name(kind)
    notes: list[str] = []
    records = _load(grid, out / name, grid.networks, kind, notes)
    floors = _load_floors(grid, out, records, notes)
    if not records and not floors:
        command = f"linkwl bench {grid.name}" + ("" if kind == grid.settings else f" --settings {kind}")
        raise InputError(f"there is no record of {grid.name}; run `{command}` first.", path=out / name)
    first, *rest = (_block(grid, name, metric, records, floors, notes) for metric in grid.metric_titles)
    return replace(first, further=tuple(rest))


def load_records(grid: Grid, out: Path, kind: SettingsKind) -> dict[tuple[str, str], list[CellRecord]]:
    """The records of the networks, those of one measurement for each model and dataset, by seed.

    Raises:
        InputError: If a record cannot be read.
    """
    return _load(grid, out / grid.file_name(kind), grid.networks, kind, [])


def _block(grid: Grid, name: str, metric: str, records: _Records, floors: _Floors, notes: Sequence[str]) -> ScoreTable:
    """The table of one metric."""
    published = {row.system: row for row in grid.published if row.metric in ("", metric)}
    networks = []
    for model in grid.networks:
        ours = {
            dataset: _score(metric, records[model, dataset]) for dataset in grid.datasets if (model, dataset) in records
        }
        if ours:
            row = published.pop(ROWS[model].published_in(published), None)
            printed, is_in_paper = _printed(row, grid.datasets), row is None or row.is_in_paper
            is_rival = ROWS[model].family not in ("network", "own")
            networks.append(System(model, row.system if row else "", ours, printed, is_in_paper, is_rival))
    title = grid.metric_titles[metric]
    return ScoreTable(
        name=name,
        title=f"{grid.title}, test {f'{title} ' if len(grid.metric_titles) == 1 else ''}%",
        metric=title,
        datasets=grid.dataset_titles,
        networks=tuple(networks),
        floor=_floor(grid, metric, floors),
        others=tuple(
            System("", row.system, printed=_printed(row, grid.datasets), is_in_paper=row.is_in_paper)
            for row in published.values()
        ),
        protocol=_protocol(grid, records),
        full_seeds=grid.full_seeds,
        sources=(name, grid.floor_folder) if grid.floor else (name,),
        notes=tuple(notes),
        printed_note=grid.note,
    )


def _load(
    grid: Grid, folder: Path, models: Sequence[str], kind: SettingsKind, notes: list[str]
) -> dict[tuple[str, str], list[CellRecord]]:
    """The records of one measurement of every model on every dataset, by seed."""
    found: dict[tuple[str, str], list[CellRecord]] = {}
    for model in models:
        records = sorted(load_cells(folder, model).values(), key=lambda record: record.cell.seed)
        for dataset in grid.datasets:
            of_dataset = [record for record in records if record.cell.dataset == dataset]
            if len({record.identity for record in of_dataset}) > 1:  # else the model need not be loaded
                of_dataset = [with_all_settings(record, grid.task) for record in of_dataset]
            if kept := _same_measurement(grid, of_dataset, kind, notes):
                found[model, dataset] = kept
    return found


def _same_measurement(
    grid: Grid, records: Sequence[CellRecord], kind: SettingsKind, notes: list[str]
) -> list[CellRecord]:
    """The records of one measurement: under the table's protocol, with the current settings or else the most common.

    Runs that differ in settings or graph do not belong to one cell.
    """
    if not records:
        return []
    protocol, cell = digest(grid.protocol.to_json()), records[0].cell
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


def _load_floors(grid: Grid, out: Path, records: _Records, notes: list[str]) -> _Floors:
    """The records of every heuristic, for the datasets where all were run on the graph of the networks.

    The best of fewer heuristics would be too low a floor.
    """
    found = _load(grid, out / grid.floor_folder, grid.floor, "default", notes)
    floors = {}
    for dataset in grid.datasets:
        floor = {model: found[model, dataset] for model in grid.floor if (model, dataset) in found}
        if not floor:
            continue
        missing = [model for model in grid.floor if not any(record.run for record in floor.get(model, ()))]
        networks = [records[model, dataset] for model in grid.networks if (model, dataset) in records]
        graphs = {cell[0].evaluation.graph.digest for cell in (*floor.values(), *networks)}
        if missing:
            notes.append(f"Left out: the heuristics on {dataset}, without a run of {', '.join(missing)}.")
        elif len(graphs) > 1:
            notes.append(f"Left out: the heuristics on {dataset}, measured on another graph than the networks.")
        else:
            floors[dataset] = floor
    return floors


def _protocol(grid: Grid, records: _Records) -> str:
    """How our scores were measured, in words."""
    values = grid.protocol.to_json()
    valid, test = 100 * values["valid_ratio"], 100 * values["test_ratio"]
    split = (
        f"{100 - valid - test:g} % of the edges train, {valid:g} % valid and {test:g} % test, "
        f"{' and '.join(values['test_observes'])} edges observed at test time"
    )
    if grid.task == "triples":
        split = "the benchmark's own division, tested on a graph of other entities"
    text = f"Ours: linkwl under protocol `{grid.protocol.id}`: {split}; {values['negatives']}."
    kinds = sorted({record.settings for found in records.values() for record in found})
    return f"{text} Settings of the networks: {', '.join(kinds)}." if kinds else text


def _score(metric: str, records: Sequence[CellRecord]) -> Score:
    """Mean and sample standard deviation over the seeds; or the refusal."""
    evaluation = merged(records)
    if not evaluation.runs:
        return Score(None, word="refused", detail=records[0].refusal or "")
    values = evaluation.summary[records[0].cell.model][metric]
    count = len(evaluation.runs)
    return Score(100 * values["mean"], 100 * values["std"] if count > 1 else None, num_seeds=count)


def _floor(grid: Grid, metric: str, floors: _Floors) -> System:
    """The best heuristic of every dataset by its mean on validation targets; ties go to the first."""
    if not grid.floor:
        return System("", "", is_in_paper=False)
    ours, printed = {}, {}
    published = {row.system: row for row in grid.published_heuristics}
    for dataset, floor in floors.items():
        means = {
            model: fmean(run.valid[grid.selects] for run in merged(records).runs) for model, records in floor.items()
        }
        best = max(means, key=lambda model: means[model])
        ours[dataset] = replace(_score(metric, floor[best]), detail=best)
        if best in published and dataset in published[best].values:
            printed[dataset] = _printed_score(published[best].values[dataset])
    return System("best heuristic", "the same heuristic, in print", ours, printed, is_in_paper=False)


def _printed(row: PublishedRow | None, datasets: Sequence[str]) -> dict[str, Score]:
    if row is None:
        return {}
    return {dataset: _printed_score(row.values[dataset]) for dataset in datasets if dataset in row.values}


def _printed_score(value: Published) -> Score:
    return Score(value.value, value.std, word="OOM" if value.value is None else "", source=value.source)
