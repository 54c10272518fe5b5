"""Single panels, drawn on the axes of a report or of a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from linkwl.metrics import Reliability, find_metric, precision_recall_curve, roc_curve
from linkwl.reports.benchmark_figure import COLOURS, GREY
from linkwl.reports.comparison import Comparison, Standing
from linkwl.typing import FloatArray, Scores

INK, SOFT, BLUE, ORANGE = "#334155", "#94a3b8", "#0b6e99", "#d9480f"
_WHOLE = (-0.02, 1.02)


def draw_roc(
    axes: Axes, positive: Scores, negative: Scores, hard: Scores | None = None, *, label: str = "random negatives"
) -> None:
    """True against false positive rate, and the same with negatives that look like links.

    Args:
        axes: Where to draw.
        positive: Scores of the links.
        negative: Scores of the other pairs.
        hard: Scores of pairs that look like links.
        label: The name of the first curve.
    """
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle=":", label="chance")
    axes.plot(*roc_curve(positive, negative), color=BLUE, linewidth=2, label=label)
    if hard is not None and len(hard):
        axes.plot(*roc_curve(positive, hard), color=ORANGE, linestyle="--", linewidth=1.6, label="hard negatives")
    axes.set(xlabel="false positive rate", ylabel="true positive rate", title="ROC", xlim=_WHOLE, ylim=_WHOLE)
    _in_percent(axes)
    axes.legend(frameon=False, loc="lower right")


def draw_precision_recall(axes: Axes, positive: Scores, negative: Scores, hard: Scores | None = None) -> None:
    """Precision against recall, and the same with negatives that look like links; see :func:`draw_roc`."""
    share = len(positive) / (len(positive) + len(negative))
    axes.axhline(share, color=SOFT, linestyle=":", label="chance")
    axes.plot(*precision_recall_curve(positive, negative), color=BLUE, linewidth=2, label="random negatives")
    if hard is not None and len(hard):
        curve = precision_recall_curve(positive, hard)
        axes.plot(*curve, color=ORANGE, linestyle="--", linewidth=1.6, label="hard negatives")
    axes.set(xlabel="recall", ylabel="precision", title="precision and recall", xlim=_WHOLE, ylim=_WHOLE)
    _in_percent(axes)
    axes.legend(frameon=False, loc="lower left")


def draw_reliability(axes: Axes, found: Reliability) -> None:
    """Predicted probabilities against the share of links among the pairs that got them; larger dots are more pairs."""
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle=":", label="perfect")
    axes.plot(found.predicted, found.true, color=BLUE, zorder=2)
    axes.scatter(found.predicted, found.true, s=20 + 400 * found.share, color=BLUE, alpha=0.75, linewidths=0, zorder=3)
    axes.set(xlabel="predicted probability", ylabel="share of links", xlim=(-0.04, 1.06), ylim=(-0.04, 1.06))
    axes.set_title("reliability (larger dots: more pairs)")
    _in_percent(axes)
    axes.legend(frameon=False, loc="lower right")


def draw_probabilities(axes: Axes, positive: Scores, negative: Scores) -> None:
    """How often each probability was given to links and to other pairs."""
    edges = np.linspace(0, 1, 21)
    for values, colour, label, side in ((positive, BLUE, "links", 1), (negative, SOFT, "other pairs", -1)):
        heights, _ = np.histogram(values, edges)
        axes.bar(edges[:-1], side * heights / len(values), width=0.046, align="edge", color=colour, label=label)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set(xlabel="predicted probability", ylabel="share", xlim=_WHOLE)
    axes.set_title("probabilities of hidden links and of other pairs")
    _in_percent(axes)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * abs(value):.0f} %")
    axes.legend(frameon=False, loc="upper center")


def draw_losses(axes: Axes, losses: Sequence[float]) -> None:
    """The loss of every step, and its running mean."""
    axes.plot(range(1, len(losses) + 1), losses, color=SOFT, linewidth=0.7, label="each step")
    axes.plot(*_smoothed(losses), color=INK, label="running mean")
    axes.set(xlabel="step", title="training loss")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.legend(frameon=False, loc="upper right")


def draw_validation(axes: Axes, looks: Sequence[tuple[int, float]], best_step: int, metric: str) -> None:
    """The selection metric on validation links at every measurement."""
    steps, values = zip(*looks, strict=True) if looks else ((), ())
    axes.plot(steps, values, color=BLUE)
    axes.axvline(best_step, color=ORANGE, linestyle=":", label=f"best: step {best_step:,}")
    axes.set(xlabel="step", title=f"{metric} on validation")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
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


def _in_percent(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))


def _smoothed(values: Sequence[float], width: int = 21) -> tuple[FloatArray, FloatArray]:
    """Running means."""
    width = max(1, min(width, len(values)))
    means = np.convolve(values, np.full(width, 1 / width), mode="valid") if values else np.empty(0)
    return np.arange(len(means)) + (width + 1) / 2, means
