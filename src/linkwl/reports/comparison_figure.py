"""Models on one graph as a picture: how good they are, and how long they take."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from linkwl.reports.benchmark_figure import GREY, WIDTH, add_caption, save_png
from linkwl.reports.comparison import Comparison
from linkwl.reports.comparison_view import seconds_text
from linkwl.reports.panels import draw_standings
from linkwl.reports.tables import evaluation_title


def draw_comparison(comparison: Comparison, path: Path) -> None:
    """Draws a row per model, the best on top: test scores of every split and their mean, and the seconds beside them.

    Args:
        comparison: The models.
        path: The PNG file to write.

    Raises:
        OutputError: If it cannot be written.
    """
    rows = comparison.standings
    with matplotlib.rc_context({"font.size": 9}):
        figure = Figure(figsize=(WIDTH, 0.32 * len(rows) + 1.9), layout="constrained")
        scores, times = figure.subplots(1, 2, sharey=True, width_ratios=[3, 1])
        for place, (row, colour) in enumerate(zip(rows, draw_standings(scores, comparison), strict=True)):
            times.barh(place, row.seconds, color=colour, height=0.6)
            times.text(row.seconds, place, f" {seconds_text(row.seconds)}", va="center", fontsize=7.5, color=GREY)
        times.set_xscale("log")
        times.set_xlabel("seconds to fit and score")
        times.margins(x=0.25)
        times.grid(axis="x", linewidth=0.4, alpha=0.5)
        times.spines[["top", "right"]].set_visible(False)
        figure.suptitle(
            evaluation_title(comparison.evaluation).replace("`", ""), x=0.01, ha="left", weight="bold", fontsize=11
        )
        add_caption(
            figure,
            "Ordered by validation scores. Blue: the best of them; green: within a point of it and not clearly worse "
            "(corrected paired t-test, 95 %). Dots are splits, bars their standard deviation.",
        )
        save_png(figure, path)
