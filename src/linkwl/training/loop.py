"""The training loop: a page of plain PyTorch."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import torch

from linkwl.errors import InputError
from linkwl.metrics import Metric
from linkwl.models.batch import Batch
from linkwl.models.gradient import GradientModel, seeded, torch_threads
from linkwl.models.history import History, StepReport
from linkwl.protocols import TrainingData, target_scores
from linkwl.protocols.protocol import ScoreQueries
from linkwl.splits import Targets
from linkwl.training.checkpoint import Checkpoint, TrainingState, fingerprint
from linkwl.training.determinism import deterministic
from linkwl.training.interrupt import deferred_interrupt
from linkwl.training.parallel import THREADS, Crew, make_batches, working
from linkwl.training.stopping import EarlyStopping
from linkwl.training.weight_average import WeightAverage

if TYPE_CHECKING:
    from linkwl.training.trainer import Trainer

MOST_WATCHED = 1 << 17
"""Approximate number of queries per validation, if they are in lists or about triples."""
MOST_WATCHED_PAIRS = 20_000
"""The same for pairs in one pool, whose AUC then has a standard error of about 0.001; a fold of 200 000 edges has so
many."""


def descend(model: GradientModel, data: TrainingData, trainer: Trainer) -> History:
    """Trains ``model`` from new weights; the model keeps the weights that are best on validation targets, or the last.

    Each step removes some train facts from the observed graph, draws negatives, and reduces the model's loss on them by
    one step of Adam. A running mean of the weights is validated by the selection metric and kept. Torch's global state
    is restored. On Ctrl-C the step is finished, the checkpoint is written if there is one, and KeyboardInterrupt is
    raised; the model has the weights kept so far.

    Args:
        model: The model; its current weights are replaced.
        data: The train and validation folds. The validation fold is used only to select weights.
        trainer: The seed, the checkpoint and the callbacks.

    Raises:
        InputError: If the loss is no longer finite, or the checkpoint belongs to another run.
        SplitError: If there is nothing to train on, or there are too few negatives.
        MemoryLimitError: If a step is expected to take more memory than is free.
    """
    observed = data.train.observed
    config = model.training.on(observed.num_facts)
    plan = model.plan(observed)
    plan.check()
    seeds = [int(s) for s in np.random.SeedSequence(trainer.seed).generate_state(3)]  # weights, batches, dropout
    batches = make_batches(model, data, seeds[1])
    model.start(observed, seeds[0])
    crew = None
    if trainer.workers is not None:
        position = batches.state()
        crew = Crew(model, data, trainer.workers, trainer.engine, seeds=(seeds[1], seeds[2]), position=position)
    network = model.trained
    state = TrainingState(
        network=network,
        optimizer=model.make_optimizer(),
        batches=batches if crew is None else crew,
        average=WeightAverage(network, config.average),
        stopping=EarlyStopping(config.patience, config.keep),
        history=History(metric=data.selection.id, keep=config.keep),
    )
    keeper = None
    if trainer.checkpoint is not None:
        run = fingerprint(model, data, trainer.seed) | ({} if crew is None else {"data-parallel": True})
        keeper = Checkpoint(trainer.checkpoint, run, trainer.checkpoint_seconds)
    threads = torch_threads(THREADS if crew else model.num_threads(observed, model.num_targets(observed)))
    with seeded(seeds[2]), deterministic(), threads, working(crew), deferred_interrupt() as interrupt:
        if keeper is not None and trainer.resume and keeper.path.exists():
            keeper.restore(state)
        if trainer.on_plan is not None:
            trainer.on_plan(plan)
        history, stopping = state.history, state.stopping
        # A resumed run uses its original number of threads: sums in another order have other bits.
        history.threads, history.device = history.threads or torch.get_num_threads(), str(model.device)
        torch.set_num_threads(history.threads)
        clock = _Clock(history)
        look = model.watch(data.valid.observed)
        targets = _watched(data, trainer.seed)
        history.watched = 0 if targets is data.valid.targets else len(targets.queries)
        try:
            while history.stopped is None:
                for group in state.optimizer.param_groups:
                    group["lr"] = config.rate(history.steps + 1)
                step_batches = crew or list(islice(batches, config.batches_per_step))
                history.losses.append(_take_step(model, state.optimizer, step_batches, history.steps + 1))
                step = history.steps
                state.average.update(step)
                if step % config.evaluate_every == 0 or step == config.max_steps:
                    with state.average.in_place():
                        history.valid.append((step, _measure(model, look, data.selection, targets, step)))
                        stopping.update(*history.valid[-1], network.state_dict())
                    if stopping.should_stop(step):
                        history.stopped = "patience"
                if step == config.max_steps:
                    history.stopped = "max_steps"
                clock.tick()
                if trainer.on_step is not None:
                    trainer.on_step(_report(model, data, trainer.seed, history, config.max_steps))
                if keeper is not None and (history.stopped is not None or interrupt.is_requested or keeper.is_due):
                    keeper.save(state)
                if interrupt.is_requested and history.stopped is None:
                    raise KeyboardInterrupt
        finally:
            stopping.restore_best(network)
            network.eval()
    return history


def _watched(data: TrainingData, seed: int) -> Targets:
    """The targets of every validation: all, or a sample that is drawn once, if there are very many."""
    targets = data.valid.targets
    if targets.has_lists or targets.pools is not None or data.train.observed.task != "pairs":
        return targets.sample(MOST_WATCHED, np.random.default_rng(0))
    return targets.sample(MOST_WATCHED_PAIRS, np.random.default_rng(seed))


def _take_step(
    model: GradientModel, optimizer: torch.optim.Optimizer, batches: Sequence[Batch] | Crew, step: int
) -> float:
    """One step of the optimiser on the mean loss of some batches; returns the loss before the step."""
    model.trained.train()
    optimizer.zero_grad()
    total = 0.0
    for loss in batches.backward(step) if isinstance(batches, Crew) else _backward(model, batches):
        total += loss
        if not np.isfinite(total):
            raise _divergence(model, f"the loss is {total}", step)
    optimizer.step()
    return total


def _backward(model: GradientModel, batches: Sequence[Batch]) -> Iterator[float]:
    """Adds the gradients of the mean loss, a batch at a time; yields the batch's share of it before its gradient."""
    for batch in batches:
        # The batch's positives are not in `batch.observed`: a target carries no message while it is predicted.
        loss = model.loss(batch) / len(batches)
        yield float(loss.item())
        loss.backward()


def _measure(model: GradientModel, look: ScoreQueries, metric: Metric, targets: Targets, step: int) -> float:
    """The selection metric on validation targets."""
    scores = look(targets.queries)
    if not np.isfinite(scores).all():
        raise _divergence(model, "a score is not a finite number", step)
    return metric.measure(target_scores(targets, scores))


def _divergence(model: GradientModel, what: str, step: int) -> InputError:
    rate = model.training.learning_rate
    return InputError(
        f"{model.id}: {what} at step {step} with learning rate {rate:g}; lower it, as in "
        f"--set training.learning_rate={rate / 10:g}."
    )


class _Clock:
    """Adds the time since its creation to a history."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._start = time.perf_counter()
        self._before = history.seconds

    def tick(self) -> None:
        self._history.seconds = self._before + time.perf_counter() - self._start


def _report(model: GradientModel, data: TrainingData, seed: int, history: History, max_steps: int) -> StepReport:
    return StepReport(
        model=model.id,
        seed=seed,
        step=history.steps,
        max_steps=max_steps,
        loss=history.losses[-1],
        metric=data.selection.title,
        valid=history.valid[-1][1] if history.valid else None,
        best_valid=history.best_valid,
        best_step=history.best_step,
    )
