"""Records: the results of runs, as plain values that are written to and read from JSON."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, overload

from linkwl.files import parse_json, write_text
from linkwl.frames import to_frame
from linkwl.html_table import table_html
from linkwl.threads import num_threads


@dataclass(frozen=True)
class GraphRecord:
    """The graph of a run."""

    name: str
    nodes: int
    edges: int
    digest: str


@dataclass(frozen=True)
class RunRecord:
    """One model on one split."""

    model: str
    seed: int
    metrics: dict[str, float]
    """On the test fold."""
    valid: dict[str, float]
    """On the validation fold, for model selection."""
    seconds: dict[str, float]
    """``prepare``, ``fit`` and ``predict``."""
    steps: int
    """Number of gradient steps; 0 if nothing is trained."""
    peak_memory_mb: float
    """The largest resident size of the process so far."""
    split: str
    """Digest of the split."""
    config: dict[str, Any] = field(default_factory=dict)
    method: str = ""
    """How the scores were computed on this graph, in words."""
    training: dict[str, Any] = field(default_factory=dict)
    """Facts about training: ``best_step``, ``stopped``, ``threads`` and ``device``; empty if nothing is trained.

    ``validated_on`` is the number of queries of each validation, if they were a sample."""


@dataclass(frozen=True)
class Evaluation:
    """Several runs on one graph under one protocol; iterating gives the runs."""

    graph: GraphRecord
    protocol: dict[str, Any]
    runs: tuple[RunRecord, ...]
    versions: dict[str, str] = field(default_factory=lambda: versions())
    refusals: dict[str, str] = field(default_factory=dict)
    """Models that could not be run on this graph, each with the reason."""

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[RunRecord]:
        return iter(self.runs)

    @overload
    def __getitem__(self, index: int) -> RunRecord: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[RunRecord, ...]: ...

    def __getitem__(self, index: int | slice) -> RunRecord | tuple[RunRecord, ...]:
        return self.runs[index]

    @property
    def seeds(self) -> list[int]:
        """The seeds of the runs, ascending."""
        return sorted({run.seed for run in self.runs})

    @property
    def summary(self) -> dict[str, dict[str, dict[str, float]]]:
        """Mean and sample standard deviation over seeds, by model and metric."""
        models = dict.fromkeys(run.model for run in self.runs)
        return {model: _summarise(run.metrics for run in self.runs if run.model == model) for model in models}

    def to_json(self) -> str:
        """The record as JSON text."""
        values = asdict(self) | {"summary": self.summary}
        if not self.refusals:
            del values["refusals"]
        return json.dumps(values, indent=2, allow_nan=False) + "\n"

    def save(self, path: Path | str) -> None:
        """Writes the record atomically."""
        write_text(path, self.to_json())

    def to_pandas(self) -> Any:
        """A row for each run, with its metrics on test and on validation links, and its times; needs pandas."""
        rows = [
            {"model": run.model, "seed": run.seed}
            | run.metrics
            | {f"valid_{name}": value for name, value in run.valid.items()}
            | {f"{part}_seconds": value for part, value in run.seconds.items()}
            for run in self.runs
        ]
        names = list(dict.fromkeys(name for row in rows for name in row)) or ["model", "seed"]
        return to_frame({name: [row.get(name) for row in rows] for name in names})

    def __repr__(self) -> str:
        models, splits = len({run.model for run in self.runs}), len(self.seeds)
        return (
            f"Evaluation({self.graph.name!r}, protocol {self.protocol['id']!r}, {models} model{'s' * (models != 1)}, "
            f"{splits} split{'s' * (splits != 1)})"
        )

    def _repr_html_(self) -> str:
        summary = self.summary
        metrics = list(dict.fromkeys(name for values in summary.values() for name in values))
        columns = ["model", *(f"{name} %" for name in metrics), "fit seconds"]
        rows = []
        for model, values in summary.items():
            fit = [run.seconds["fit"] for run in self.runs if run.model == model]
            rows.append([model, *(_spread(values.get(name), len(fit)) for name in metrics), f"{fmean(fit):.2f}"])
        notes = [f"{model} was left out: {reason}" for model, reason in self.refusals.items()]
        seeds = ", ".join(map(str, self.seeds))
        title = f"{self.graph.name}, protocol {self.protocol['id']}, seeds {seeds}"
        return table_html(columns, rows, title=title, notes=notes, numbers=columns[1:])

    @classmethod
    def from_json(cls, text: str) -> Evaluation:
        """The record in a JSON text written by :meth:`to_json`."""
        values = parse_json(text)
        runs = tuple(RunRecord(**run) for run in values["runs"])
        return cls(
            GraphRecord(**values["graph"]), values["protocol"], runs, values["versions"], values.get("refusals", {})
        )


@dataclass(frozen=True)
class TrainingRecord:
    """How a saved model was trained."""

    model: str
    graph: GraphRecord
    source: dict[str, str | None]
    """The requested inputs: ``graph`` and ``features``, names or files."""
    seed: int
    config: dict[str, Any]
    split: str
    """Digest of the split."""
    valid: dict[str, float]
    """On the validation fold, with the saved weights."""
    test: dict[str, float]
    """On the test fold, which was used for nothing else: the protocol's metrics, ``brier`` and ``ece``."""
    seconds: dict[str, float]
    """``prepare``, ``fit`` and ``predict``, the last one on the validation and the test fold."""
    steps: int
    training: dict[str, Any]
    """As in :class:`RunRecord`."""
    history: dict[str, Any]
    """``losses``, one per step, and ``valid``, step and value of the selection metric at every validation."""
    peak_memory_mb: float
    method: str
    protocol: dict[str, Any] = field(default_factory=dict)
    """How it was split and measured; empty in records of release 0.1, which had only the protocol `paper`."""
    selects: str = ""
    """The name of the selection metric."""
    decisions: dict[str, Any] = field(default_factory=dict)
    """How many decisions of a user it has learned from, and which, by index; empty without any."""
    sampled: dict[str, int] = field(default_factory=dict)
    """In large graphs: ``test``, the number of test links that were measured, and ``of``, the number of all."""
    versions: dict[str, str] = field(default_factory=lambda: versions())

    def to_json(self) -> str:
        """The record as JSON text."""
        values = asdict(self)
        if not self.decisions:
            del values["decisions"]
        return json.dumps(values, indent=2, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> TrainingRecord:
        """The record in a JSON text written by :meth:`to_json`."""
        values = parse_json(text)
        history = dict(values["history"])
        if "valid_auc" in history:  # written by release 0.1
            history["valid"] = history.pop("valid_auc")
        selects = values.get("selects") or next(iter(values["valid"]))
        return cls(**values | {"graph": GraphRecord(**values["graph"]), "history": history, "selects": selects})


def peak_memory_mb() -> float:
    """The largest resident size of this process so far, in megabytes; 0 if the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def versions() -> dict[str, str]:
    """Versions of the package, of the libraries that affect its numbers, and of the machine."""
    packages = ("linkwl", "numpy", "scipy", "numba", "pyarrow", "torch")
    found = {name: metadata.version(name) for name in packages}
    return found | {"python": platform.python_version(), "machine": platform.machine(), "threads": str(num_threads())}


def _summarise(metrics: Iterable[dict[str, float]]) -> dict[str, dict[str, float]]:
    rows = list(metrics)
    values = {name: [row[name] for row in rows] for name in rows[0]}
    return {name: {"mean": fmean(v), "std": stdev(v) if len(v) > 1 else 0.0} for name, v in values.items()}


def _spread(values: dict[str, float] | None, count: int) -> str:
    """Mean and standard deviation in percent."""
    if values is None:
        return "–"
    return f"{100 * values['mean']:.2f}" + (f" ± {100 * values['std']:.2f}" if count > 1 else "")
