"""The record of a study: every trial, and the settings that were best."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, TypeAlias

from linkwl.jsonl import Row, put_row, read_rows
from linkwl.records import GraphRecord, versions

Origin: TypeAlias = Literal["published", "default", "drawn"]
"""Where the settings of a trial come from."""

_WHAT = "a study"


@dataclass(frozen=True)
class Budget:
    """When a study ends: after so many trials or so much time, whichever comes first."""

    trials: int = 20
    cpu_minutes: float = 30.0

    def __post_init__(self) -> None:
        if self.trials < 1 or not self.cpu_minutes > 0:
            raise ValueError(f"a budget must allow a trial, got {self}.")


@dataclass(frozen=True)
class Trial:
    """Settings, and how good they were."""

    number: int
    origin: Origin
    settings: dict[str, Any]
    """The settings that differ from the defaults, with groups as mappings."""
    values: tuple[float, ...] = ()
    """The metric on the hidden links of every split; empty if the trial did not end."""
    cpu_seconds: float = 0.0
    stopped: str = ""
    """Why it did not end, as a sentence."""

    @property
    def value(self) -> float | None:
        """The mean over splits; None if the trial did not end."""
        return fmean(self.values) if self.values else None


@dataclass(frozen=True)
class Study:
    """All trials of a model on one graph."""

    model: str
    graph: GraphRecord
    """The whole graph."""
    hidden: str
    """Digest of the training links, inside which others are hidden."""
    protocol: dict[str, Any]
    metric: str
    splits: int
    """Number of splits of the training links that every trial is measured on."""
    budget: Budget
    defaults: dict[str, Any]
    """All default settings of the model, from which the trials differ."""
    trials: tuple[Trial, ...] = ()
    versions: dict[str, str] = field(default_factory=versions)

    @property
    def best(self) -> Trial | None:
        """The trial with the highest value, the first of equal ones; None if none has ended."""
        return max((trial for trial in self.trials if trial.values), key=lambda trial: trial.value or 0.0, default=None)

    @property
    def cpu_seconds(self) -> float:
        """The time of all trials."""
        return sum(trial.cpu_seconds for trial in self.trials)

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up; the defaults are always tried."""
        tried_defaults = any(trial.origin == "default" for trial in self.trials)
        is_late = self.cpu_seconds >= 60 * self.budget.cpu_minutes
        return tried_defaults and (is_late or len(self.trials) >= self.budget.trials)

    def is_of(self, other: Study) -> bool:
        """Whether both studies compare the same: their trials may be joined, their budgets may differ."""
        return all(
            getattr(self, name) == getattr(other, name)
            for name in ("model", "graph", "hidden", "protocol", "metric", "splits", "defaults")
        )

    def to_row(self) -> Row:
        """The record as plain values."""
        best = self.best
        return asdict(self) | {"best": None if best is None else best.settings}

    @classmethod
    def from_row(cls, row: Row) -> Study:
        """The record from the plain values of :meth:`to_row`.

        Raises:
            ValueError, KeyError, TypeError: If the values are not a record.
        """
        values = {name: value for name, value in row.items() if name != "best"}
        trials = tuple(Trial(**trial | {"values": tuple(trial["values"])}) for trial in values["trials"])
        graph, budget = GraphRecord(**values["graph"]), Budget(**values["budget"])
        return cls(**values | {"graph": graph, "budget": budget, "trials": trials})


def load_folder(folder: Path) -> list[Study]:
    """All studies in a folder.

    Raises:
        InputError: If a line cannot be read.
    """
    return [study for path in sorted(folder.glob("*.jsonl")) for study in load_studies(folder, path.stem).values()]


def load_studies(folder: Path, model: str) -> dict[str, Study]:
    """The studies of a model in a folder, by the name of the graph; none if there is no file.

    Raises:
        InputError: If a line cannot be read.
    """
    return {study.graph.name: study for study in read_rows(folder / f"{model}.jsonl", Study.from_row, _WHAT)}


def save_study(folder: Path, study: Study) -> None:
    """Writes a study into the file of its model, in place of an earlier one of its graph; creates the folder.

    Raises:
        InputError: If an existing line is damaged.
        OutputError: If the file cannot be written.
    """
    put_row(folder / f"{study.model}.jsonl", study.to_row(), lambda row: row["graph"]["name"], _WHAT)
