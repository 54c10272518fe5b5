"""How long models take to score a test set, measured in turns with PyG's autoencoder."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkwl.benchmark.gae import GAE, has_gae, prepare_gae
from linkwl.benchmark.workers import run_in_processes
from linkwl.errors import InputError, MemoryLimitError
from linkwl.files import make_folder, write_text
from linkwl.graph import Graph
from linkwl.models import LinkModel
from linkwl.records import GraphRecord, versions
from linkwl.splits import PAPER, Protocol, Split
from linkwl.typing import Pairs

TRAINING_STEPS = 16
"""Gradient steps before the clock starts: how good the weights are does not matter for the time."""


@dataclass(frozen=True)
class Clock:
    """The times of one system."""

    first: float
    """Seconds of the first run of a fresh process, in which nothing is warm."""
    seconds: tuple[float, ...]
    """Of warm runs, one per turn of every split."""
    config: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TimeRecord:
    """The times on one dataset, all measured in one run."""

    dataset: str
    graph: GraphRecord
    protocol: dict[str, Any]
    seeds: int
    """Splits that were timed, one after the other."""
    num_targets: int
    """Of each split."""
    clocks: Mapping[str, Clock]
    """By system."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """Models that would have taken too much memory, and why."""
    versions: dict[str, str] = field(default_factory=lambda: versions())

    def save(self, folder: Path) -> None:
        """Writes ``<dataset>.json``, whole or not at all."""
        write_text(make_folder(folder) / f"{self.dataset}.json", json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> TimeRecord:
        """The record in a file written by :meth:`save`.

        Raises:
            InputError: If the file holds something else.
        """
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            values["graph"] = GraphRecord(**values["graph"])
            values["clocks"] = {
                name: Clock(float(clock["first"]), tuple(map(float, clock["seconds"])), clock["config"])
                for name, clock in values["clocks"].items()
            }
            record = cls(**values)
            if not all(clock.seconds for clock in record.clocks.values()) or record.dataset != path.stem:
                raise ValueError("no times, or those of another dataset")
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                "this is not a readable record of times; delete it, and measure again.", path=path
            ) from error
        return record


def measure_times(
    graph: Graph,
    models: Sequence[LinkModel],
    *,
    dataset: str,
    turns: int = 7,
    seeds: int = 1,
    protocol: Protocol = PAPER,
    on_progress: Callable[[str], None] | None = None,
) -> TimeRecord:
    """Times the scoring of all test targets, everything included but reading files.

    Every run begins with a copy of the model and a copy of the observed graph, so that nothing kept from an earlier one
    can help it. The systems take turns, so that what else the machine does falls on all of them.

    Args:
        graph: The whole graph.
        models: Those with weights are trained for a few steps first.
        dataset: Its name in the catalogue.
        turns: Timed runs of each system on a split, after one that warms up.
        seeds: Number of splits, and of the networks' fresh weights.
        protocol: How to split.
        on_progress: Called with what is being done.
    """
    show = on_progress or (lambda _: None)
    graph = graph.to_undirected()
    timed = [_time_split(protocol.apply(graph, seed), models, turns, seed, show) for seed in range(seeds)]
    first, _, num_targets = timed[0]
    # How much memory is free may change on the way: what was refused on one split is refused.
    refusals = {name: why for _, refused, _ in timed for name, why in refused.items()}
    clocks = {
        name: replace(clock, seconds=tuple(s for clocks, _, _ in timed for s in clocks[name].seconds))
        for name, clock in first.items()
        if name not in refusals
    }
    packages = {"torch-geometric": metadata.version("torch-geometric")} if GAE in clocks else {}
    return TimeRecord(
        dataset, graph.record, protocol.to_json(), seeds, num_targets, clocks, refusals, versions() | packages
    )


def _time_split(
    split: Split, models: Sequence[LinkModel], turns: int, seed: int, show: Callable[[str], None]
) -> tuple[dict[str, Clock], dict[str, str], int]:
    """Clocks, refusals and the number of targets of one split."""
    test = split.test
    pairs = np.concatenate([test.positives, test.negatives])
    trained, refusals = [], {}
    for model in models:
        show(f"training {model.id} for a few steps")
        try:
            trained.append(train_briefly(model, split, seed))
        except MemoryLimitError as error:
            refusals[model.id] = str(error)
    runs = {model.id: _fresh_run(model, test.observed, pairs) for model in trained}
    # A copy does not know the graph's features as those that it has prepared.
    first_runs = {model.id: FirstRun(copy.deepcopy(model), test.observed, pairs, seed) for model in trained}
    if has_gae():
        score = prepare_gae(test.observed, pairs, seed)
        runs[GAE] = lambda: score
        first_runs[GAE] = FirstRun(None, test.observed, pairs, seed)
    first = {}
    for name, prepare in runs.items():
        show(f"first run of {name}")
        first[name] = next(run_in_processes(first_seconds, [first_runs[name]], 1))
        prepare()()  # warms up
    later: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(turns):
        show(f"turn {turn + 1} of {turns}")
        for name, prepare in runs.items():
            later[name].append(_seconds(prepare()))
    configs = {model.id: model.config.model_dump(mode="json") for model in trained}
    clocks = {name: Clock(first[name], tuple(later[name]), configs.get(name, {})) for name in runs}
    return clocks, refusals, len(pairs)


class FirstRun(NamedTuple):
    """What a fresh process is given."""

    model: LinkModel | None
    """None for the reference."""
    observed: Graph
    pairs: Pairs
    seed: int


def first_seconds(task: FirstRun) -> float:
    """How long a run takes here; only the libraries are loaded before."""
    model, observed, pairs, seed = task
    if model is None:
        return _seconds(prepare_gae(observed, pairs, seed))
    return _seconds(lambda: model(observed, pairs))


def train_briefly(model: LinkModel, split: Split, seed: int) -> LinkModel:
    """The model after a few steps; itself if it has nothing to train."""
    from linkwl.models.learned import LearnedModel
    from linkwl.training.loop import fit

    if not isinstance(model, LearnedModel):
        return model
    training = model.config.training.model_copy(update={"max_steps": TRAINING_STEPS})
    short = type(model)(model.config.model_copy(update={"training": training}))
    fit(short, split.train, split.valid, split.reserved, seed=seed)
    return short


def _fresh_run(model: LinkModel, observed: Graph, pairs: Pairs) -> Callable[[], Callable[[], object]]:
    """A function that prepares a run: what it returns is what the clock runs for."""

    def prepare() -> Callable[[], object]:
        own_model, own_graph = copy.deepcopy(model), replace(observed)
        return lambda: own_model(own_graph, pairs)

    return prepare


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
