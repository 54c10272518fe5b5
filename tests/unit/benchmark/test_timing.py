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
from linkwl.benchmark.timing import TRAINING_STEPS, TimeRecord, measure_times, train_briefly
from linkwl.datasets import load_airports
from linkwl.errors import InputError, MemoryLimitError
from linkwl.models import create_model
from linkwl.splits import PAPER


def run_here(function, tasks, num_processes):
    """What a fresh process would do, without the time that one takes to start."""
    yield from map(function, pickle.loads(pickle.dumps(tasks)))


@pytest.fixture(scope="module")
def record():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timing, "run_in_processes", run_here)
        return measure_times(load_airports(), [Toy(), create_model("cn")], dataset="airports", turns=3)


def test_the_first_run_is_cold(monkeypatch):
    monkeypatch.setattr(timing, "has_gae", lambda: False)
    clock = measure_times(load_airports(), [create_model("cn")], dataset="airports", turns=3).clocks["cn"]
    assert clock.first > min(clock.seconds)


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


def test_a_record_comes_back(record, tmp_path):
    record.save(tmp_path / "time")
    back = TimeRecord.load(tmp_path / "time" / "airports.json")
    assert (back.clocks, back.graph, back.num_targets) == (record.clocks, record.graph, record.num_targets)
    assert digest(back.protocol) == digest(record.protocol)


@pytest.mark.parametrize(
    "damage",
    [
        lambda values: values.pop("clocks"),
        lambda values: values.update(more=1),
        lambda values: values.update(dataset="cora"),
        lambda values: values["clocks"]["cn"].update(seconds=[]),
        lambda values: values["clocks"]["cn"].update(first="soon"),
    ],
)
def test_a_broken_record_is_one_sentence(record, tmp_path, damage):
    record.save(tmp_path)
    path = tmp_path / "airports.json"
    values = json.loads(path.read_text())
    damage(values)
    path.write_text(json.dumps(values))
    with pytest.raises(InputError, match=r"airports\.json: this is not a readable record of times; delete it"):
        TimeRecord.load(path)


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


@pytest.fixture
def no_processes(monkeypatch):
    monkeypatch.setattr(timing, "run_in_processes", run_here)


def test_nothing_is_kept_between_runs(monkeypatch, no_processes):
    monkeypatch.setattr(timing, "has_gae", lambda: False)
    record = measure_times(load_airports(), [Sleeper()], dataset="airports", turns=4)
    assert list(record.clocks) == ["2wl"]
    assert "torch-geometric" not in record.versions
    assert min(record.clocks["2wl"].seconds) >= 0.02


def test_training_is_short_and_leaves_the_model_alone():
    split = PAPER.apply(load_airports(), 0)
    toy = Toy()
    trained = train_briefly(toy, split, 0)
    assert toy.network is None
    assert trained.config.training.max_steps == TRAINING_STEPS
    assert trained.config.training.learning_rate == toy.config.training.learning_rate
    assert np.isfinite(trained(split.test.observed, split.test.positives)).all()
    heuristic = create_model("cn")
    assert train_briefly(heuristic, split, 0) is heuristic


def test_a_refused_model_is_told(monkeypatch, no_processes):
    def refuse(model, split, seed):
        raise MemoryLimitError("too large; use another.")

    monkeypatch.setattr(timing, "train_briefly", refuse)
    said = []
    record = measure_times(load_airports(), [Toy()], dataset="airports", turns=1, on_progress=said.append)
    assert record.refusals == {"2wl": "too large; use another."}
    assert list(record.clocks) == [GAE]
    assert said == ["training 2wl for a few steps", f"first run of {GAE}", "turn 1 of 1"]


def test_every_split_is_timed():
    record = measure_times(load_airports(), [create_model("cn")], dataset="airports", turns=2, seeds=3)
    assert record.seeds == 3
    assert all(len(clock.seconds) == 6 for clock in record.clocks.values())


def test_what_is_refused_on_a_later_split_is_refused(monkeypatch, no_processes):
    train = timing.train_briefly

    def refuse(model, split, seed):
        if seed == 1:
            raise MemoryLimitError("too large by now.")
        return train(model, split, seed)

    monkeypatch.setattr(timing, "train_briefly", refuse)
    record = measure_times(load_airports(), [Toy()], dataset="airports", turns=1, seeds=2)
    assert record.refusals == {"2wl": "too large by now."}
    assert list(record.clocks) == [GAE]
