"""Tables of running times: their values, as Markdown, for a terminal and as a dot plot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from rich.table import Table

from linkwl.reports.benchmark_figure import COLOURS, GREY, WIDTH, add_caption, save_png

_ABSENT = "–"


@dataclass(frozen=True)
class Duration:
    """Seconds to score all test targets, as we measured them."""

    seconds: float
    """The median over runs."""
    first: float
    """The first run of a fresh process."""
    ratio: float | None = None
    """Time relative to the reference, the median over turns; None for the reference itself."""
    fit: float | None = None
    """Seconds of training; None if it was not timed."""


@dataclass(frozen=True)
class TimedSystem:
    """The running times of one system: our measurements and the printed times."""

    name: str
    """Our name, or that of a reference that we ran; empty for a system with printed times only."""
    printed_name: str
    """The printed name; empty if nothing is printed."""
    ours: Mapping[str, Duration] = field(default_factory=dict)
    """By dataset."""
    printed: Mapping[str, float] = field(default_factory=dict)
    """Seconds by dataset."""
    is_reference: bool = False
    """Whether it belongs to another library and was run as a reference."""


@dataclass(frozen=True)
class TimeTable:
    """A table of times."""

    name: str
    title: str
    datasets: Mapping[str, str]
    """Titles by name."""
    systems: tuple[TimedSystem, ...]
    conditions: str
    """What was measured, and on which machine."""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The table as plain values for JSON."""
        return asdict(self)


def times_markdown(table: TimeTable) -> str:
    """The table with its title and a note on the measurement."""
    parts = [f"# {table.title}", times_rows_markdown(table), table.conditions, *table.notes]
    return "\n\n".join(parts) + "\n"


def times_rows_markdown(table: TimeTable) -> str:
    """The table alone: a row per system, a column per dataset."""
    lines = [f"| seconds | {' | '.join(table.datasets.values())} |", f"|---|{'--:|' * len(table.datasets)}"]
    lines += [f"| {label.replace('_', chr(92) + '_')} | {' | '.join(cells)} |" for label, cells in _rows(table)]
    return "\n".join(lines)


def times_table(table: TimeTable) -> Table:
    """The table for a terminal; printed times are dim."""
    view = Table(box=None, header_style="bold", padding=(0, 1))
    view.add_column("seconds", no_wrap=True)
    for title in table.datasets.values():
        view.add_column(title, justify="right")
    for label, cells in _rows(table):
        view.add_row(label, *cells, style="dim" if label.endswith(_PRINTED) else None)
    return view


def draw_times(table: TimeTable, path: Path) -> None:
    """Draws a panel per dataset on a logarithmic scale: our measurements filled, printed times hollow.

    Args:
        table: The values.
        path: The PNG file to write.

    Raises:
        OutputError: If it cannot be written.
    """
    with matplotlib.rc_context({"font.size": 9}):
        height = 0.42 * len(table.systems) + 1.9
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        panels = figure.subplots(1, len(table.datasets), sharey=True, squeeze=False)[0]
        for axes, dataset in zip(panels, table.datasets, strict=True):
            _draw_panel(axes, table, dataset)
        figure.suptitle(table.title, x=0.01, ha="left", weight="bold", fontsize=11)
        add_caption(figure, table.conditions)
        figure.legend(handles=_legend(), loc="outside upper right", ncols=3, frameon=False, fontsize=7.5)
        save_png(figure, path)


_PRINTED = "paper's GPU"


def _rows(table: TimeTable) -> Iterator[tuple[str, list[str]]]:
    for system in table.systems:
        if system.ours:
            whose = "" if system.is_reference else ", ours"
            yield f"{system.name}{whose}", [_text(system.ours.get(dataset)) for dataset in table.datasets]
        if system.printed:
            yield f"{system.printed_name}, {_PRINTED}", _printed_texts(table, system.printed)


def _text(duration: Duration | None) -> str:
    if duration is None:
        return _ABSENT
    ratio = "" if duration.ratio is None else f", {duration.ratio:.1f} x GAE"
    fit = "" if duration.fit is None else f", training {duration.fit:.3g}"
    return f"{duration.seconds:.3g} (first {duration.first:.3g}{ratio}{fit})"


def _printed_texts(table: TimeTable, seconds: Mapping[str, float]) -> list[str]:
    return [f"{seconds[dataset]:.3g}" if dataset in seconds else _ABSENT for dataset in table.datasets]


def _draw_panel(axes: Axes, table: TimeTable, dataset: str) -> None:
    for row, system in enumerate(table.systems):
        colour = GREY if system.is_reference or not system.name else COLOURS[row % len(COLOURS)]
        if dataset in system.ours:
            duration = system.ours[dataset]
            axes.plot([duration.seconds, duration.first], [row, row], color=colour, linewidth=0.8, zorder=2)
            axes.plot(duration.first, row, "|", color=colour, markersize=8, zorder=3)
            axes.plot(duration.seconds, row, "o", color=colour, markersize=6, zorder=3)
        if dataset in system.printed:
            axes.plot(system.printed[dataset], row, "D", color=colour, markerfacecolor="white", markersize=5, zorder=3)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda seconds, _: f"{seconds:g}")
    axes.set_title(table.datasets[dataset], loc="left")
    axes.set_ylim(len(table.systems) - 0.4, -0.6)
    axes.set_yticks(range(len(table.systems)), [_label(system) for system in table.systems])
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _label(system: TimedSystem) -> str:
    return system.name or system.printed_name


def _legend() -> list[Line2D]:
    return [
        Line2D([], [], color="black", marker="o", linestyle="", label="measured here, CPU"),
        Line2D([], [], color="black", marker="|", linestyle="", markersize=8, label="its first run"),
        Line2D([], [], color="black", marker="D", linestyle="", markerfacecolor="white", label="printed, GPU"),
    ]
