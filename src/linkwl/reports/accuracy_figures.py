"""The pictures of a model's accuracy: curves, reliability, and the course of training.

Each is as wide as a phone, so that its text can be read there; a page sets two of them side by side where it has room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from linkwl.metrics import Reliability, precision_recall_curve, roc_curve
from linkwl.reports.panels import BLUE, INK, ORANGE, SOFT
from linkwl.reports.report_figures import STYLE
from linkwl.typing import FloatArray, Scores

SIZE = (4.6, 3.4)
PICTURE_STYLE = STYLE | {
    "font.size": 10.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.labelcolor": INK,
}


_P = ParamSpec("_P")


def _styled(draw: Callable[_P, Figure]) -> Callable[_P, Figure]:
    """Draws in the style of these pictures."""

    @wraps(draw)
    def styled(*args: _P.args, **kwargs: _P.kwargs) -> Figure:
        with matplotlib.rc_context(PICTURE_STYLE):
            return draw(*args, **kwargs)

    return styled


@_styled
def roc_plot(positive: Scores, negative: Scores, hard: Scores | None = None) -> Figure:
    """True against false positive rate, and the same with negatives that look like links.

    Args:
        positive: Scores of the links.
        negative: Scores of the other pairs.
        hard: Scores of pairs that look like links.
    """
    figure, axes = _axes("ROC")
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle=":", label="chance")
    axes.plot(*roc_curve(positive, negative), color=BLUE, linewidth=2, label="random negatives")
    if hard is not None and len(hard):
        axes.plot(*roc_curve(positive, hard), color=ORANGE, linestyle="--", linewidth=1.6, label="hard negatives")
    axes.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    _in_percent(axes)
    axes.legend(frameon=False, loc="lower right")
    return figure


@_styled
def precision_recall_plot(positive: Scores, negative: Scores, hard: Scores | None = None) -> Figure:
    """Precision against recall, and the same with negatives that look like links.

    Args:
        positive: Scores of the links.
        negative: Scores of the other pairs.
        hard: Scores of pairs that look like links.
    """
    figure, axes = _axes("precision and recall")
    share = len(positive) / (len(positive) + len(negative))
    axes.axhline(share, color=SOFT, linestyle=":", label="chance")
    axes.plot(*precision_recall_curve(positive, negative), color=BLUE, linewidth=2, label="random negatives")
    if hard is not None and len(hard):
        curve = precision_recall_curve(positive, hard)
        axes.plot(*curve, color=ORANGE, linestyle="--", linewidth=1.6, label="hard negatives")
    axes.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    _in_percent(axes)
    axes.legend(frameon=False, loc="lower left")
    return figure


@_styled
def reliability_plot(found: Reliability) -> Figure:
    """Predicted probabilities against the share of links among the pairs that got them; larger dots are more pairs."""
    figure, axes = _axes("reliability (larger dots: more pairs)")
    axes.plot([0, 1], [0, 1], color=SOFT, linestyle=":", label="perfect")
    axes.plot(found.predicted, found.true, color=BLUE, zorder=2)
    axes.scatter(found.predicted, found.true, s=20 + 400 * found.share, color=BLUE, alpha=0.75, linewidths=0, zorder=3)
    axes.set(xlabel="predicted probability", ylabel="share of links", xlim=(-0.04, 1.06), ylim=(-0.04, 1.06))
    _in_percent(axes)
    axes.legend(frameon=False, loc="lower right")
    return figure


@_styled
def probability_plot(positive: Scores, negative: Scores) -> Figure:
    """How often each probability was given to links and to other pairs."""
    figure, axes = _axes("probabilities of hidden links and of other pairs")
    edges = np.linspace(0, 1, 21)
    for values, colour, label, side in ((positive, BLUE, "links", 1), (negative, SOFT, "other pairs", -1)):
        heights, _ = np.histogram(values, edges)
        axes.bar(edges[:-1], side * heights / len(values), width=0.046, align="edge", color=colour, label=label)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set(xlabel="predicted probability", ylabel="share", xlim=(-0.02, 1.02))
    _in_percent(axes)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * abs(value):.0f} %")
    axes.legend(frameon=False, loc="upper center")
    return figure


@_styled
def loss_plot(losses: Sequence[float]) -> Figure:
    """The loss of every step, and its running mean."""
    figure, axes = _axes("training loss")
    axes.plot(range(1, len(losses) + 1), losses, color=SOFT, linewidth=0.7, label="each step")
    axes.plot(*_smoothed(losses), color=INK, label="running mean")
    axes.set_xlabel("step")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.legend(frameon=False, loc="upper right")
    return figure


@_styled
def validation_plot(looks: Sequence[tuple[int, float]], best_step: int, metric: str) -> Figure:
    """The selection metric on validation links at every measurement."""
    figure, axes = _axes(f"{metric} on validation")
    steps, values = zip(*looks, strict=True) if looks else ((), ())
    axes.plot(steps, values, color=BLUE)
    axes.axvline(best_step, color=ORANGE, linestyle=":", label=f"best: step {best_step:,}")
    axes.set_xlabel("step")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.legend(frameon=False, loc="lower right")
    return figure


def _axes(title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def _in_percent(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))


def _smoothed(values: Sequence[float], width: int = 21) -> tuple[FloatArray, FloatArray]:
    """Running means."""
    width = max(1, min(width, len(values)))
    means = np.convolve(values, np.full(width, 1 / width), mode="valid") if values else np.empty(0)
    return np.arange(len(means)) + (width + 1) / 2, means
