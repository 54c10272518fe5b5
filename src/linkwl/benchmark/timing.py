"""Measures the time that models take to score a test set, in turns with PyG's autoencoder."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from linkwl.benchmark.gae import GAE, has_gae, prepare_gae
from linkwl.benchmark.grid import table_name
from linkwl.engine import Engine, ProcessEngine
from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph, Observed
from linkwl.jsonl import Row, put_row, read_rows
from linkwl.models import LinkModel, create_model
from linkwl.models.bundled import SettingsKind, bundled_settings
from linkwl.models.settings import has_setting
from linkwl.protocols import PAPER, Protocol, TrainingData
from linkwl.records import GraphRecord, versions
from linkwl.training import Trainer
from linkwl.typing import Pairs

TIME = "time"
"""The name of the table of times, and of its file of records."""

TRAINING_STEPS = 16
"""Gradient steps before the timing: the quality of the weights does not change the time."""


@dataclass(frozen=True)
class Clock:
    """The times of one system."""

    first: float
    """Seconds of the first run of a fresh process, with cold caches."""
    seconds: tuple[float, ...]
    """Seconds of warm runs, one per turn of every split."""
    config: dict[str, Any] = field(default_factory=dict)
    fit: float | None = None
    """Seconds of training on the first split; None if the model was trained for a few steps only."""


@dataclass(frozen=True)
class TimeRecord:
    """The times on one dataset, all measured in one run."""

    dataset: str
    graph: GraphRecord
    protocol: dict[str, Any]
    seeds: int
    """Number of timed splits."""
    num_targets: int
    """Of each split."""
    clocks: Mapping[str, Clock]
    """By system."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """Models that need too much memory, with the reason."""
    versions: dict[str, str] = field(default_factory=lambda: versions())

    @classmethod
    def from_row(cls, row: Row) -> TimeRecord:
        """The record from its plain values.

        Raises:
            ValueError, KeyError, TypeError, AttributeError: If the values are not a record.
        """
        clocks = {
            name: Clock(float(clock["first"]), tuple(map(float, clock["seconds"])), clock["config"], clock.get("fit"))
            for name, clock in row["clocks"].items()
        }
        record = cls(**row | {"graph": GraphRecord(**row["graph"]), "clocks": clocks})
        if not all(clock.seconds for clock in clocks.values()):
            raise ValueError("a clock without times")
        return record


def times_file(out: Path, kind: SettingsKind = "tuned") -> Path:
    """The file of all records of times, one line per dataset."""
    return out / f"{table_name(TIME, kind)}.jsonl"


def load_times(out: Path, kind: SettingsKind = "tuned") -> dict[str, TimeRecord]:
    """The records by dataset.

    Raises:
        InputError: If a line cannot be read.
    """
    return {record.dataset: record for record in read_rows(times_file(out, kind), TimeRecord.from_row, "times")}


def save_times(out: Path, record: TimeRecord, kind: SettingsKind = "tuned") -> None:
    """Writes a record, replacing an earlier one of its dataset."""
    put_row(times_file(out, kind), asdict(record), lambda row: row["dataset"], "times")


def run_times(
    out: Path,
    *,
    datasets: Sequence[str],
    models: Sequence[str],
    kind: SettingsKind = "tuned",
    turns: int = 7,
    seeds: int = 1,
    trains_fully: bool = False,
    open_dataset: Callable[[str], Observed],
    on_progress: Callable[[str, str], None] | None = None,
    on_done: Callable[[TimeRecord], None] | None = None,
) -> None:
    """Times models on datasets and writes a record for each dataset.

    Args:
        out: The folder of the records.
        datasets: Names in the catalogue.
        models: Names in the registry.
        kind: The kind of settings of the networks.
        turns: As in :func:`measure_times`.
        seeds: As in :func:`measure_times`.
        trains_fully: As in :func:`measure_times`.
        open_dataset: Returns the graph with a given name.
        on_progress: Called with a dataset and the current activity.
        on_done: Called with each record.
    """
    for dataset in datasets:
        record = measure_times(
            open_dataset(dataset),
            [create_model(model, **bundled_settings(model, dataset, kind)) for model in models],
            dataset=dataset,
            turns=turns,
            seeds=seeds,
            trains_fully=trains_fully,
            on_progress=None if on_progress is None else partial(on_progress, dataset),
        )
        save_times(out, record, kind)
        if on_done is not None:
            on_done(record)


def measure_times(
    graph: Observed,
    models: Sequence[LinkModel],
    *,
    dataset: str,
    turns: int = 7,
    seeds: int = 1,
    protocol: Protocol = PAPER,
    trains_fully: bool = False,
    engine: Engine | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> TimeRecord:
    """Times the scoring of all test targets, including everything except reading files.

    Every run starts with a copy of the model and a copy of the observed graph, so that nothing is cached from an
    earlier run. The systems take turns, so that other load of the machine affects all of them.

    Args:
        graph: The whole graph.
        models: The models to time; those with weights are trained first, by default for a few steps.
        dataset: Its name in the catalogue.
        turns: Timed runs of each system on a split, after a warm-up run.
        seeds: Number of splits, each with newly drawn weights.
        protocol: The protocol that splits the graph.
        trains_fully: Whether models are trained to the end and the time of that is recorded as well.
        engine: The engine of the first runs; by default each in a separate process.
        on_progress: Called with the current activity.
    """
    show = on_progress or (lambda _: None)
    graph, fresh = protocol.view(graph), engine or ProcessEngine(1)
    timed = [
        _time_split(protocol, graph, seed, models, turns, fresh, show, trains_fully=trains_fully)
        for seed in range(seeds)
    ]
    first, _, num_targets = timed[0]
    # The free memory may change between splits: a model refused on one split counts as refused.
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
    protocol: Protocol,
    graph: Observed,
    seed: int,
    models: Sequence[LinkModel],
    turns: int,
    fresh: Engine,
    show: Callable[[str], None],
    *,
    trains_fully: bool,
) -> tuple[dict[str, Clock], dict[str, str], int]:
    """Clocks, refusals and the number of targets of one split."""
    split = protocol.apply(graph, seed)
    test, pairs = split.test, split.test.targets.queries
    data = TrainingData.of(split, protocol)
    trained, refusals, fit = [], {}, {}
    for model in models:
        show(f"training {model.id}{'' if trains_fully else ' for a few steps'}")
        start = time.perf_counter()
        try:
            trained.append(train_fully(model, data, seed) if trains_fully else train_briefly(model, data, seed))
        except MemoryLimitError as error:
            refusals[model.id] = str(error)
        if trains_fully:
            fit[model.id] = time.perf_counter() - start
    runs = {model.id: _fresh_run(model, test.observed, pairs) for model in trained}
    first_runs = {model.id: FirstRun(model, test.observed, pairs, seed) for model in trained}
    if has_gae():
        assert isinstance(test.observed, Graph)
        score = prepare_gae(test.observed, pairs, seed)
        runs[GAE] = lambda: score
        first_runs[GAE] = FirstRun(None, test.observed, pairs, seed)
    first = {}
    for name, prepare in runs.items():
        show(f"first run of {name}")
        (first[name],) = fresh.map(first_seconds, [first_runs[name]])  # one process each
        prepare()()  # warms up
    later: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(turns):
        show(f"turn {turn + 1} of {turns}")
        for name, prepare in runs.items():
            later[name].append(_seconds(prepare()))
    configs = {model.id: model.config.model_dump(mode="json") for model in trained}
    clocks = {name: Clock(first[name], tuple(later[name]), configs.get(name, {}), fit.get(name)) for name in runs}
    return clocks, refusals, len(pairs)


class FirstRun(NamedTuple):
    """The task of a fresh process."""

    model: LinkModel | None
    """None for the reference."""
    observed: Any
    pairs: Pairs
    seed: int

    def __str__(self) -> str:
        return f"first run of {GAE if self.model is None else self.model.id}"


def first_seconds(task: FirstRun) -> float:
    """Seconds of a run in this process; only the libraries are loaded before."""
    model, observed, pairs, seed = task
    if model is None:
        return _seconds(prepare_gae(observed, pairs, seed))
    return _seconds(lambda: model(observed, pairs))


def train_fully(model: LinkModel, data: TrainingData, seed: int) -> LinkModel:
    """The model after training."""
    trained = model.clone()
    trained.fit(data, Trainer(seed))
    return trained


def train_briefly(model: LinkModel, data: TrainingData, seed: int) -> LinkModel:
    """The model after a few training steps, if it has any."""
    short = model.clone()
    if has_setting(model.Config, "training.max_steps"):
        settings = model.config.model_dump()
        settings["training"]["max_steps"] = TRAINING_STEPS
        short = type(model)(model.Config.model_validate(settings))
    short.fit(data, Trainer(seed))
    return short


def _fresh_run(model: LinkModel, observed: Any, pairs: Pairs) -> Callable[[], Callable[[], object]]:
    """A function that prepares a run; it returns the function to time."""

    def prepare() -> Callable[[], object]:
        own_model, own_graph = copy.deepcopy(model), replace(observed)
        return lambda: own_model(own_graph, pairs)

    return prepare


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
