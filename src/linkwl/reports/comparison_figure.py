"""Models on one graph as a picture: how good they are, and how long they take."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev

import matplotlib
from matplotlib.figure import Figure

from linkwl.metrics import find_metric
from linkwl.reports.benchmark_figure import COLOURS, GREY, WIDTH, add_caption, save_png
from linkwl.reports.comparison import Comparison, Standing, seconds_text
from linkwl.reports.tables import evaluation_title


def draw_comparison(comparison: Comparison, path: Path) -> None:
    """Draws a row per model, the best on top: test scores of every split and their mean, and the seconds beside them.

    Args:
        comparison: The models.
        path: The PNG file to write.

    Raises:
        OutputError: If it cannot be written.
    """
    rows, metric = comparison.standings, comparison.metric
    metric = metric if metric in rows[0].runs[0].metrics else next(iter(rows[0].runs[0].metrics))
    is_tested = comparison.quickest_tie is not None
    with matplotlib.rc_context({"font.size": 9}):
        figure = Figure(figsize=(WIDTH, 0.32 * len(rows) + 1.9), layout="constrained")
        scores, times = figure.subplots(1, 2, sharey=True, width_ratios=[3, 1])
        for place, row in enumerate(rows):
            colour = COLOURS[0] if row is comparison.best else COLOURS[1] if row.ties and is_tested else GREY
            values = [100 * run.metrics[metric] for run in row.runs]
            scores.plot(values, [place] * len(values), ".", color=colour, alpha=0.35, markersize=6)
            spread = stdev(values) if len(values) > 1 else 0.0
            scores.errorbar(fmean(values), place, xerr=spread, fmt="o", color=colour, markersize=5, capsize=2)
            times.barh(place, row.seconds, color=colour, height=0.6)
            times.text(row.seconds, place, f" {seconds_text(row.seconds)}", va="center", fontsize=7.5, color=GREY)
        scores.set_yticks(range(len(rows)), [_label(row) for row in rows])
        scores.invert_yaxis()
        scores.set_xlabel(f"test {find_metric(metric).title} %")
        times.set_xscale("log")
        times.set_xlabel("seconds to fit and score")
        times.margins(x=0.25)
        for axes in (scores, times):
            axes.grid(axis="x", linewidth=0.4, alpha=0.5)
            axes.spines[["top", "right"]].set_visible(False)
        figure.suptitle(
            evaluation_title(comparison.evaluation).replace("`", ""), x=0.01, ha="left", weight="bold", fontsize=11
        )
        add_caption(
            figure,
            "Ordered by validation scores. Blue: the best of them; green: within a point of it and not clearly worse "
            "(corrected paired t-test, 95 %). Dots are splits, bars their standard deviation.",
        )
        save_png(figure, path)


def _label(row: Standing) -> str:
    return f"{row.title} ({row.model})" if row.title.lower() != row.model else row.model
