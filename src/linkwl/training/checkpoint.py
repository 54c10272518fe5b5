"""Checkpoints: a killed run resumes and ends with the same bits."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from linkwl.errors import InputError
from linkwl.files import parse_json
from linkwl.models.batch import BatchSource
from linkwl.models.gradient import GradientModel
from linkwl.models.history import History
from linkwl.protocols import TrainingData
from linkwl.storage.tensors import TensorFile, open_tensors, write_tensors
from linkwl.training.stopping import EarlyStopping
from linkwl.training.weight_average import WeightAverage

FORMAT = 4
"""Increased whenever earlier files can no longer be read."""


@dataclass
class TrainingState:
    """Everything that changes from step to step, except torch's random state."""

    network: nn.Module
    optimizer: torch.optim.Optimizer
    batches: BatchSource
    average: WeightAverage
    stopping: EarlyStopping
    history: History


def fingerprint(model: GradientModel, data: TrainingData, seed: int) -> dict[str, Any]:
    """Everything that must be equal for a run to be resumed, as values for JSON."""
    values = {
        "model": model.id,
        "seed": seed,
        "device": model.device.type,
        "config": model.config.model_dump(mode="json"),
        "metric": data.selection.id,
        "train pairs": data.train.digest,
        "valid pairs": data.valid.digest,
        "reserved pairs": data.reserved.digest,
    }
    return values if data.rejected is None else values | {"rejected pairs": data.rejected.tolist()}


class Checkpoint:
    """A file with the state of a run after some step, replaced every few seconds.

    Weights, their average, best weights, Adam's moments and torch's random state are tensors; the rest is JSON.

    Args:
        path: The file.
        run: The run's :func:`fingerprint`.
        every_seconds: Time between two writes.
    """

    def __init__(self, path: Path, run: dict[str, Any], every_seconds: float) -> None:
        self.path = path
        self.run = run
        self.every_seconds = every_seconds
        self._written = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self._written >= self.every_seconds

    def save(self, state: TrainingState) -> None:
        """Writes the current state of the run; call it between two steps."""
        note = {
            "format": FORMAT,
            "run": self.run,
            "batches": state.batches.state(),
            "history": state.history.to_json(),
        }
        write_tensors(self.path, dict(_tensors(state)), json.dumps(note, allow_nan=False))
        self._written = time.monotonic()

    def restore(self, state: TrainingState) -> None:
        """Restores the state of the run from the file.

        Raises:
            InputError: If the file is damaged, of another format, or of another run; the sentence names the difference.
        """
        with open_tensors(self.path) as file:
            note = self._read_note(file.note)
            try:
                history = History.from_json(note["history"])
                self._restore_tensors(state, file, has_best=bool(history.valid))
                state.batches.restore(note["batches"])
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise InputError("the checkpoint is damaged; train in another folder.", path=self.path) from error
        state.history = history
        state.stopping.best_step, state.stopping.best_value = history.best_step, history.best_valid

    def _read_note(self, text: str) -> dict[str, Any]:
        try:
            note = parse_json(text)
            found = note["format"]
            run = note["run"] if found == FORMAT else {}
        except (ValueError, KeyError, TypeError) as error:
            raise InputError("this is not a checkpoint of linkwl.", path=self.path) from error
        if found != FORMAT:
            raise InputError(
                f"the checkpoint has format {found} and this version of linkwl reads format {FORMAT}; train anew in "
                "another folder.",
                path=self.path,
            )
        if difference := describe_difference(run, self.run):
            raise InputError(
                f"this is the checkpoint of another run: {difference}; resume with what it was started with, or choose "
                "another folder.",
                path=self.path,
            )
        return note

    def _restore_tensors(self, state: TrainingState, file: TensorFile, *, has_best: bool) -> None:
        weights = state.network.state_dict()
        parameters = [p for group in state.optimizer.param_groups for p in group["params"]]
        moments_of = ("exp_avg", "exp_avg_sq", *getattr(state.optimizer, "moments", ()))
        adam = {
            f"adam/{i}/{key}": like
            for i, parameter in enumerate(parameters)
            for key, like in (*((key, parameter) for key in moments_of), ("step", torch.empty(())))
            if f"adam/{i}/step" in file.names  # a weight that never had a gradient has no moments
        }
        expected: dict[str, Tensor] = {f"weights/{name}": weight for name, weight in weights.items()} | adam
        if has_best:
            expected |= {f"best/{name}": weight for name, weight in weights.items()}
        expected |= {f"average/{name}": weight for name, weight in state.average.weights.items()}
        expected |= _random_states(state.network)
        file.check(expected)
        state.network.load_state_dict({name: file.read(f"weights/{name}") for name in weights})
        for name, weight in state.average.weights.items():
            weight.copy_(file.read(f"average/{name}"))
        moments: dict[int, dict[str, Tensor]] = {}
        for name in adam:
            _, i, key = name.split("/")
            moments.setdefault(int(i), {})[key] = file.read(name)
        groups = state.optimizer.state_dict()["param_groups"]
        state.optimizer.load_state_dict({"state": moments, "param_groups": groups})
        if has_best:
            device = next(iter(weights.values())).device
            state.stopping.best_weights = {name: file.read(f"best/{name}").to(device) for name in weights}
        torch.set_rng_state(file.read("random/cpu"))
        if "random/cuda" in expected:
            torch.cuda.set_rng_state(file.read("random/cuda"))


def _tensors(state: TrainingState) -> Iterator[tuple[str, Tensor]]:
    for name, weight in state.network.state_dict().items():
        yield f"weights/{name}", weight
    for name, weight in state.average.weights.items():
        yield f"average/{name}", weight
    for name, weight in state.stopping.best_weights.items():
        yield f"best/{name}", weight
    for i, moments in state.optimizer.state_dict()["state"].items():
        for key, moment in moments.items():
            yield f"adam/{i}/{key}", moment
    yield from _random_states(state.network).items()


def _random_states(network: nn.Module) -> dict[str, Tensor]:
    """The states of torch's generators that training on the network's device uses."""
    states = {"random/cpu": torch.get_rng_state()}
    if any(weight.is_cuda for weight in network.parameters()):
        states["random/cuda"] = torch.cuda.get_rng_state()
    return states


def describe_difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The first difference of two fingerprints, in a few words; empty if they are equal."""
    old, new = (dict(_leaves(run)) for run in (before, now))
    for name in (*new, *old):
        if old.get(name) == new.get(name) and (name in old) == (name in new):
            continue
        if name.endswith("pairs"):
            return f"its {name} are not those of this graph and seed"
        return f"{name.removeprefix('config.')} was {old.get(name)} and is {new.get(name)} now"
    return ""


def _leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
