"""Benchmark tables as dot plots: ours with error bars, printed ones hollow beside them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from linkwl.files import replaced
from linkwl.reports.benchmark_view import PRINTED, Score, ScoreTable, System

COLOURS = ("#0072B2", "#009E73", "#D55E00", "#CC79A7")
"""Told apart by people who see fewer colours as well (Okabe and Ito); each row has its own place besides."""
GREY = "#555555"
_COLUMNS = 4
_SHIFT = 0.17
"""How far the printed mark stands below ours, in rows."""


def draw_scores(table: ScoreTable, path: Path) -> None:
    """Draws a panel per dataset: a row per network and the floor, ours filled and the printed ones hollow.

    Args:
        table: The values.
        path: The PNG file to write.

    Raises:
        OutputError: If it cannot be written.
    """
    columns = min(_COLUMNS, len(table.datasets))
    rows = math.ceil(len(table.datasets) / columns)
    with matplotlib.rc_context({"font.size": 9}):
        figure = Figure(figsize=(3.1 * columns + 1.3, 2.35 * rows + 1.35), layout="constrained")
        panels = figure.subplots(rows, columns, sharey=True, squeeze=False)
        for axes in panels.flat[len(table.datasets) :]:
            axes.set_axis_off()
        for axes, dataset in zip(panels.flat, table.datasets, strict=False):
            _draw_panel(axes, table, dataset)
        caption = textwrap.fill(f"{table.protocol} {PRINTED}", width=55 * columns + 12)
        figure.suptitle(table.title, x=0.01, ha="left", weight="bold", fontsize=11)
        figure.supxlabel(caption, x=0.01, ha="left", fontsize=7.5, color=GREY)
        figure.legend(handles=_legend(table), loc="outside upper right", ncols=4, frameon=False, fontsize=7.5)
        save_png(figure, path)


def save_png(figure: Figure, path: Path) -> None:
    """Writes a figure, whole or not at all; the same values give the same bytes."""
    with replaced(path) as temporary:
        figure.savefig(temporary, format="png", dpi=140, metadata={"Software": None})


def _draw_panel(axes: Axes, table: ScoreTable, dataset: str) -> None:
    other = best_other(table, dataset)
    if other is not None:
        axes.axvline(other, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for row, system in enumerate(table.networks):
        _draw_row(axes, system, dataset, row, COLOURS[row % len(COLOURS)])
    row = len(table.networks)
    if is_far_below(table, dataset):
        texts = [f"{text} {score.mean:.1f}" for text, score in _both(table.floor, dataset) if score.mean is not None]
        _write(axes, row, f"◂ {', '.join(texts)}")
    else:
        _draw_row(axes, table.floor, dataset, row, GREY)
    axes.set_title(table.datasets[dataset], loc="left")
    axes.set_ylim(row + 0.6, -0.6)
    axes.set_yticks(range(row + 1), [*(system.name for system in table.networks), "best heuristic\n(validation)"])
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, min_n_ticks=3))
    axes.margins(x=0.08)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def is_far_below(table: ScoreTable, dataset: str) -> bool:
    """Whether the floor is so far down that showing it to scale would crowd the networks together."""
    scores = [score for system in table.networks for _, score in _both(system, dataset)]
    ends = [score.mean + sign * (score.std or 0) for score in scores if score.mean is not None for sign in (-1, 1)]
    floor = [score.mean for _, score in _both(table.floor, dataset) if score.mean is not None]
    return bool(ends and floor) and min(floor) < min(ends) - max(ends) + min(ends)


def _draw_row(axes: Axes, system: System, dataset: str, row: int, colour: str) -> None:
    """Both marks of a system, or the words that stand for them."""
    shift = _SHIFT if dataset in system.printed else 0.0
    _draw_mark(axes, system.ours, dataset, row - shift, colour, is_hollow=False)
    _draw_mark(axes, system.printed, dataset, row + shift, colour, is_hollow=True)
    words = [f"{whose}: {score.word}" for whose, score in _both(system, dataset) if score.word]
    if words:
        _write(axes, row, ", ".join(words))


def _both(system: System, dataset: str) -> list[tuple[str, Score]]:
    """The scores that there are, and whose they are."""
    sides = (("ours", system.ours), ("printed", system.printed))
    return [(whose, scores[dataset]) for whose, scores in sides if dataset in scores]


def _write(axes: Axes, row: int, text: str) -> None:
    place = axes.get_yaxis_transform()  # from the left edge, at the height of the row
    axes.text(
        0.015, row, text, transform=place, va="center", fontsize=7.5, color=GREY, backgroundcolor="white", zorder=2
    )


def _draw_mark(
    axes: Axes, scores: Mapping[str, Score], dataset: str, height: float, colour: str, *, is_hollow: bool
) -> None:
    score = scores.get(dataset)
    if score is None or score.mean is None:
        return
    axes.errorbar(
        score.mean,
        height,
        xerr=score.std,
        fmt="D" if is_hollow else "o",
        markersize=4.5 if is_hollow else 5.5,
        color=colour,
        markerfacecolor="white" if is_hollow else colour,
        elinewidth=0.8 if is_hollow else 1.6,
        alpha=0.9,
        zorder=2 if is_hollow else 3,
    )


def best_other(table: ScoreTable, dataset: str) -> float | None:
    """The best of the systems that are only in print, as far as the paper's own table has them."""
    means = [
        system.printed[dataset].mean for system in table.others if system.is_in_paper and dataset in system.printed
    ]
    return max((mean for mean in means if mean is not None), default=None)


def _legend(table: ScoreTable) -> list[Line2D]:
    hollow = {"markerfacecolor": "white", "markersize": 4.5}
    handles = [
        Line2D([], [], color="black", marker="o", markersize=5.5, label="ours, ± std over seeds"),
        Line2D([], [], color="black", linewidth=0.8, marker="D", label="as printed, ± std", **hollow),  # type: ignore[arg-type]
    ]
    if any(best_other(table, dataset) is not None for dataset in table.datasets):
        dashes = (0, (4, 3))
        handles.append(Line2D([], [], color=GREY, linewidth=0.9, linestyle=dashes, label="best baseline of the paper"))
    return handles
