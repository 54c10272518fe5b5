from __future__ import annotations

import json
import multiprocessing
import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import save_file as save_numpy
from safetensors.torch import load_file, save_file

from fitting import fit
from linkwl import InputError
from linkwl.datasets import load_airports
from linkwl.models.gradient import TrainingConfig
from linkwl.protocols import PAPER
from linkwl.splits import Targets
from linkwl.training.checkpoint import FORMAT, describe_difference
from toy_model import Toy, ToyConfig


@pytest.fixture
def written(toy, split, tmp_path) -> Path:
    path = tmp_path / "checkpoint.safetensors"
    fit(toy(), split, 0, checkpoint=path)
    return path


def resume(model, split, path, seed=0):
    return fit(model, split, seed, checkpoint=path, resume=True)


def rewrite(path, change):
    """Changes tensors and the text of a checkpoint."""
    with safe_open(path, framework="pt") as file:
        note = json.loads(file.metadata()["linkwl"])
    tensors = load_file(path)
    change(tensors, note)
    save_file(tensors, path, metadata={"linkwl": json.dumps(note)})


def test_everything_is_in_one_plain_file(written):
    assert [path.name for path in written.parent.iterdir()] == [written.name]
    with safe_open(written, framework="pt") as file:
        groups = {name.split("/")[0] for name in file.keys()}  # noqa: SIM118 - not a mapping
        note = json.loads(file.metadata()["linkwl"])
        assert file.get_tensor("random/cpu").dtype == torch.uint8
    assert groups == {"weights", "average", "best", "adam", "random"}
    assert note["format"] == FORMAT
    assert note["run"]["config"]["training"]["learning_rate"] == 0.01
    assert len(note["history"]["losses"]) == 40


@pytest.mark.parametrize(
    ("options", "seed", "difference"),
    [
        ({"learning_rate": 0.02}, 0, "training.learning_rate was 0.01 and is 0.02 now"),
        ({"dropout": 0.1}, 0, "encoder.dropout was 0.3 and is 0.1 now"),
        ({}, 7, "seed was 0 and is 7 now"),
    ],
)
def test_another_run_is_refused_by_what_differs(toy, split, written, options, seed, difference):
    before = written.read_bytes()
    with pytest.raises(InputError, match="the checkpoint of another run") as error:
        resume(toy(**options), split, written, seed)
    assert difference in str(error.value)
    assert written.read_bytes() == before


@pytest.mark.parametrize("fold", ["train", "valid", "test"])
def test_other_pairs_are_refused(toy, split, written, fold):
    old = split.folds[fold]
    targets = Targets(old.positives[1:], old.negatives)
    other = replace(split, **{fold: replace(old, targets=targets)})
    name = "reserved" if fold == "test" else fold
    with pytest.raises(InputError, match=f"its {name} pairs are not those of this graph and seed"):
        resume(toy(), other, written)


def test_another_format_is_refused(toy, split, written):
    rewrite(written, lambda tensors, note: note.update(format=99))
    with pytest.raises(InputError, match="has format 99 and this version of linkwl reads format 4"):
        resume(toy(), split, written)


def drop_weight(tensors, note):
    del tensors["weights/0.weight"]


def widen_weight(tensors, note):
    tensors["best/0.weight"] = torch.zeros(3, 3)


def retype_moment(tensors, note):
    tensors["adam/0/exp_avg"] = tensors["adam/0/exp_avg"].double()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (drop_weight, "tensor 'weights/0.weight' is missing"),
        (widen_weight, "tensor 'best/0.weight' must be F32 of shape (8, 2), found F32 of shape (3, 3)"),
        (retype_moment, "tensor 'adam/0/exp_avg' must be F32 of shape (8, 2), found F64"),
    ],
)
def test_tensors_that_do_not_fit_are_refused(toy, split, written, change, sentence):
    rewrite(written, change)
    with pytest.raises(InputError) as error:
        resume(toy(), split, written)
    assert sentence in str(error.value)
    assert str(error.value).startswith(f"{written}: ")


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_refused(toy, split, written, damage):
    content = written.read_bytes()
    written.write_bytes(content[: len(content) // 2] if damage is None else damage)
    with pytest.raises(InputError, match="checkpoint"):
        resume(toy(), split, written)


def test_a_file_of_something_else_is_refused(toy, split, tmp_path):
    path = tmp_path / "other.safetensors"
    save_file({"x": torch.zeros(1)}, path)
    with pytest.raises(InputError, match="not a checkpoint of linkwl"):
        resume(toy(), split, path)


def test_differences_are_named():
    assert describe_difference({"a": 1, "config": {"b": {"c": 2}}}, {"a": 1, "config": {"b": {"c": 2}}}) == ""
    assert describe_difference({"config": {"b": 2}}, {"config": {"b": 3}}) == "b was 2 and is 3 now"
    assert describe_difference({"b": None}, {}) == "b was None and is None now"


def train_in_folder(folder: Path, pause: float, checkpoint_seconds: float) -> None:
    """What a process of its own does: begins or goes on, and writes the weights at the end."""
    split = PAPER.apply(load_airports(), seed=0)
    model = Toy(ToyConfig(training=TrainingConfig(max_steps=400, patience=400, evaluate_every=4, learning_rate=0.01)))
    fit(
        model,
        split,
        0,
        checkpoint=folder / "checkpoint.safetensors",
        checkpoint_seconds=checkpoint_seconds,
        resume=True,
        on_step=lambda _: time.sleep(pause),
    )
    save_numpy(model.state(), folder / "model.safetensors")


@pytest.fixture(scope="module")
def start_run():
    """Starts :func:`train_in_folder`; the server imports what takes long once, for all processes.

    The first step of torch's optimizers imports ``torch._dynamo``.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", "linkwl.predict", "torch._dynamo"])

    def start(folder: Path, pause: float, checkpoint_seconds: float):
        folder.mkdir(exist_ok=True)
        process = context.Process(target=train_in_folder, args=(folder, pause, checkpoint_seconds))
        process.start()
        return process

    return start


def steps_taken(checkpoint: Path) -> int:
    if not checkpoint.exists():
        return 0
    with safe_open(checkpoint, framework="pt") as file:
        return len(json.loads(file.metadata()["linkwl"])["history"]["losses"])


@pytest.mark.thorough
def test_a_run_killed_at_random_moments_ends_with_the_same_bytes(tmp_path, start_run):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    checkpoint = killed / "checkpoint.safetensors"
    beside = start_run(whole, pause=0.0, checkpoint_seconds=1000.0)
    moments, stops = random.Random(0), []
    for _ in range(4):
        before = steps_taken(checkpoint)
        process = start_run(killed, pause=0.02, checkpoint_seconds=0.0)
        while steps_taken(checkpoint) <= before and process.is_alive():
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.3))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL  # it was at work
        stops.append(steps_taken(checkpoint))
    assert 0 < stops[0] < stops[1] < stops[2] < stops[3] < 400
    last = start_run(killed, pause=0.0, checkpoint_seconds=1000.0)
    for process in (last, beside):
        process.join()
        assert process.exitcode == 0
    assert (killed / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
