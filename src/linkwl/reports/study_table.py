"""A study as a table for a terminal."""

from __future__ import annotations

import math
from statistics import fmean

from rich.markup import escape
from rich.table import Table

from linkwl.metrics import find_metric
from linkwl.models.settings import flattened
from linkwl.tuning import Study, Trial

_SHOWN = 10


def study_table(study: Study) -> Table:
    """The best trials with their settings, the best first."""
    table = Table(box=None, header_style="bold")
    table.add_column("trial", justify="right")
    table.add_column(f"{find_metric(study.metric).title} %", justify="right", no_wrap=True)
    table.add_column("CPU s", justify="right")
    table.add_column("settings", overflow="fold")
    best = study.best
    for trial in ranked_trials(study)[:_SHOWN]:
        value = "–" if trial.value is None else f"{100 * trial.value:.2f}"
        table.add_row(
            str(trial.number),
            value,
            f"{trial.cpu_seconds:.1f}",
            escape(settings_text(trial)),
            style="bold" if trial is best else "",
        )
    return table


def ranked_trials(study: Study) -> list[Trial]:
    """The trials, the best first, those that did not end last."""
    return sorted(study.trials, key=lambda trial: (trial.value is None, -(trial.value or 0.0), trial.number))


def settings_text(trial: Trial) -> str:
    """The settings of a trial, and why it did not end, if so."""
    settings = ", ".join(f"{name}={_short(setting)}" for name, setting in flattened(trial.settings).items())
    what = settings if trial.origin == "drawn" else f"{trial.origin}{': ' if settings else ''}{settings}"
    return what + (f" ({trial.stopped})" if trial.stopped else "")


def confirmation_text(study: Study) -> str:
    """How the best settings did on fresh splits, in a sentence; empty if they were not measured there."""
    found = study.confirmation
    if found is None:
        return ""
    title, count = find_metric(study.metric).title, len(found.seeds)
    where = f"on {count} fresh split{'' if count == 1 else 's'} of the training links"
    default = f"{100 * fmean(found.default):.2f} %"
    if found.best == found.default:
        return f"{where}: {title} {default}; no settings were better than the defaults"
    difference = found.difference
    if not math.isfinite(difference.margin):
        verdict = "too few splits to tell from noise"
        by = f"{100 * difference.mean:+.2f} points"
    else:
        by = f"{100 * difference.mean:+.2f} ± {100 * difference.margin:.2f} points"
        verdict = "not clearly different from the defaults"
        if difference.is_clear:
            verdict = f"clearly {'better' if difference.mean > 0 else 'worse'} than the defaults"
    return f"{where}: {title} {100 * fmean(found.best):.2f} %, defaults {default}, {by}: {verdict}"


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
