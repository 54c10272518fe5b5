"""Benchmark tables as dot plots: our scores with error bars, printed scores as hollow marks beside them."""

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
from linkwl.reports.benchmark_table import Score, ScoreTable, System

COLOURS = ("#0072B2", "#009E73", "#D55E00", "#CC79A7")
"""Distinguishable with colour vision deficiency (Okabe and Ito); each row also has its own position."""
GREY = "#555555"
WIDTH = 11.4
"""Inches, at 140 dots per inch: the width of a picture on a page."""
_COLUMNS = 4
_SHIFT = 0.17
"""Distance of the printed mark below ours, in rows."""


def draw_scores(table: ScoreTable, path: Path) -> None:
    """Draws a panel per dataset and metric: a row per network and the floor, our marks filled, the printed ones hollow.

    Args:
        table: The values.
        path: The PNG file to write.

    Raises:
        OutputError: If it cannot be written.
    """
    columns = min(_COLUMNS, len(table.datasets))
    shown = [(block, dataset) for block in table.blocks for dataset in table.datasets]
    rows, height = math.ceil(len(shown) / columns), max(2.35, 0.35 * len(table.networks))
    with matplotlib.rc_context({"font.size": 9}):
        figure = Figure(figsize=(WIDTH, height * rows + 1.35), layout="constrained")
        panels = figure.subplots(rows, columns, sharey=True, squeeze=False)
        for axes in panels.flat[len(shown) :]:
            axes.set_axis_off()
        for axes, (block, dataset) in zip(panels.flat, shown, strict=False):
            metric = f", {block.metric}" if table.further else ""
            _draw_panel(axes, block, dataset, f"{block.datasets[dataset]}{metric}")
        figure.suptitle(table.title, x=0.01, ha="left", weight="bold", fontsize=11)
        add_caption(figure, f"{table.protocol} {table.printed_note}".rstrip())
        figure.legend(handles=_legend(table), loc="outside upper right", ncols=4, frameon=False, fontsize=7.5)
        save_png(figure, path)


def add_caption(figure: Figure, text: str) -> None:
    """Writes small lines below the panels; Markdown code is shown as plain text."""
    lines = textwrap.fill(text.replace("`", ""), width=200)
    figure.supxlabel(lines, x=0.01, ha="left", fontsize=7.5, color=GREY)


def save_png(figure: Figure, path: Path) -> None:
    """Writes a figure atomically; the same values give the same bytes."""
    with replaced(path) as temporary:
        figure.savefig(temporary, format="png", dpi=140, metadata={"Software": None})


def _draw_panel(axes: Axes, table: ScoreTable, dataset: str, title: str) -> None:
    other = best_other(table, dataset)
    if other is not None:
        axes.axvline(other, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for row, system in enumerate(table.networks):
        if system.is_rival and is_far_below(table, system, dataset):
            _write(axes, row, f"◂ {_values(system, dataset)}")
        else:
            _draw_row(axes, system, dataset, row, GREY if system.is_rival else COLOURS[row % len(COLOURS)])
    names, row = [system.name for system in table.networks], len(table.networks)
    if table.floor.name:
        names.append("best heuristic\n(validation)")
    if is_far_below(table, table.floor, dataset):
        _write(axes, row, f"◂ {table.floor.ours[dataset].detail}: {_values(table.floor, dataset)}")
    else:
        _draw_row(axes, table.floor, dataset, row, GREY)
        _name_floor(axes, table.floor, dataset, row)
    axes.set_title(title, loc="left")
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), names)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=4, min_n_ticks=3, steps=[1, 2, 5, 10]))
    axes.margins(x=0.08)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def is_far_below(table: ScoreTable, system: System, dataset: str) -> bool:
    """Whether a system is so low that showing it to scale would crowd our networks together."""
    networks = [system for system in table.networks if not system.is_rival]
    scores = [score for network in networks for _, score in _both(network, dataset)]
    ends = [score.mean + sign * (score.std or 0) for score in scores if score.mean is not None for sign in (-1, 1)]
    means = [score.mean for _, score in _both(system, dataset) if score.mean is not None]
    return bool(ends and means) and min(means) < min(ends) - max(ends) + min(ends)


def _values(system: System, dataset: str) -> str:
    """The means of a system as text."""
    return ", ".join(f"{whose} {score.mean:.1f}" for whose, score in _both(system, dataset) if score.mean is not None)


def _draw_row(axes: Axes, system: System, dataset: str, row: int, colour: str) -> None:
    """Draws both marks of a system, or the words in their place."""
    shift = _SHIFT if dataset in system.printed else 0.0
    _draw_mark(axes, system.ours, dataset, row - shift, colour, is_hollow=False)
    _draw_mark(axes, system.printed, dataset, row + shift, colour, is_hollow=True)
    both = _both(system, dataset)
    words = [f"{whose}: {score.word}" for whose, score in both if score.word]
    if words:
        is_alone = len(words) == len(both)
        _write(axes, row if is_alone else row - shift if both[0][1].word else row + shift, ", ".join(words))


def _name_floor(axes: Axes, floor: System, dataset: str, row: int) -> None:
    """Writes the name of the heuristic above its mark."""
    if dataset in floor.ours:
        score, shift = floor.ours[dataset], _SHIFT if dataset in floor.printed else 0.0
        axes.annotate(
            score.detail,
            (score.mean or 0.0, row - shift),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=7.5,
            color=GREY,
        )


def _both(system: System, dataset: str) -> list[tuple[str, Score]]:
    """The available scores, each with its source."""
    sides = (("ours", system.ours), ("printed", system.printed))
    return [(whose, scores[dataset]) for whose, scores in sides if dataset in scores]


def _write(axes: Axes, height: float, text: str) -> None:
    axes.text(
        0.015,
        height,
        text,
        transform=axes.get_yaxis_transform(),  # from the left edge, at the height of the row
        va="center",
        fontsize=7.5,
        color=GREY,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        zorder=2,
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
    """The best score in the paper's own table among systems that we did not measure."""
    means = [
        system.printed[dataset].mean for system in table.others if system.is_in_paper and dataset in system.printed
    ]
    return max((mean for mean in means if mean is not None), default=None)


def _legend(table: ScoreTable) -> list[Line2D]:
    hollow = {"markerfacecolor": "white", "markersize": 4.5}
    handles = [
        Line2D(
            [], [], color="black", marker="o", markersize=5.5, label=f"ours, ± std over up to {table.full_seeds} seeds"
        ),
        Line2D([], [], color="black", linewidth=0.8, marker="D", label="as printed, ± std", **hollow),  # type: ignore[arg-type]
    ]
    if any(best_other(table, dataset) is not None for dataset in table.datasets):
        dashes = (0, (4, 3))
        handles.append(Line2D([], [], color=GREY, linewidth=0.9, linestyle=dashes, label="best baseline of the paper"))
    return handles
