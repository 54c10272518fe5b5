"""Chooses the settings that come with the package, on links hidden inside the training links of a split.

    python benchmarks/selection.py MODEL DATASET [SPLITS]

tries every candidate of ``benchmarks/candidates/MODEL.toml`` on a few splits, keeps what it found as a line of
``results/selection/MODEL.jsonl``, goes on where it was stopped, and writes the best of them into
``src/linkwl/configs/MODEL.toml`` as the tuned settings of the dataset.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any

from linkwl.benchmark.cell_record import digest
from linkwl.datasets import CATALOGUE, load_dataset
from linkwl.errors import InputError
from linkwl.files import write_text
from linkwl.graph import Graph
from linkwl.jsonl import Row, put_row, read_rows
from linkwl.models import create_model
from linkwl.models.gradient import GradientModel
from linkwl.models.registry import recreate_model
from linkwl.models.settings import settings_toml
from linkwl.protocols import PAPER
from linkwl.records import GraphRecord, RunRecord, versions
from linkwl.training import evaluate_models

PROJECT = Path(__file__).parents[1]
MAX_SPLITS = 3
ENOUGH_POSITIVES = 600
"""Candidates are compared on so many splits that there are this many hidden links, or on `MAX_SPLITS`."""

INSIDE, VALIDATION = "links inside the training links", "validation targets"
"""What candidates are measured on; validation targets, on which training stops as well, until release 0.1."""

MAX_OPERATIONS = 1e9
"""Candidates whose training step is expected to take more are left out, all but the first."""


@dataclass
class Trial:
    """One candidate, and how it did."""

    settings: dict[str, Any]
    config: dict[str, Any] = field(default_factory=dict)
    """All settings, defaults and all."""
    values: list[float] = field(default_factory=list)
    """The selecting metric on the hidden links of each split, by seed."""
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
    measured_on: str = INSIDE

    @property
    def metric(self) -> str:
        """The metric of the protocol that selects."""
        return self.protocol["metrics"][0]

    @property
    def chosen(self) -> Trial:
        """The candidate with the highest mean; the first of equal ones."""
        return max(self.trials, key=lambda trial: fmean(trial.values))

    @property
    def is_complete(self) -> bool:
        """Whether every candidate was tried on every split."""
        return all(len(trial.values) == len(self.seeds) for trial in self.trials)

    def go_on_from(self, before: Selection) -> None:
        """Takes over what an earlier selection found on the same splits of this graph with all the same settings."""
        count = min(len(before.seeds), len(self.seeds))
        ours, theirs = ((s.graph.digest, digest(s.protocol), s.measured_on, s.seeds[:count]) for s in (self, before))
        if ours != theirs:
            return
        done = {digest(_of_today(before.model, trial.config)): trial for trial in before.trials}
        for trial in self.trials:
            found = done.get(digest(trial.config), trial)
            trial.values, trial.steps = found.values[:count], found.steps[:count]
            trial.seconds = found.seconds[:count]

    @property
    def _column(self) -> str:
        """The name of the values in the record."""
        return f"{'valid' if self.measured_on == VALIDATION else 'hidden'}_{self.metric}"

    def to_row(self) -> Row:
        """The record as plain values; nothing is chosen before it is complete."""
        trials = [asdict(trial) for trial in self.trials]
        for trial in trials:
            trial[self._column] = trial.pop("values")
        return asdict(self) | {"trials": trials, "chosen": self.chosen.settings if self.is_complete else None}

    @classmethod
    def from_row(cls, row: Row) -> Selection:
        """The record that :meth:`to_row` made plain."""
        values = {"measured_on": VALIDATION} | {name: value for name, value in row.items() if name != "chosen"}
        selection = cls(**values | {"graph": GraphRecord(**row["graph"]), "trials": []})
        name = selection._column
        for trial in row["trials"]:
            others = {key: value for key, value in trial.items() if key != name}
            selection.trials.append(Trial(**others, values=trial[name]))
        return selection


def load_selections(folder: Path, model: str) -> dict[str, Selection]:
    """The records of a model by dataset.

    Raises:
        InputError: If a line cannot be read.
    """
    found = read_rows(folder / f"{model}.jsonl", Selection.from_row, "a selection")
    return {selection.graph.name: selection for selection in found}


def save_selection(folder: Path, selection: Selection) -> None:
    """Writes a record in place of an earlier one of its dataset."""
    path = folder / f"{selection.model}.jsonl"
    put_row(path, selection.to_row(), lambda row: row["graph"]["name"], "a selection")


def candidates(model: str, *, has_features: bool) -> list[dict[str, Any]]:
    """The settings to compare, groups as mappings; others for graphs with features than for graphs without."""
    file = PROJECT / "benchmarks" / "candidates" / f"{model}.toml"
    listed: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))[
        "features" if has_features else "degrees"
    ]
    return listed


def seeds_for(graph: Graph) -> tuple[int, ...]:
    """The splits on which candidates are compared; fewer on larger graphs, where more links are hidden."""
    hidden = PAPER.to_json()["test_ratio"] * len(PAPER.apply(graph, 0).train.positives)
    return tuple(range(min(MAX_SPLITS, ceil(ENOUGH_POSITIVES / hidden))))


def select(model: str, dataset: str, folder: Path, seeds: tuple[int, ...] | None = None) -> Selection:
    """Tries every candidate, or those that are not in the record yet, and says which is best on hidden links."""
    graph = load_dataset(dataset)
    seeds = seeds_for(graph) if seeds is None else seeds
    first, *others = candidates(model, has_features=graph.features is not None)
    wanted = [first] + [s for s in others if _operations(model, s, graph) <= MAX_OPERATIONS]
    fresh = [Trial(s, create_model(model, **s).config.model_dump(mode="json")) for s in wanted]
    selection = Selection(model, graph.record, PAPER.to_json(), list(seeds), fresh)
    before = load_selections(folder, model)
    if dataset in before:
        selection.go_on_from(before[dataset])
    for trial in selection.trials:
        for seed in seeds[len(trial.values) :]:
            run = try_settings(model, trial.settings, PAPER.apply(graph, seed).train.observed, seed)
            trial.values.append(run.metrics[selection.metric])
            trial.steps.append(run.steps)
            trial.seconds.append(run.seconds["fit"])
            save_selection(folder, selection)
    return selection


def try_settings(model: str, settings: dict[str, Any], known: Graph, seed: int) -> RunRecord:
    """Trains a model with these settings on a split of the known links, and scores those that it hides."""
    return evaluate_models(known, [create_model(model, **settings)], PAPER, [seed]).runs[0]


def _of_today(model: str, config: dict[str, Any]) -> dict[str, Any]:
    """The config with today's settings, new ones at the values that leave the model as it was.

    It is unchanged where the model is not made any more.
    """
    try:
        return recreate_model(model, None, config).config.model_dump(mode="json")
    except InputError:
        return config


def _operations(name: str, settings: dict[str, Any], graph: Graph) -> float:
    """What a training step is expected to take."""
    model = create_model(name, **settings)
    assert isinstance(model, GradientModel)
    return model.plan(graph).cost.operations


HEADER = """# Settings of {model} for the datasets of the catalogue.
#
# An entry holds for the datasets that it lists. A dataset has the settings of all entries that list it, the later ones
# in place of the earlier.
#
# tuned: chosen on links inside the training links among benchmarks/candidates/{model}.toml, by benchmarks/selection.py.

