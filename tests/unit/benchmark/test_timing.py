from __future__ import annotations

import json
import pickle
import time

import numpy as np
import pytest

from benchmark_toy import Toy
from linkwl.benchmark import timing
from linkwl.benchmark.cell_record import digest
from linkwl.benchmark.gae import GAE
from linkwl.benchmark.timing import TRAINING_STEPS, load_times, measure_times, run_times, save_times, train_briefly
from linkwl.datasets import load_airports
from linkwl.engine import InlineEngine, ProcessEngine
from linkwl.errors import InputError, MemoryLimitError
from linkwl.models import create_model
from linkwl.protocols import PAPER, TrainingData


class Here(InlineEngine):
    """What a fresh process would do, without the time that one takes to start."""

    def run(self, function, tasks, shared):
        yield from super().run(function, pickle.loads(pickle.dumps(tasks)), shared)


HERE = Here()


@pytest.fixture(scope="module")
def record():
    return measure_times(load_airports(), [Toy(), create_model("cn")], dataset="airports", turns=3, engine=HERE)


@pytest.mark.thorough
def test_the_first_run_has_a_process_of_its_own(monkeypatch):
    asked = []

    class Fresh(ProcessEngine):
        def run(self, function, tasks, shared):
            asked.append((self.num_processes, [str(task) for task in tasks]))
            for index, seconds in super().run(function, tasks, shared):
                yield index, seconds + 1000

    monkeypatch.setattr(timing, "has_gae", lambda: False)
    monkeypatch.setattr(timing, "ProcessEngine", Fresh)
    clock = measure_times(load_airports(), [create_model("cn")], dataset="airports", turns=3).clocks["cn"]
    assert asked == [(1, ["first run of cn"])]
    assert clock.first > 1000 > max(clock.seconds)


def test_the_first_run_of_every_system_is_asked_for_alone(monkeypatch):
    asked = []

    class Counting(Here):
        def run(self, function, tasks, shared):
            asked.append([str(task) for task in tasks])
            yield from super().run(function, tasks, shared)

    models = [create_model(name) for name in ("cn", "aa")]
    measure_times(load_airports(), models, dataset="airports", turns=1, engine=Counting())
    assert asked == [["first run of cn"], ["first run of aa"], [f"first run of {GAE}"]]


def test_every_system_is_timed(record):
    assert list(record.clocks) == ["2wl", "cn", GAE]
    for clock in record.clocks.values():
        assert len(clock.seconds) == 3
        assert all(seconds > 0 for seconds in (clock.first, *clock.seconds))
    split = PAPER.apply(load_airports(), 0)
    assert record.num_targets == len(split.test.positives) + len(split.test.negatives)
    assert record.clocks["2wl"].config["training"]["max_steps"] == TRAINING_STEPS
    assert record.versions["torch-geometric"]
    assert record.refusals == {}


def test_training_is_timed_if_it_is_asked_for(record, tmp_path):
    assert all(clock.fit is None for clock in record.clocks.values())
    model = Toy(Toy.Config.model_validate({"training": {"max_steps": 40}}))
    found = measure_times(load_airports(), [model], dataset="airports", turns=1, trains_fully=True, engine=HERE)
    assert found.clocks["2wl"].fit > 0
    assert found.clocks["2wl"].config["training"]["max_steps"] == 40
    save_times(tmp_path, found)
    assert load_times(tmp_path)["airports"] == found


def test_a_record_comes_back(record, tmp_path):
    save_times(tmp_path / "new", record)
    back = load_times(tmp_path / "new")["airports"]
    assert (back.clocks, back.graph, back.num_targets) == (record.clocks, record.graph, record.num_targets)
    assert digest(back.protocol) == digest(record.protocol)


