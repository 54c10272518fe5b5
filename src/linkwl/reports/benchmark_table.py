"""Benchmark tables as Markdown and for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from rich.markup import escape
from rich.table import Table

from linkwl.reports.benchmark_view import PRINTED, TOLERANCE, Score, ScoreTable, System

SHORT = "▼"
"""Stands beside a mean of ours that is well below the printed one."""

_ABSENT = "–"
_LABEL_WIDTH, _CELL_WIDTH = 34, 22


@dataclass(frozen=True)
class _Style:
    """How a table is emphasised where it is shown."""

    bold: Callable[[str], str]
    name: Callable[[str], str]


_MARKDOWN = _Style(bold=lambda text: f"**{text}**", name=lambda text: text.replace("_", "\\_"))
_RICH = _Style(bold=lambda text: f"[bold]{text}[/]", name=escape)


def scores_markdown(table: ScoreTable) -> str:
    """The table with its title, what the signs mean and what there is to say about it."""
    parts = [f"# {table.title}", table.protocol, scores_rows_markdown(table), scores_legend(table)]
    parts += [f"Refused: {cell}: {why}" for cell, why in table.refusals.items()]
    return "\n\n".join([*parts, *table.notes]) + "\n"


def scores_rows_markdown(table: ScoreTable) -> str:
    """The table alone: a row per system, a column per dataset."""
    lines = [f"| AUC % | {' | '.join(table.datasets.values())} |", f"|---|{'--:|' * len(table.datasets)}"]
    lines += [f"| {label} | {' | '.join(cells)} |" for label, cells in _rows(table, _MARKDOWN)]
    return "\n".join(lines)


def scores_tables(table: ScoreTable, width: int) -> list[Table]:
    """The table for a terminal, as many datasets beside each other as fit.

    Datasets without a record and the paper's baselines are left out; what is printed is dim.
    """
    columns = max(1, (width - _LABEL_WIDTH) // _CELL_WIDTH)
    names = [name for name in table.datasets if any(name in system.ours for system in (*table.networks, table.floor))]
    views = []
    for start in range(0, len(names), columns):
        part = {name: table.datasets[name] for name in names[start : start + columns]}
        view = Table(box=None, header_style="bold", padding=(0, 1))
        view.add_column("AUC %", no_wrap=True)
        for title in part.values():
            view.add_column(title, justify="right", no_wrap=True)
        for label, cells in _rows(replace(table, datasets=part), _RICH, with_others=False):
            view.add_row(label, *cells, style=None if label.endswith("ours") else "dim")
        views.append(view)
    return views


def scores_legend(table: ScoreTable) -> str:
    """What the signs mean."""
    sources = " and ".join(f"`{source}`" for source in table.sources)
    return (
        f"Rows `ours` are drawn from the records in {sources}: mean ± standard deviation over {table.full_seeds} "
        "seeds, or over as many as stand in brackets. The best of our networks is bold. "
        f"{SHORT} marks a mean of ours more than {TOLERANCE} below the printed one. "
        f"The best heuristic is chosen on validation targets. {PRINTED}"
    )


def _rows(table: ScoreTable, style: _Style, *, with_others: bool = True) -> Iterator[tuple[str, list[str]]]:
    for system in table.networks:
        yield f"{system.name}, ours", [_our_text(table, system, dataset, style) for dataset in table.datasets]
        if system.printed:
            yield f"{style.name(system.printed_name)}, paper", _printed_texts(table, system.printed)
    if table.floor.ours:
        yield "best heuristic, ours", [_floor_text(table, dataset) for dataset in table.datasets]
    if table.floor.printed:
        yield style.name(table.floor.printed_name), _printed_texts(table, table.floor.printed)
    if table.others:
        yield "best of ours minus best of paper", [_gap_text(table, dataset) for dataset in table.datasets]
    for system in table.others if with_others else ():
        whose = "paper" if system.is_in_paper else "its own paper"
        yield f"{style.name(system.printed_name)}, {whose}", _printed_texts(table, system.printed)


def _our_text(table: ScoreTable, system: System, dataset: str, style: _Style) -> str:
    score = system.ours.get(dataset)
    if score is None or score.mean is None:
        return _ABSENT if score is None else score.word
    best = table.best_of_ours(dataset)
    is_best = best is not None and f"{score.mean:.2f}" == f"{best:.2f}"
    mark = f" {SHORT}" if system.falls_short(dataset) else ""
    mean = f"{score.mean:.2f}"
    return (style.bold(mean) if is_best else mean) + _spread(score) + _seeds(table, score) + mark


def _floor_text(table: ScoreTable, dataset: str) -> str:
    score = table.floor.ours.get(dataset)
    if score is None or score.mean is None:
        return _ABSENT
    return f"{score.mean:.2f}{_spread(score)}{_seeds(table, score)} {score.detail}"


def _gap_text(table: ScoreTable, dataset: str) -> str:
    ours, paper = table.best_of_ours(dataset), table.best_of_paper(dataset)
    return _ABSENT if ours is None or paper is None else f"{ours - paper:+.2f}"


def _printed_texts(table: ScoreTable, scores: Mapping[str, Score]) -> list[str]:
    """With the digits that were printed: two, or one throughout a row without deviations."""
    known = [score for score in scores.values() if score.mean is not None]
    is_short = all(score.std is None and round(score.mean or 0.0, 1) == score.mean for score in known)
    digits = 1 if is_short else 2
    texts = []
    for dataset in table.datasets:
        score = scores.get(dataset)
        if score is None or score.mean is None:
            texts.append(_ABSENT if score is None else score.word)
        else:
            texts.append(f"{score.mean:.{digits}f}{_spread(score)}")
    return texts


def _spread(score: Score) -> str:
    return "" if score.std is None else f" ± {score.std:.2f}"


def _seeds(table: ScoreTable, score: Score) -> str:
    return "" if score.num_seeds == table.full_seeds else f" ({score.num_seeds})"
