"""From the records of a table, and from print, to the values that are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from linkwl.benchmark.cell_record import CellRecord
from linkwl.benchmark.grid import NETWORKS, Grid
from linkwl.benchmark.paper import Published, PublishedRow
from linkwl.datasets import CATALOGUE
from linkwl.errors import InputError
from linkwl.records import Evaluation, RunRecord
from linkwl.reports.benchmark_view import Score, ScoreTable, System
from linkwl.splits import PROTOCOLS


def collect_scores(grid: Grid, folder: Path) -> ScoreTable:
    """The table that the records in ``folder`` give; neither graphs nor weights are needed.

    Args:
        grid: The table.
        folder: Where its records are.

    Raises:
        InputError: If there is no record, or one cannot be read.
    """
    notes: list[str] = []
    records = {
        (model, dataset): _same_measurement(_load(folder / model / dataset), notes)
        for model in (*grid.floor, *grid.networks)
        for dataset in grid.datasets
    }
    records = {place: found for place, found in records.items() if found}
    if not records:
        raise InputError(f"no record of {grid.name} is here; run `linkwl bench {grid.name}` first.", path=folder)
    protocol, full_seeds = _protocol(record for found in records.values() for record in found)
    published = {row.system: row for row in grid.published}
    networks = []
    for name in grid.networks:
        row = published.pop(NETWORKS.get(name, name), None)
        ours = {dataset: _score(records[name, dataset]) for dataset in grid.datasets if records.get((name, dataset))}
        networks.append(System(name, row.system if row else "", ours, _printed(row, grid.datasets)))
    return ScoreTable(
        name=grid.name,
        title=f"{grid.title}, test AUC %: ours and printed",
        datasets={name: CATALOGUE[name].title for name in grid.datasets},
        networks=tuple(networks),
        floor=_floor(grid, records),
        others=tuple(
            System("", row.system, printed=_printed(row, grid.datasets), is_in_paper=row.is_in_paper)
            for row in published.values()
        ),
        protocol=protocol,
        full_seeds=full_seeds,
        notes=tuple(notes),
    )


def _load(folder: Path) -> list[CellRecord]:
    """The records of one model on one dataset, by seed."""
    return sorted((CellRecord.load(path) for path in folder.glob("seed-*.json")), key=lambda record: record.cell.seed)


def _same_measurement(records: Sequence[CellRecord], notes: list[str]) -> list[CellRecord]:
    """Those made as the first was: runs with other settings are no runs of one cell, and seed 0 is always run first."""
    kept = [record for record in records if record.identity == records[0].identity]
    if len(kept) < len(records):
        cell, left_out = records[0].cell, len(records) - len(kept)
        notes.append(
            f"Left out: {left_out} record{'' if left_out == 1 else 's'} of {cell.model} on {cell.dataset} made with "
            f"other settings, or on another graph, than that of seed {cell.seed}."
        )
    return kept


def _protocol(records: Iterable[CellRecord]) -> tuple[str, int]:
    """How ours were measured, in words, and over how many seeds a full measurement goes."""
    found = list(records)
    protocols = {record.evaluation.protocol["id"]: record.evaluation.protocol for record in found}
    kinds = sorted({record.settings for record in found if record.cell.model in NETWORKS})
    sentences = []
    for name, values in protocols.items():
        valid, test = 100 * values["valid_ratio"], 100 * values["test_ratio"]
        sentences.append(
            f"Ours: linkwl under protocol `{name}`: {100 - valid - test:g} % of the edges train, {valid:g} % valid "
            f"and {test:g} % test, {' and '.join(values['test_observes'])} edges observed at test time; "
            f"{values['negatives']}."
        )
    if kinds:
        sentences.append(f"Settings of the networks: {', '.join(kinds)}.")
    return " ".join(sentences), max(PROTOCOLS[name].seeds for name in protocols)


def _score(records: Sequence[CellRecord]) -> Score:
    """Mean and sample standard deviation over the seeds; or the refusal."""
    runs = [record.run for record in records if record.run is not None]
    if not runs:
        return Score(None, word="refused", detail=records[0].refusal or "")
    return _summary(records[0].evaluation, runs)


def _summary(evaluation: Evaluation, runs: Sequence[RunRecord]) -> Score:
    auc = replace(evaluation, runs=tuple(runs)).summary[runs[0].model]["auc"]
    return Score(100 * auc["mean"], 100 * auc["std"] if len(runs) > 1 else None, num_seeds=len(runs))


def _floor(grid: Grid, records: Mapping[tuple[str, str], Sequence[CellRecord]]) -> System:
    """The best heuristic of every dataset, chosen by its mean AUC on validation targets; the first of equal ones."""
    ours, printed = {}, {}
    published = {row.system: row for row in grid.published_heuristics}
    for dataset in grid.datasets:
        runs = {
            model: [record.run for record in records.get((model, dataset), ()) if record.run is not None]
            for model in grid.floor
        }
        means = {model: sum(run.valid["auc"] for run in found) / len(found) for model, found in runs.items() if found}
        if not means:
            continue
        best = max(means, key=means.__getitem__)
        ours[dataset] = replace(_score(records[best, dataset]), detail=best)
        if best in published and dataset in published[best].values:
            printed[dataset] = _printed_score(published[best].values[dataset])
    return System("best heuristic", "the same heuristic, in print", ours, printed, is_in_paper=False)


def _printed(row: PublishedRow | None, datasets: Sequence[str]) -> dict[str, Score]:
    if row is None:
        return {}
    return {dataset: _printed_score(row.values[dataset]) for dataset in datasets if dataset in row.values}


def _printed_score(value: Published) -> Score:
    return Score(value.value, value.std, word="OOM" if value.value is None else "", source=value.source)
