"""The pictures of a model's accuracy: curves, reliability, and the course of training.

Each is as wide as a phone, so that its text can be read there; a page sets two of them side by side where it has room.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from linkwl.reports import panels
from linkwl.reports.report_figures import STYLE

SIZE = (4.6, 3.4)
PICTURE_STYLE = STYLE | {
    "font.size": 10.5,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.labelcolor": panels.INK,
}

_P = ParamSpec("_P")


def _picture(draw: Callable[Concatenate[Axes, _P], None]) -> Callable[_P, Figure]:
    """A function that draws a panel on a figure of its own."""

    def plot(*args: _P.args, **kwargs: _P.kwargs) -> Figure:
        with matplotlib.rc_context(PICTURE_STYLE):
            figure = Figure(figsize=SIZE, layout="constrained")
            draw(figure.add_subplot(), *args, **kwargs)
        return figure

    return plot


roc_plot = _picture(panels.draw_roc)
precision_recall_plot = _picture(panels.draw_precision_recall)
reliability_plot = _picture(panels.draw_reliability)
probability_plot = _picture(panels.draw_probabilities)
loss_plot = _picture(panels.draw_losses)
validation_plot = _picture(panels.draw_validation)
