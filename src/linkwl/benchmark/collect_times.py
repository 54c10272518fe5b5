"""Collects the values of the time table from records and published numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from linkwl.benchmark.gae import GAE
from linkwl.benchmark.grid import table_name
from linkwl.benchmark.published import CITATION, TIMES, PublishedRow
from linkwl.benchmark.timing import TIME, TimeRecord, load_times, times_file
from linkwl.datasets import CATALOGUE
from linkwl.errors import InputError
from linkwl.models.bundled import SettingsKind
from linkwl.models.registry import ROWS
from linkwl.reports.benchmark_time import Duration, TimedSystem, TimeTable


def collect_times(
    out: Path,
    kind: SettingsKind = "tuned",
    *,
    datasets: Sequence[str] = CITATION,
    published: Sequence[PublishedRow] = TIMES,
) -> TimeTable:
    """The table of times of the records in ``out``.

    Raises:
        InputError: If there is no record, or one cannot be read.
    """
    found = load_times(out, kind)
    records = {name: found[name] for name in datasets if name in found}
    if not records:
        path = times_file(out, kind)
        raise InputError("there is no record of times; run `linkwl bench time` first.", path=path)
    printed = {row.system: _printed(row, datasets) for row in published}
    names = list(dict.fromkeys(name for record in records.values() for name in record.clocks))
    names.sort(key=lambda name: name == GAE)  # the reference comes last, whatever was measured first
    systems = []
    for name in names:
        ours = {dataset: _duration(record, name) for dataset, record in records.items() if name in record.clocks}
        paper_name = ROWS[name].published_in(printed) if name in ROWS else ""
        systems.append(
            TimedSystem(
                name,
                paper_name,
                ours,
                printed.pop(paper_name, {}),
                is_reference=name == GAE,
            )
        )
    systems += [TimedSystem("", system, printed=seconds) for system, seconds in printed.items()]
    return TimeTable(
        name=table_name(TIME, kind),
        title="Seconds to score the test targets: ours and printed",
        datasets={name: CATALOGUE[name].title for name in datasets},
        systems=tuple(systems),
        conditions=_conditions(list(records.values())),
        notes=tuple(
            f"Refused: {model} on {CATALOGUE[name].title}: {why}"
            for name, record in records.items()
            for model, why in record.refusals.items()
        ),
    )


def _duration(record: TimeRecord, name: str) -> Duration:
    clock, reference = record.clocks[name], record.clocks.get(GAE)
    ratio = None
    if reference is not None and name != GAE:
        ratio = median(a / b for a, b in zip(clock.seconds, reference.seconds, strict=True))
    return Duration(median(clock.seconds), clock.first, ratio, clock.fit)


def _printed(row: PublishedRow, datasets: Sequence[str]) -> dict[str, float]:
    values = {dataset: row.values[dataset].value for dataset in datasets if dataset in row.values}
    return {dataset: value for dataset, value in values.items() if value is not None}


def _conditions(records: Sequence[TimeRecord]) -> str:
    turns = _range([len(clock.seconds) for record in records for clock in record.clocks.values()])
    threads = _range([int(record.versions["threads"]) for record in records])
    targets = ", ".join(f"{CATALOGUE[record.dataset].title} {record.num_targets:,}" for record in records)
    protocols = ", ".join(sorted({record.protocol["id"] for record in records}))
    text = (
        f"Ours: linkwl on a CPU with {threads} threads, from a graph in memory to the scores of all test targets "
        f"({targets}) under protocol `{protocols}`, nothing kept from earlier runs: the median of {turns} warm runs, "
        "and the first run of a fresh process."
    )
    if any(clock.fit is not None for record in records for clock in record.clocks.values()):
        text += " Training: one run on the train and validation links, in the same command."
    if any(GAE in record.clocks for record in records):
        text += f" {GAE} (GCN encoder, features to 32 to 16) took turns with ours, from tensors that were already made."
    return f"{text} Printed: the times of Hu et al., 2022, on an A40 GPU."


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
