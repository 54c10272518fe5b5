"""Single panels, drawn on the axes of a report or of a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np
from matplotlib.axes import Axes

from linkwl.metrics import Reliability, find_metric, precision_recall_curve, roc_curve
from linkwl.reports.benchmark_figure import COLOURS, GREY
from linkwl.reports.comparison import Comparison, Standing
from linkwl.typing import FloatArray, Scores

INK, SOFT, BLUE, ORANGE = "#334155", "#94a3b8", "#0b6e99", "#d9480f"


def draw_roc(axes: Axes, positive: Scores, negative: Scores, *, label: str | None = None) -> None:
    """The share of links found against the share of other pairs that are mistaken for links."""
    curve = roc_curve(positive, negative)
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle=":", label="chance")
    axes.plot(curve.x, curve.y, color=BLUE, label=label)
    axes.set(xlabel="false positive rate", ylabel="true positive rate", title="ROC", aspect="equal")
    axes.legend(frameon=False, loc="lower right")


def draw_precision_recall(axes: Axes, positive: Scores, negative: Scores) -> None:
    """The share of links among the pairs above a threshold, against the share of links found."""
    curve = precision_recall_curve(positive, negative)
    axes.plot(curve.x, curve.y, color=BLUE)
    axes.axhline(len(positive) / (len(positive) + len(negative)), color=SOFT, linestyle=":")
    axes.set(xlabel="recall", ylabel="precision", title="precision and recall", aspect="equal")
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02))


def draw_reliability(axes: Axes, found: Reliability) -> None:
    """Predicted probabilities against the share of links among the pairs that got them."""
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle=":", label="perfect")
    axes.plot(found.predicted, found.true, color=BLUE, zorder=2)
    axes.scatter(found.predicted, found.true, s=20 + 400 * found.share, color=BLUE, alpha=0.75, linewidths=0, zorder=3)
    axes.set(xlabel="predicted probability", ylabel="share of links", aspect="equal", xlim=(0, 1), ylim=(0, 1))
    axes.set_title("reliability (larger dots: more pairs)", loc="left", fontsize=9)
    axes.legend(frameon=False, loc="lower right")


def draw_losses(axes: Axes, losses: Sequence[float]) -> None:
    """The loss of every step, and running means."""
    axes.plot(range(1, len(losses) + 1), losses, color=SOFT, linewidth=0.7)
    axes.plot(*_smoothed(losses), color=INK)
    axes.set(xlabel="step", title="loss")


def draw_validation(axes: Axes, looks: Sequence[tuple[int, float]], best_step: int, metric: str) -> None:
    """The selection metric on validation links at every measurement."""
    steps, values = zip(*looks, strict=True) if looks else ((), ())
    axes.plot(steps, [100 * value for value in values], color=BLUE)
    axes.axvline(best_step, color=ORANGE, linestyle=":", label=f"best: step {best_step:,}")
    axes.set(xlabel="step", title=f"{metric} on validation links, %")
    axes.legend(frameon=False, loc="lower right")


def draw_standings(axes: Axes, comparison: Comparison) -> list[str]:
    """A row per model, the best on top: test scores of every split, their mean and standard deviation.

    Returns:
        The colour of each row.
    """
    rows, metric = comparison.standings, comparison.metric
    metric = metric if metric in rows[0].runs[0].metrics else next(iter(rows[0].runs[0].metrics))
    is_tested = comparison.quickest_tie is not None
    colours = [COLOURS[0] if row is comparison.best else COLOURS[1] if row.ties and is_tested else GREY for row in rows]
    for place, (row, colour) in enumerate(zip(rows, colours, strict=True)):
        values = [100 * run.metrics[metric] for run in row.runs]
        axes.plot(values, [place] * len(values), ".", color=colour, alpha=0.35, markersize=6)
        spread = stdev(values) if len(values) > 1 else 0.0
        axes.errorbar(fmean(values), place, xerr=spread, fmt="o", color=colour, markersize=5, capsize=2)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel(f"test {find_metric(metric).title} %")
    axes.grid(axis="x", linewidth=0.4, alpha=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    return colours


def _label(row: Standing) -> str:
    return f"{row.title} ({row.model})" if row.title.lower() != row.model else row.model


def _smoothed(values: Sequence[float], width: int = 21) -> tuple[FloatArray, FloatArray]:
    """Running means."""
    width = max(1, min(width, len(values)))
    means = np.convolve(values, np.full(width, 1 / width), mode="valid") if values else np.empty(0)
    return np.arange(len(means)) + (width + 1) / 2, means