"""


def with_tuned(text: str, dataset: str, settings: dict[str, Any]) -> str:
    """The text of a settings file with these tuned settings for one dataset; its other parts stay as they are.

    Datasets with the same settings share an entry.
    """
    tuned = {}
    for entry in tomllib.loads(text).get("tuned", []):
        tuned |= dict.fromkeys(entry.pop("datasets"), entry)
    tuned[dataset] = settings
    entries: list[tuple[dict[str, Any], list[str]]] = []
    for name in sorted(tuned, key=list(CATALOGUE).index):
        alike = next((names for found, names in entries if found == tuned[name]), None)
        if alike is None:
            entries.append((tuned[name], alike := []))
        alike.append(name)
    head = re.split(r"^\[\[", text, maxsplit=1, flags=re.MULTILINE)[0]
    others = re.search(r"^\[\[paper\]\].*", text, flags=re.MULTILINE | re.DOTALL)
    parts = [_entry("tuned", names, found) for found, names in entries] + ([others[0]] if others else [])
    return head + "\n".join(parts)


def _entry(kind: str, datasets: list[str], settings: dict[str, Any]) -> str:
    return f"[[{kind}]]\ndatasets = {json.dumps(datasets)}\n{settings_toml(settings)}"


def main(model: str, dataset: str, project: Path = PROJECT, num_splits: int | None = None) -> None:
    """Selects, and keeps the choice."""
    seeds = None if num_splits is None else tuple(range(num_splits))
    chosen = select(model, dataset, project / "results" / "selection", seeds).chosen
    file = project / "src" / "linkwl" / "configs" / f"{model}.toml"
    before = file.read_text(encoding="utf-8") if file.exists() else HEADER.format(model=model)
    write_text(file, with_tuned(before, dataset, chosen.settings))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], num_splits=int(sys.argv[3]) if len(sys.argv) > 3 else None)
