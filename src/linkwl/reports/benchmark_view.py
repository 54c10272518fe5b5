"""The values of a benchmark table, ours and printed ones side by side, before they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

TOLERANCE = 0.5
"""Percentage points below a printed mean from which on ours is marked."""

PRINTED = (
    "Printed: the numbers of Hu et al., 2022 (OOM: out of memory on a GPU with 48 GB); its baselines, and the "
    "heuristics of the SEAL and NBFNet papers, were measured under protocols of their own."
)
"""Whose the printed numbers are."""


@dataclass(frozen=True)
class Score:
    """One cell of a table, in percent."""

    mean: float | None
    """None where a word stands for the number."""
    std: float | None = None
    num_seeds: int | None = None
    """Runs behind the mean, where they are ours."""
    word: str = ""
    """Stands for a number that is not there: ``OOM``, ``refused``."""
    detail: str = ""
    """Which heuristic it is, or why the cell was refused."""
    source: str = ""
    """The row it was printed in, where it is not ours."""


@dataclass(frozen=True)
class System:
    """One system: what we measured, and what is printed of it."""

    name: str
    """Ours; empty for a system that we have no records of."""
    printed_name: str
    """In print; empty where nothing is printed."""
    ours: Mapping[str, Score] = field(default_factory=dict)
    """By dataset; a cell that was not run is left out."""
    printed: Mapping[str, Score] = field(default_factory=dict)
    is_in_paper: bool = True
    """Whether the printed row is in the paper's own table."""

    def falls_short(self, dataset: str) -> bool:
        """Whether ours is more than the tolerance below what is printed."""
        ours, printed = (_mean(scores, dataset) for scores in (self.ours, self.printed))
        return ours is not None and printed is not None and ours < printed - TOLERANCE


@dataclass(frozen=True)
class ScoreTable:
    """A table of AUCs."""

    name: str
    title: str
    datasets: Mapping[str, str]
    """Titles by name."""
    networks: tuple[System, ...]
    """The four networks, ours and the paper's."""
    floor: System
    """The heuristic that is best on validation targets, per dataset."""
    others: tuple[System, ...]
    """Systems that are only in print."""
    protocol: str
    """How ours were measured, as a sentence."""
    full_seeds: int
    """Runs behind a mean where nothing else is said."""
    sources: tuple[str, ...] = ()
    """Folders of the records that it was drawn from."""
    notes: tuple[str, ...] = ()

    def best_of_ours(self, dataset: str) -> float | None:
        """The largest mean of the networks."""
        return max(
            (m for m in (_mean(system.ours, dataset) for system in self.networks) if m is not None), default=None
        )

    def best_of_paper(self, dataset: str) -> float | None:
        """The largest mean in the paper's own table, whichever system it belongs to."""
        rows = (system.printed for system in (*self.networks, *self.others) if system.is_in_paper)
        return max((m for m in (_mean(row, dataset) for row in rows) if m is not None), default=None)

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
        """The same as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Duration:
    """Seconds to score all test targets, as we measured them."""

    seconds: float
    """The median over runs."""
    first: float
    """The first run of a fresh process."""
    ratio: float | None = None
    """How many times as long as the reference, the median over turns; None for the reference itself."""


@dataclass(frozen=True)
class TimedSystem:
    """The times of one system: what we measured, and what is printed of it."""

    name: str
    """Ours, or that of a reference that we ran; empty for a system that is only in print."""
    printed_name: str
    """In print; empty where nothing is printed."""
    ours: Mapping[str, Duration] = field(default_factory=dict)
    """By dataset."""
    printed: Mapping[str, float] = field(default_factory=dict)
    """Seconds by dataset."""
    is_reference: bool = False
    """Whether it is another library's, run beside ours."""


@dataclass(frozen=True)
class TimeTable:
    """A table of times."""

    name: str
    title: str
    datasets: Mapping[str, str]
    """Titles by name."""
    systems: tuple[TimedSystem, ...]
    conditions: str
    """What was measured, and on what."""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def _mean(scores: Mapping[str, Score], dataset: str) -> float | None:
    return scores[dataset].mean if dataset in scores else None
