"""Benchmark tables, ours and printed numbers side by side: their values, as Markdown and for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rich.markup import escape
from rich.table import Table

TOLERANCE = 0.5
"""Our mean is marked if it is more percentage points than this below the printed mean."""

SHORT = "▼"
"""Marks a mean of ours that is well below the printed one."""

_ABSENT = "–"
_LABEL_WIDTH, _CELL_WIDTH = 44, 22


@dataclass(frozen=True)
class Score:
    """One cell of a table, in percent."""

    mean: float | None
    """None if the cell holds a word."""
    std: float | None = None
    num_seeds: int | None = None
    """Number of runs behind the mean, if it is ours."""
    word: str = ""
    """The word shown instead of a number: ``OOM``, ``refused``."""
    detail: str = ""
    """The name of the heuristic, or the reason why the cell was refused."""
    source: str = ""
    """The row of the printed table, if the score is not ours."""


@dataclass(frozen=True)
class System:
    """One system: our scores and the printed scores."""

    name: str
    """Our name; empty for a system without records."""
    printed_name: str
    """The printed name; empty if nothing is printed."""
    ours: Mapping[str, Score] = field(default_factory=dict)
    """By dataset; cells that were not run are missing."""
    printed: Mapping[str, Score] = field(default_factory=dict)
    is_in_paper: bool = True
    """Whether the printed row is in the paper's own table."""
    is_rival: bool = False
    """Whether it is another system that was run here for comparison, not a network of ours."""

    def falls_short(self, dataset: str) -> bool:
        """Whether our mean is more than the tolerance below the printed mean."""
        ours, printed = (_mean(scores, dataset) for scores in (self.ours, self.printed))
        return ours is not None and printed is not None and ours < printed - TOLERANCE


