"""A study as a table for a terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from linkwl.metrics import find_metric
from linkwl.models.settings import flattened
from linkwl.tuning import Study

_SHOWN = 10


def study_table(study: Study) -> Table:
    """The best trials with their settings, the best first."""
    table = Table(box=None, header_style="bold")
    table.add_column("trial", justify="right")
    table.add_column(f"{find_metric(study.metric).title} %", justify="right", no_wrap=True)
    table.add_column("CPU s", justify="right")
    table.add_column("settings", overflow="fold")
    best = study.best
    ranked = sorted(study.trials, key=lambda trial: (trial.value is None, -(trial.value or 0.0), trial.number))
    for trial in ranked[:_SHOWN]:
        value = "–" if trial.value is None else f"{100 * trial.value:.2f}"
        settings = ", ".join(f"{name}={_short(setting)}" for name, setting in flattened(trial.settings).items())
        what = settings if trial.origin == "drawn" else f"{trial.origin}{': ' if settings else ''}{settings}"
        why = f" ({trial.stopped})" if trial.stopped else ""
        table.add_row(
            str(trial.number),
            value,
            f"{trial.cpu_seconds:.1f}",
            escape(what + why),
            style="bold" if trial is best else "",
        )
    return table


def study_text(study: Study) -> str:
    """What was found and at what cost, in a line."""
    best, title = study.best, find_metric(study.metric).title
    count = f"{len(study.trials)} trial{'' if len(study.trials) == 1 else 's'}"
    if study.cpu_seconds >= 60 * study.budget.cpu_minutes and len(study.trials) < study.budget.trials:
        count += f", then {study.budget.cpu_minutes:g} CPU minutes were over,"
    cost = f"{count} of {study.model} on {study.graph.name}, {study.cpu_seconds / 60:.1f} CPU minutes"
    if best is None or best.value is None:
        return f"{cost}: none has ended"
    default = next((trial.value for trial in study.trials if trial.origin == "default"), None)
    beside = "" if default is None or best.origin == "default" else f" (defaults {100 * default:.2f} %)"
    return f"{cost}: best {title} {100 * best.value:.2f} %{beside} on links hidden inside the training links"


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
