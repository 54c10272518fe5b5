"""Chooses the settings that come with the package, on validation targets; the test fold is never scored.

``python -m linkwl.benchmark.selection MODEL DATASET [SPLITS]``, in the project's folder, tries every candidate of
``configs/candidates/MODEL.toml`` on a few splits, keeps what it found in ``results/selection/MODEL/DATASET.json``, goes
on where it was stopped, and writes the best of them as ``configs/tuned/MODEL/DATASET.toml``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from dataclasses import asdict, dataclass, field
from importlib import resources
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any

from linkwl.benchmark.cell_record import digest
from linkwl.datasets import load_dataset
from linkwl.files import make_folder, write_text
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.learned import LearnedModel
from linkwl.models.registry import is_learned
from linkwl.records import GraphRecord, versions
from linkwl.splits import PAPER
from linkwl.training import fit

MAX_SPLITS = 3
ENOUGH_POSITIVES = 300
"""Candidates are compared on so many splits that there are this many validation positives, or on `MAX_SPLITS`."""

MAX_OPERATIONS = 8e8
"""Candidates whose training step is expected to take more are left out, all but the first."""


@dataclass
class Trial:
    """One candidate, and how it did."""

    settings: dict[str, Any]
    config: dict[str, Any] = field(default_factory=dict)
    """All settings, defaults and all."""
    valid_auc: list[float] = field(default_factory=list)
    """The best validation AUC of each split, by seed."""
    steps: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass
class Selection:
    """All candidates of a model on one dataset."""

    model: str
    graph: GraphRecord
    protocol: dict[str, Any]
    seeds: list[int]
    trials: list[Trial]
    versions: dict[str, str] = field(default_factory=versions)

    @property
    def chosen(self) -> Trial:
        """The candidate with the highest mean validation AUC; the first of equal ones."""
        return max(self.trials, key=lambda trial: fmean(trial.valid_auc))

    @property
    def is_complete(self) -> bool:
        """Whether every candidate was tried on every split."""
        return all(len(trial.valid_auc) == len(self.seeds) for trial in self.trials)

    def go_on_from(self, before: Selection) -> None:
        """Takes over what an earlier selection found on the same splits of this graph with all the same settings."""
        count = min(len(before.seeds), len(self.seeds))
        ours, theirs = ((s.graph.digest, digest(s.protocol), s.seeds[:count]) for s in (self, before))
        if ours != theirs:
            return
        done = {digest(trial.config): trial for trial in before.trials}
        for trial in self.trials:
            found = done.get(digest(trial.config), trial)
            trial.valid_auc, trial.steps = found.valid_auc[:count], found.steps[:count]
            trial.seconds = found.seconds[:count]

    def save(self, path: Path) -> None:
        """Writes the record, whole or not at all; nothing is chosen before it is complete."""
        values = asdict(self) | {"chosen": self.chosen.settings if self.is_complete else None}
        write_text(path, json.dumps(values, indent=1, allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: Path) -> Selection:
        """The record in a file written by :meth:`save`."""
        values = json.loads(path.read_text(encoding="utf-8"))
        values["graph"] = GraphRecord(**values["graph"])
        values["trials"] = [Trial(**trial) for trial in values["trials"]]
        del values["chosen"]
        return cls(**values)


def candidates(model: str, *, has_features: bool) -> list[dict[str, Any]]:
    """The settings to compare, groups as mappings; others for graphs with features than for graphs without."""
    file = resources.files("linkwl") / "configs" / "candidates" / f"{model}.toml"
    listed: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))[
        "features" if has_features else "degrees"
    ]
    return listed


def seeds_for(graph: Graph) -> tuple[int, ...]:
    """The splits on which candidates are compared; fewer on larger graphs, whose validation folds are larger."""
    positives = len(PAPER.apply(graph, 0).valid.positives)
    return tuple(range(min(MAX_SPLITS, ceil(ENOUGH_POSITIVES / positives))))


def select(model: str, dataset: str, folder: Path, seeds: tuple[int, ...] | None = None) -> Selection:
    """Tries every candidate, or those that are not in the record yet, and says which is best on validation targets."""
    graph = load_dataset(dataset)
    seeds = seeds_for(graph) if seeds is None else seeds
    path = folder / model / f"{dataset}.json"
    first, *others = candidates(model, has_features=graph.features is not None)
    wanted = [first] + [s for s in others if _network(model, s).plan(graph).cost.operations <= MAX_OPERATIONS]
    fresh = [Trial(s, _network(model, s).config.model_dump(mode="json")) for s in wanted]
    selection = Selection(model, graph.record, PAPER.to_json(), list(seeds), fresh)
    if path.exists():
        selection.go_on_from(Selection.load(path))
    make_folder(path.parent)
    for trial in selection.trials:
        for seed in seeds[len(trial.valid_auc) :]:
            split = PAPER.apply(graph, seed)
            history = fit(_network(model, trial.settings), split.train, split.valid, split.reserved, seed=seed)
            trial.valid_auc.append(history.best_auc or 0.0)
            trial.steps.append(history.steps)
            trial.seconds.append(history.seconds)
            selection.save(path)
    return selection


def _network(name: str, settings: dict[str, Any]) -> LearnedModel:
    network = create_model(name, **settings)
    assert is_learned(network)
    return network


def to_toml(settings: dict[str, Any]) -> str:
    """Settings and groups of settings as TOML."""
    groups = {name: group for name, group in settings.items() if isinstance(group, dict)}
    plain = {name: value for name, value in settings.items() if name not in groups}
    tables = ["\n".join([f"[{name}]", *_lines(group)]) + "\n" for name, group in groups.items()]
    return "\n".join(["\n".join(_lines(plain)) + "\n"] * bool(plain) + tables)


def _lines(settings: dict[str, Any]) -> list[str]:
    return [f"{name} = {json.dumps(value)}" for name, value in settings.items()]


def main(model: str, dataset: str, project: Path, num_splits: int | None = None) -> None:
    """Selects, and keeps the choice."""
    seeds = None if num_splits is None else tuple(range(num_splits))
    chosen = select(model, dataset, project / "results" / "selection", seeds).chosen
    file = project / "src" / "linkwl" / "configs" / "tuned" / model / f"{dataset}.toml"
    make_folder(file.parent)
    write_text(file, to_toml(chosen.settings))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(), *map(int, sys.argv[3:4]))