@dataclass(frozen=True)
class ScoreTable:
    """A table of scores."""

    name: str
    title: str
    metric: str
    """Title of the metric, for the corner of the table."""
    datasets: Mapping[str, str]
    """Titles by name."""
    networks: tuple[System, ...]
    """Trained models that were run here: our networks, then other systems."""
    floor: System
    """The heuristic that is best on validation targets, per dataset; without a name if the table has none."""
    others: tuple[System, ...]
    """Systems with printed scores only."""
    protocol: str
    """How our scores were measured, as a sentence."""
    full_seeds: int
    """Number of runs behind a mean unless the cell shows another number."""
    sources: tuple[str, ...] = ()
    """Folders of the underlying records."""
    notes: tuple[str, ...] = ()
    printed_note: str = ""
    """Whose the printed numbers are."""
    further: tuple[ScoreTable, ...] = ()
    """The same systems and datasets in other metrics."""

    @property
    def blocks(self) -> tuple[ScoreTable, ...]:
        """A table for each metric."""
        return (self, *self.further)

    def best_of_ours(self, dataset: str) -> float | None:
        """The largest mean of our networks."""
        return _largest(system.ours for system in self.networks if not system.is_rival)(dataset)

    def best_run(self, dataset: str) -> float | None:
        """The largest mean of all systems that were run here."""
        return _largest(system.ours for system in self.networks)(dataset)

    def best_of_paper(self, dataset: str) -> float | None:
        """The largest mean of any system in the paper's own table."""
        return _largest(system.printed for system in (*self.networks, *self.others) if system.is_in_paper)(dataset)

    @property
    def refusals(self) -> dict[str, str]:
        """Why cells were refused, by model and dataset."""
        return {
            f"{system.name} on {self.datasets[dataset]}": score.detail
            for system in self.networks
            for dataset, score in system.ours.items()
            if score.word == "refused"
        }

    def to_json(self) -> dict[str, Any]:
        """The table as plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class _Style:
    """How emphasis is written in an output format."""

    bold: Callable[[str], str]
    name: Callable[[str], str]


_MARKDOWN = _Style(bold=lambda text: f"**{text}**", name=lambda text: text.replace("_", "\\_"))
_RICH = _Style(bold=lambda text: f"[bold]{text}[/]", name=escape)


def scores_markdown(table: ScoreTable) -> str:
    """The table with its title, legend and notes."""
    parts = [f"# {table.title}", table.protocol, scores_rows_markdown(table), scores_legend(table)]
    parts += [f"Refused: {cell}: {why}" for cell, why in table.refusals.items()]
    return "\n\n".join([*parts, *table.notes]) + "\n"


def scores_rows_markdown(table: ScoreTable) -> str:
    """The table alone, a block per metric: a row per system, a column per dataset."""
    return "\n\n".join(map(_block_markdown, table.blocks))


def _block_markdown(table: ScoreTable) -> str:
    lines = [f"| {table.metric} % | {' | '.join(table.datasets.values())} |", f"|---|{'--:|' * len(table.datasets)}"]
    lines += [f"| {label} | {' | '.join(cells)} |" for label, cells in _rows(table, _MARKDOWN)]
    return "\n".join(lines)


def scores_tables(table: ScoreTable, width: int) -> list[Table]:
    """The table for a terminal, block by block, with as many datasets side by side as fit.

    Datasets without a record and the paper's baselines are omitted; printed numbers are dim.
    """
    return [view for block in table.blocks for view in _views(block, width)]


def _views(table: ScoreTable, width: int) -> list[Table]:
    columns = max(1, (width - _LABEL_WIDTH) // _CELL_WIDTH)
    names = [name for name in table.datasets if any(name in system.ours for system in (*table.networks, table.floor))]
    views = []
    for start in range(0, len(names), columns):
        part = {name: table.datasets[name] for name in names[start : start + columns]}
        view = Table(box=None, header_style="bold", padding=(0, 1))
        view.add_column(f"{table.metric} %", no_wrap=True)
        for title in part.values():
            view.add_column(title, justify="right", no_wrap=True)
        for label, cells in _rows(replace(table, datasets=part), _RICH, with_others=False):
            view.add_row(label, *cells, style=None if label.endswith("ours") else "dim")
        views.append(view)
    return views


def scores_legend(table: ScoreTable) -> str:
    """The legend of the table."""
    sources = " and ".join(f"`{source}`" for source in table.sources)
    floor = " The best heuristic is chosen on validation targets." if table.floor.name else ""
    return (
        f"Rows `ours` are drawn from the records in {sources}: mean ± standard deviation over {table.full_seeds} "
        "seeds, or over as many as stand in brackets. The best of them is bold. "
        f"{SHORT} marks a mean of ours more than {TOLERANCE} below the printed one."
        f"{floor} {table.printed_note}".rstrip()
    )


def _rows(table: ScoreTable, style: _Style, *, with_others: bool = True) -> Iterator[tuple[str, list[str]]]:
    for system in table.networks:
        yield f"{system.name}, ours", [_our_text(table, system, dataset, style) for dataset in table.datasets]
        if system.printed:
            yield _printed_label(system, style), _printed_texts(table, system.printed)
    if table.floor.ours:
        yield "best heuristic, ours", [_floor_text(table, dataset) for dataset in table.datasets]
    if table.floor.printed:
        yield style.name(table.floor.printed_name), _printed_texts(table, table.floor.printed)
    if any(table.best_of_paper(dataset) is not None for dataset in table.datasets):
        yield "best of our networks minus best of paper", [_gap_text(table, dataset) for dataset in table.datasets]
    for system in table.others if with_others else ():
        yield _printed_label(system, style), _printed_texts(table, system.printed)


def _printed_label(system: System, style: _Style) -> str:
    return f"{style.name(system.printed_name)}, {'paper' if system.is_in_paper else 'its own paper'}"


def _our_text(table: ScoreTable, system: System, dataset: str, style: _Style) -> str:
    score = system.ours.get(dataset)
    if score is None or score.mean is None:
        return _ABSENT if score is None else score.word
    best = table.best_run(dataset)
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
    """Printed scores with their printed digits: two, or one throughout a row without deviations."""
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


def _largest(rows: Iterable[Mapping[str, Score]]) -> Callable[[str], float | None]:
    """The largest mean of a dataset in some rows, by dataset."""
    kept = list(rows)
    return lambda dataset: max((m for m in (_mean(row, dataset) for row in kept) if m is not None), default=None)


def _mean(scores: Mapping[str, Score], dataset: str) -> float | None:
    return scores[dataset].mean if dataset in scores else None
