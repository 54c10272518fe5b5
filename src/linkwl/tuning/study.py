"""The record of a study: every trial, and the settings that were best."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, TypeAlias, get_args

from linkwl.jsonl import Row, put_row, read_rows
from linkwl.metrics import PairedDifference, paired_difference
from linkwl.records import GraphRecord, versions

Origin: TypeAlias = Literal["published", "default", "drawn"]
"""Where the settings of a trial come from."""
SamplerName: TypeAlias = Literal["tpe", "random"]
"""How settings are drawn: by a tree-structured Parzen estimator, or each value as likely as any other."""
SAMPLERS: tuple[SamplerName, ...] = get_args(SamplerName)

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
class Search:
    """How the settings of the trials are found; with another search, the trials are others."""

    sampler: SamplerName = "tpe"
    width: int = 1
    """Number of trials in a wave: they are drawn from the results of earlier waves alone, and can run side by side.

    A trial of a wave of several has one torch thread, so that its bits do not depend on where it runs."""
    is_pruned: bool = False
    """Whether a trial ends early if it is worse than half of the earlier ones; see :mod:`linkwl.tuning.pruning`."""

    def __post_init__(self) -> None:
        if self.sampler not in SAMPLERS:
            raise ValueError(f"`sampler` must be one of {', '.join(SAMPLERS)}, got {self.sampler!r}.")
        if self.width < 1:
            raise ValueError(f"`width` must be at least 1, got {self.width}.")


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
    partial: tuple[float, ...] = ()
    """The values of the first splits, if it was stopped because they were low."""

    @property
    def value(self) -> float | None:
        """The mean over splits; None if the trial did not end."""
        return fmean(self.values) if self.values else None


@dataclass(frozen=True)
class Confirmation:
    """The best settings beside the defaults, on splits of the training links that no trial was measured on."""

    trial: int
    """The number of the best trial."""
    seeds: tuple[int, ...]
    best: tuple[float, ...]
    """The metric of the best settings on every split."""
    default: tuple[float, ...]
    """The metric of the defaults on the same splits."""
    overlap: float | None
    """Hidden links per training link; None if all splits hide the same links, which allows no interval."""

    @property
    def difference(self) -> PairedDifference:
        """The best settings minus the defaults, with the corrected resampled t-test."""
        found = paired_difference(self.best, self.default, overlap=self.overlap or 0.0)
        return found if self.overlap is not None else replace(found, margin=math.inf, p_value=1.0)


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
    search: Search = Search()
    seed: int | None = None
    """Of the first split and of the search; None in early records."""
    confirmation: Confirmation | None = None

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
        is_late = self.cpu_seconds >= 60 * self.budget.cpu_minutes
        is_whole = {trial.number for trial in self.trials} >= set(range(self.budget.trials))
        return self.default is not None and (is_late or is_whole)

    @property
    def default(self) -> Trial | None:
        """The trial of the defaults; None if there was none yet."""
        return next((trial for trial in self.trials if trial.origin == "default"), None)

    def is_of(self, other: Study) -> bool:
        """Whether both studies compare the same: their trials may be joined, their budgets may differ."""
        return all(
            getattr(self, name) == getattr(other, name)
            for name in ("model", "graph", "hidden", "protocol", "metric", "splits", "defaults", "search")
        ) and (self.seed == other.seed or None in (self.seed, other.seed))

    def with_trial(self, trial: Trial) -> Study:
        """The study with one more trial; trials are in the order of their numbers, not of their ends."""
        return replace(self, trials=tuple(sorted((*self.trials, trial), key=lambda trial: trial.number)))

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
        trials = tuple(trial_from_row(trial) for trial in values["trials"])
        graph, budget = GraphRecord(**values["graph"]), Budget(**values["budget"])
        search, confirmation = Search(**values.get("search") or {}), values.get("confirmation")
        if confirmation is not None:
            lists = {name: tuple(confirmation[name]) for name in ("seeds", "best", "default")}
            confirmation = Confirmation(**confirmation | lists)
        read = {"graph": graph, "budget": budget, "trials": trials, "search": search, "confirmation": confirmation}
        return cls(**values | read)


def trial_from_row(row: Row) -> Trial:
    """A trial from its plain values.

    Raises:
        ValueError, KeyError, TypeError: If the values are not those of a trial.
    """
    return Trial(**row | {"values": tuple(row["values"]), "partial": tuple(row.get("partial", ()))})


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
