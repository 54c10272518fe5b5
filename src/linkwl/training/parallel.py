"""Data-parallel training: the batches of a step are divided among several workers.

A worker computes the gradient of single batches, from weights that it is given and with dropout seeded by the step and
the batch. The gradients are added in the order of the batches. So the weights do not depend on the number of workers,
to the bit, and a step can be repeated when a worker was killed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load, save
from torch import Tensor

from linkwl.engine import Engine, InlineEngine
from linkwl.engine.group import Group, GroupLostError
from linkwl.engine.worker import RETRIES
from linkwl.errors import InputError, LinkwlError, TaskError
from linkwl.memory import is_out_of_memory
from linkwl.models.batch import BatchSource
from linkwl.models.gradient import GradientModel, seeded, torch_threads
from linkwl.protocols import TrainingData
from linkwl.training.determinism import deterministic
from linkwl.training.time_batches import batch_stream

THREADS = 1
"""Torch threads of a worker; a sum by another number of threads may have other bits."""
_NOTE = "note"


@dataclass(frozen=True)
class Shared:
    """What all workers need."""

    model: GradientModel
    data: TrainingData
    batch_seed: int
    dropout_seed: int
    position: dict[str, Any]
    """Of the stream of batches, before the next step."""


class StepWorker:
    """Computes the gradients of every ``size``-th batch of a step; a member of a group.

    All workers draw the same stream of batches.
    """

    def __init__(self, shared: Shared, number: int, size: int) -> None:
        self._model, self._seed = shared.model, shared.dropout_seed
        self._number, self._size = number, size
        self._batches = make_batches(shared.model, shared.data, shared.batch_seed)
        self._batches.restore(shared.position)

    def answer(self, message: bytes) -> bytes:
        """The gradients of this worker's batches, for the weights and the step of a message."""
        try:
            with deterministic(), torch_threads(THREADS), seeded(0):
                return self._gradients(*_unpack(message))
        except Exception as error:
            sentence = str(error) if isinstance(error, LinkwlError) else f"{type(error).__name__}: {error}"
            if is_out_of_memory(error):
                sentence = "a batch takes more memory than is free; use fewer workers, or smaller batches."
            return _pack({"error": sentence}, {})

    def _gradients(self, note: dict[str, Any], weights: dict[str, NDArray[Any]]) -> bytes:
        model = self._model
        network = model.trained
        network.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
        network.train()
        batches = list(islice(self._batches, model.training.batches_per_step))
        losses: dict[str, float] = {}
        found: dict[str, NDArray[Any]] = {}
        for number in range(self._number, len(batches), self._size):
            network.zero_grad()
            torch.manual_seed(batch_seed(self._seed, note["step"], number))
            # The batch's positives are not in its observed graph: a target carries no message while it is predicted.
            loss = model.loss(batches[number]) / len(batches)
            loss.backward()
            losses[str(number)] = float(loss.item())
            for name, parameter in network.named_parameters():
                if parameter.grad is not None:
                    found[f"{number}/{name}"] = parameter.grad.detach().cpu().numpy().copy()
        network.zero_grad()
        return _pack({"losses": losses, "position": self._batches.state()}, found)


class Crew(BatchSource):
    """The workers of a training run; also the position of their stream of batches, for checkpoints.

    Args:
        model: The model, with initial weights.
        data: The train and validation folds.
        workers: Number of workers.
        engine: The engine that runs them; by default processes of this machine.
        seeds: Seeds of the batches and of dropout.
        position: Of the stream of batches, at its beginning.

    Raises:
        InputError: If a step has fewer batches than there are workers.
    """

    def __init__(
        self,
        model: GradientModel,
        data: TrainingData,
        workers: int,
        engine: Engine | None,
        *,
        seeds: tuple[int, int],
        position: dict[str, Any],
    ) -> None:
        count = model.training.batches_per_step
        if workers > count:
            raise InputError(
                f"{workers} workers need as many batches in a step of {model.id}, which has {count}; use fewer, or "
                f"--set training.batches_per_step={workers}."
            )
        self._model, self._data, self._seeds = model, data, seeds
        self._workers, self._engine = workers, engine or InlineEngine()
        self._position = position
        self._group: Group | None = None

    def __next__(self) -> Any:
        raise NotImplementedError("the workers draw the batches")

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return self._position

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        make_batches(self._model, self._data, self._seeds[0]).restore(state)  # finds out whether it is damaged
        self._position = state

    def backward(self, step: int) -> list[float]:
        """Gives the network the gradient of the mean loss of a step's batches; their shares of that loss, in order.

        Raises:
            TaskError: If a worker fails, or is killed each time.
        """
        network = self._model.trained
        weights = {name: weight.detach().cpu().numpy() for name, weight in network.state_dict().items()}
        losses: dict[str, float] = {}
        gradients: dict[str, NDArray[Any]] = {}
        for note, found in self._ask(_pack({"step": step}, weights)):
            if "error" in note:
                raise TaskError(f"training {self._model.id} at step {step}: {note['error']}")
            losses |= note["losses"]
            gradients |= found
            self._position = note["position"]
        numbers = range(self._model.training.batches_per_step)
        for name, parameter in network.named_parameters():
            parameter.grad = _sum([gradients[key] for n in numbers if (key := f"{n}/{name}") in gradients], parameter)
        return [losses[str(number)] for number in numbers]

    def _ask(self, message: bytes) -> list[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
        """The answers of all workers; they are started again if one was killed."""
        cause = None
        for _ in range(RETRIES + 1):
            try:
                if self._group is None:
                    shared = Shared(self._model, self._data, *self._seeds, self._position)
                    self._group = self._engine.group(StepWorker, shared, self._workers)
                return [_unpack(answer) for answer in self._group.ask(message)]
            except GroupLostError as error:
                cause = error
                self.close()
        raise TaskError(
            f"training {self._model.id}: a worker was killed {RETRIES + 1} times in the same step, most likely because "
            "the memory was full; use fewer workers, and continue with --resume."
        ) from cause

    def close(self) -> None:
        """Ends the workers."""
        if self._group is not None:
            with suppress(OSError):
                self._group.close()
            self._group = None


@contextmanager
def working(crew: Crew | None) -> Iterator[None]:
    """Ends the workers after a block, if there are any."""
    try:
        yield
    finally:
        if crew is not None:
            crew.close()


def make_batches(model: GradientModel, data: TrainingData, seed: int) -> BatchSource:
    """The stream of batches: the model's own, or that of the trainer."""
    return model.batches(data, seed) or batch_stream(data, model.training, seed)


def batch_seed(seed: int, step: int, number: int) -> int:
    """The seed of dropout for one batch of one step."""
    return int(np.random.SeedSequence([seed, step, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _sum(gradients: list[NDArray[Any]], like: Tensor) -> Tensor | None:
    """The sum, from the first to the last, as `backward` adds them; None if there are none."""
    if not gradients:
        return None
    total = torch.from_numpy(gradients[0].copy()).to(like)
    for gradient in gradients[1:]:
        total += torch.from_numpy(gradient).to(like)
    return total


def _pack(note: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A note and arrays as bytes, without pickle."""
    text = np.frombuffer(json.dumps(note).encode(), dtype=np.uint8)
    return bytes(save({_NOTE: text} | {f"/{name}": np.ascontiguousarray(array) for name, array in arrays.items()}))


def _unpack(message: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    arrays = load(message)
    note = json.loads(arrays.pop(_NOTE).tobytes())
    return note, {name.removeprefix("/"): array for name, array in arrays.items()}
