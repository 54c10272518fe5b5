"""A comparison of models as HTML for notebooks, as text, and as columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from linkwl.html_table import table_html
from linkwl.metrics import find_metric

if TYPE_CHECKING:
    from linkwl.reports.comparison import Comparison, Standing


def comparison_columns(comparison: Comparison) -> dict[str, list[Any]]:
    """A value per model, the best first: means and standard deviations over the splits, and the times in seconds."""
    rows, best = comparison.standings, comparison.recommended
    columns: dict[str, list[Any]] = {
        "model": [row.model for row in rows],
        f"valid_{comparison.metric}": [row.valid for row in rows],
    }
    for name in rows[0].runs[0].metrics:
        values = [[run.metrics[name] for run in row.runs] for row in rows]
        columns[name] = [fmean(some) for some in values]
        columns[f"{name}_std"] = [_deviation(some) for some in values]
    columns["seconds"] = [row.seconds for row in rows]
    columns["ties"] = [row.ties for row in rows]
    columns["recommended"] = [row is best for row in rows]
    return columns


def comparison_html(comparison: Comparison) -> str:
    """A row per model, the best first, and the recommendation below."""
    names, rows = _cells(comparison)
    return table_html(names, rows, title=_title(comparison), notes=_notes(comparison), numbers=names[1:])


def comparison_text(comparison: Comparison) -> str:
    """The same as lines of text."""
    names, rows = _cells(comparison)
    widths = [max(len(row[k]) for row in (names, *rows)) for k in range(len(names))]
    lines = [
        "  ".join(
            cell.rjust(width) if k else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (names, *rows)
    ]
    return "\n".join([_title(comparison), *lines, *_notes(comparison)])


def seconds_text(seconds: float) -> str:
    """Seconds with two or three digits; very short ones as a bound."""
    return "< 0.01" if seconds < 0.01 else f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}"


def _cells(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    metrics = list(comparison.best.runs[0].metrics)
    titles = [f"{find_metric(name).title} %" for name in metrics]
    names = ["model", f"valid {find_metric(comparison.metric).title} %", *titles, "seconds"]
    rows = [
        [row.model, f"{100 * row.valid:.2f}", *(_spread(row, name) for name in metrics), seconds_text(row.seconds)]
        for row in comparison.standings
    ]
    return names, rows


def _title(comparison: Comparison) -> str:
    evaluation = comparison.evaluation
    splits = len(evaluation.seeds)
    return f"{evaluation.graph.name}, protocol {evaluation.protocol['id']}, {splits} split{'s' * (splits != 1)}"


def _notes(comparison: Comparison) -> list[str]:
    left_out = [f"left out: {name}: {reason}" for name, reason in comparison.evaluation.refusals.items()]
    return [*(comparison.sentences if len(comparison.standings) > 1 else []), *left_out]


def _spread(row: Standing, metric: str) -> str:
    values = [100 * run.metrics[metric] for run in row.runs]
    return f"{fmean(values):.2f}" + (f" ± {_deviation(values):.2f}" if len(values) > 1 else "")


def _deviation(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0