@pytest.mark.parametrize(
    "damage",
    [
        lambda values: values.pop("clocks"),
        lambda values: values.update(more=1),
        lambda values: values.pop("dataset"),
        lambda values: values["clocks"]["cn"].update(seconds=[]),
        lambda values: values["clocks"]["cn"].update(first="soon"),
    ],
)
def test_a_broken_record_is_one_sentence(record, tmp_path, damage):
    save_times(tmp_path, record)
    path = tmp_path / "time.jsonl"
    values = json.loads(path.read_text())
    damage(values)
    path.write_text(json.dumps(values))
    with pytest.raises(InputError, match=r"time\.jsonl, line 1: this is not a readable record of times; delete the"):
        load_times(tmp_path)


def test_a_record_for_each_dataset(tmp_path, monkeypatch):
    monkeypatch.setattr(timing, "ProcessEngine", lambda _: HERE)
    said, done = [], []
    run_times(
        tmp_path,
        datasets=["usair", "airports"],
        models=["cn", "aa"],
        kind="paper",
        turns=1,
        open_dataset=lambda name: load_airports(),
        on_progress=lambda dataset, text: said.append((dataset, text)),
        on_done=done.append,
    )
    assert [record.dataset for record in done] == ["usair", "airports"]
    assert ("usair", "turn 1 of 1") in said
    found = load_times(tmp_path, "paper")
    assert list(found) == ["airports", "usair"]
    assert list(found["usair"].clocks) == ["cn", "aa", GAE]
    assert load_times(tmp_path) == {}


class Sleeper(Toy):
    """Keeps what it has seen, as a model may that wants to be fast the second time."""

    def __init__(self, config=None):
        super().__init__(config)
        self.seen = set()

    def logits(self, observed, pairs):
        if observed.digest not in self.seen and "seen" not in observed.__dict__:
            time.sleep(0.02)
        self.seen.add(observed.digest)
        observed.__dict__["seen"] = True
        return super().logits(observed, pairs)


def test_nothing_is_kept_between_runs(monkeypatch):
    monkeypatch.setattr(timing, "has_gae", lambda: False)
    record = measure_times(load_airports(), [Sleeper()], dataset="airports", turns=4, engine=HERE)
    assert list(record.clocks) == ["2wl"]
    assert "torch-geometric" not in record.versions
    assert min(record.clocks["2wl"].seconds) >= 0.02


def test_training_is_short_and_leaves_the_model_alone():
    split = PAPER.apply(load_airports(), 0)
    toy = Toy()
    data = TrainingData.of(split, PAPER)
    trained = train_briefly(toy, data, 0)
    assert toy.network is None
    assert trained.config.training.max_steps == TRAINING_STEPS
    assert trained.config.training.learning_rate == toy.config.training.learning_rate
    assert np.isfinite(trained(split.test.observed, split.test.positives)).all()
    assert train_briefly(create_model("cn"), data, 0).id == "cn"


def test_a_refused_model_is_told(monkeypatch):
    def refuse(model, split, seed):
        raise MemoryLimitError("too large; use another.")

    monkeypatch.setattr(timing, "train_briefly", refuse)
    said = []
    record = measure_times(load_airports(), [Toy()], dataset="airports", turns=1, engine=HERE, on_progress=said.append)
    assert record.refusals == {"2wl": "too large; use another."}
    assert list(record.clocks) == [GAE]
    assert said == ["training 2wl for a few steps", f"first run of {GAE}", "turn 1 of 1"]


def test_every_split_is_timed():
    record = measure_times(load_airports(), [create_model("cn")], dataset="airports", turns=2, seeds=3, engine=HERE)
    assert record.seeds == 3
    assert all(len(clock.seconds) == 6 for clock in record.clocks.values())


def test_what_is_refused_on_a_later_split_is_refused(monkeypatch):
    train = timing.train_briefly

    def refuse(model, split, seed):
        if seed == 1:
            raise MemoryLimitError("too large by now.")
        return train(model, split, seed)

    monkeypatch.setattr(timing, "train_briefly", refuse)
    record = measure_times(load_airports(), [Toy()], dataset="airports", turns=1, seeds=2, engine=HERE)
    assert record.refusals == {"2wl": "too large by now."}
    assert list(record.clocks) == [GAE]
