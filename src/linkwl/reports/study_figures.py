"""The pictures of a study: its history, the importance of settings, and slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import fmean
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from linkwl.models.settings import flattened
from linkwl.models.space import LogUniform, Space
from linkwl.reports.accuracy_figures import PICTURE_STYLE, SIZE
from linkwl.reports.panels import BLUE, INK, ORANGE, SOFT
from linkwl.tuning import Study, Trial

_MOST_SLICES = 12


def draw_history(study: Study, title: str) -> Figure:
    """The value of every trial in the order of their numbers, and the best so far.

    Args:
        study: The trials.
        title: The name of the metric.
    """
    whole = [trial for trial in study.trials if trial.value is not None]
    with matplotlib.rc_context(PICTURE_STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.add_subplot()
        numbers = [trial.number for trial in whole]
        values = [_percent(trial) for trial in whole]
        axes.step(
            numbers, list(accumulate(values, max)), where="post", color=ORANGE, linewidth=1.2, label="best so far"
        )
        axes.scatter(numbers, values, s=18, color=BLUE, linewidths=0, zorder=3, label="trial")
        early = [trial for trial in study.trials if trial.partial]
        if early:
            means = [100 * fmean(trial.partial) for trial in early]
            axes.scatter([trial.number for trial in early], means, s=16, color=SOFT, marker="v", label="ended early")
        if study.default is not None and study.default.value is not None:
            axes.axhline(_percent(study.default), color=INK, linestyle=":", linewidth=0.8, label="defaults")
        for start in range(study.search.width, _last(study) + 1, study.search.width):
            if study.search.width > 1:
                axes.axvline(start - 0.5, color=SOFT, linewidth=0.3, alpha=0.6)
        axes.set(xlabel="trial" + (" (lines: waves)" if study.search.width > 1 else ""), ylabel=f"{title} %")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title("value of the trials")
        axes.legend(frameon=False, fontsize=9, loc="lower right")
    return figure


def draw_importance(importance: Mapping[str, float]) -> Figure:
    """A bar per setting, the most important on top."""
    with matplotlib.rc_context(PICTURE_STYLE):
        figure = Figure(figsize=(SIZE[0], 1.1 + 0.27 * len(importance)), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title("importance of settings")
        axes.barh(range(len(importance)), [100 * share for share in importance.values()], color=BLUE, height=0.65)
        axes.set_yticks(range(len(importance)), list(importance))
        axes.invert_yaxis()
        axes.set_xlabel("share %")
    return figure


def draw_slices(study: Study, title: str, names: Sequence[str], space: Space) -> dict[str, Figure]:
    """The value of the trials against each setting that varies, a picture for each.

    Args:
        study: The trials.
        title: The name of the metric.
        names: The settings by dotted names, the most important first.
        space: Their ranges.
    """
    trials = [trial for trial in study.trials if trial.value is not None]
    settings = [flattened(study.defaults) | flattened(trial.settings) for trial in trials]
    varying = [name for name in names if len({str(row.get(name)) for row in settings}) > 1][:_MOST_SLICES]
    pictures: dict[str, Figure] = {}
    for name in varying:
        with matplotlib.rc_context(PICTURE_STYLE):
            pictures[name] = Figure(figsize=(3.8, 2.7), layout="constrained")
            axes = pictures[name].add_subplot()
            _draw_slice(axes, [row.get(name) for row in settings], trials, study.best)
            axes.set(xlabel=name, ylabel=f"{title} %")
            if isinstance(space.get(name), LogUniform):
                axes.set_xscale("log")
    return pictures


def _draw_slice(axes: Axes, values: Sequence[Any], trials: Sequence[Trial], best: Trial | None) -> None:
    places: Sequence[float]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        places = values
    else:
        labels = sorted({str(value) for value in values})
        places = [labels.index(str(value)) for value in values]
        axes.set_xticks(range(len(labels)), [label[:12] for label in labels], fontsize=7)
        axes.margins(x=0.25)
    shades = [to_rgba(BLUE, share) for share in np.linspace(0.25, 1.0, len(trials))]
    axes.scatter(places, [_percent(trial) for trial in trials], s=18, color=shades, linewidths=0)
    for place, trial in zip(places, trials, strict=True):
        if best is not None and trial.number == best.number:
            axes.scatter([place], [_percent(trial)], s=32, color=ORANGE, linewidths=0, zorder=3)


def _percent(trial: Trial) -> float:
    return 100 * (trial.value or 0.0)


def _last(study: Study) -> int:
    return max((trial.number for trial in study.trials), default=0)
