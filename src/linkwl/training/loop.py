"""The training loop: a page of plain PyTorch that is given only what it may see."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.metrics import auc
from linkwl.models.cost import Plan
from linkwl.models.learned import LearnedModel, seeded
from linkwl.splits import Fold
from linkwl.training.batches import Batch, BatchStream
from linkwl.training.checkpoint import Checkpoint, TrainingState, fingerprint
from linkwl.training.determinism import deterministic
from linkwl.training.early_stopping import EarlyStopping
from linkwl.training.history import History, StepReport
from linkwl.training.interrupt import deferred_interrupt
from linkwl.training.loss import batch_loss
from linkwl.training.weight_average import WeightAverage


def fit(
    model: LearnedModel,
    train: Fold,
    valid: Fold,
    reserved: Graph,
    *,
    seed: int,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 20.0,
    resume: bool = False,
    on_plan: Callable[[Plan], None] | None = None,
    on_step: Callable[[StepReport], None] | None = None,
) -> History:
    """Trains ``model`` from fresh weights and leaves it with those that were best on validation targets, or the last.

    Each step takes some train edges out of the observed graph, draws as many pairs that are no edges, and lowers the
    loss of telling them apart (:func:`linkwl.training.loss.batch_loss`) by one step of Adam. A running mean of the
    weights is what is looked at and kept. The same seed, machine and number of threads give the same weights to the
    bit, also if the run was killed on the way; resumed, it takes as many threads as before. Torch's global state is
    left as it was. On Ctrl-C the step is finished, the checkpoint written if there is one, and KeyboardInterrupt
    raised; the model has the weights kept so far.

    Args:
        model: The model; weights that it has are replaced.
        train: The train fold.
        valid: The validation fold, which may choose among the weights and never trains them.
        reserved: Pairs that no training negative may be; see :attr:`linkwl.splits.Split.reserved`.
        seed: Of the weights, the batches and dropout.
        checkpoint: A file from which the run can be resumed.
        checkpoint_seconds: Time between two writes of that file; it is also written at the end.
        resume: Whether to go on from ``checkpoint``, if that file is there.
        on_plan: Called before the first step, with what training is expected to take.
        on_step: Called after every step.

    Raises:
        InputError: If the loss is no longer a number, or the checkpoint is not one of this run.
        SplitError: If there are no edges to train on, or too few pairs that are none.
        MemoryLimitError: If a step is expected to take more memory than there is.
    """
    if resume and checkpoint is None:
        raise ValueError("`resume` needs `checkpoint`, the file to go on from.")
    config = model.training
    plan = model.plan(train.observed)
    plan.check()
    seeds = [int(s) for s in np.random.SeedSequence(seed).generate_state(3)]  # weights, batches, dropout
    batches = BatchStream(train, reserved, config, seeds[1])
    model.start(train.observed, seeds[0])
    network = model.trained
    state = TrainingState(
        network=network,
        optimizer=model.make_optimizer(),
        batches=batches,
        average=WeightAverage(network, config.average),
        stopping=EarlyStopping(config.patience, config.keep),
        history=History(keep=config.keep),
    )
    keeper = None
    if checkpoint is not None:
        keeper = Checkpoint(checkpoint, fingerprint(model, train, valid, reserved, seed), checkpoint_seconds)
    few = model.threads_for(train.observed, model.num_targets(train.observed))
    with seeded(seeds[2]), deterministic(), few, deferred_interrupt() as interrupt:
        if keeper is not None and resume and keeper.path.exists():
            keeper.restore(state)
        if on_plan is not None:
            on_plan(plan)
        history, stopping = state.history, state.stopping
        # A resumed run goes on with as many threads as it began with: sums in another order have other bits.
        history.threads, history.device = history.threads or torch.get_num_threads(), str(model.device)
        torch.set_num_threads(history.threads)
        clock = _Clock(history)
        try:
            while history.stopped is None:
                step_batches = list(islice(batches, config.batches_per_step))
                history.losses.append(_take_step(model, state.optimizer, step_batches, history.steps + 1))
                step = history.steps
                state.average.update(step)
                if step % config.evaluate_every == 0 or step == config.max_steps:
                    with state.average.in_place():
                        history.valid_auc.append((step, _valid_auc(model, valid, step)))
                        stopping.update(*history.valid_auc[-1], network.state_dict())
                    if stopping.should_stop(step):
                        history.stopped = "patience"
                if step == config.max_steps:
                    history.stopped = "max_steps"
                clock.tick()
                if on_step is not None:
                    on_step(_report(model, seed, history))
                if keeper is not None and (history.stopped is not None or interrupt.is_requested or keeper.is_due):
                    keeper.save(state)
                if interrupt.is_requested and history.stopped is None:
                    raise KeyboardInterrupt
        finally:
            stopping.restore_best(network)
            network.eval()
    return history


def _take_step(model: LearnedModel, optimizer: torch.optim.Optimizer, batches: Sequence[Batch], step: int) -> float:
    """One step of the optimiser on the mean loss of some batches; that loss before it."""
    model.trained.train()
    optimizer.zero_grad()
    total = 0.0
    for batch in batches:
        # The batch's own edges are not in `batch.observed`: a target carries no message while it is predicted.
        loss = batch_loss(model.logits(batch.observed, batch.pairs), batch) / len(batches)
        total += float(loss.item())
        if not np.isfinite(total):
            raise _divergence(model, f"the loss is {total}", step)
        loss.backward()
    optimizer.step()
    return total


def _valid_auc(model: LearnedModel, valid: Fold, step: int) -> float:
    scores = model(valid.observed, np.concatenate([valid.positives, valid.negatives]))
    if not np.isfinite(scores).all():
        raise _divergence(model, "a score is not a finite number", step)
    return auc(*np.split(scores, [len(valid.positives)]))


def _divergence(model: LearnedModel, what: str, step: int) -> InputError:
    rate = model.training.learning_rate
    return InputError(
        f"{model.id}: {what} at step {step} with learning rate {rate:g}; lower it, as in "
        f"--set training.learning_rate={rate / 10:g}."
    )


class _Clock:
    """Adds the time since it was made to a history."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._start = time.perf_counter()
        self._before = history.seconds

    def tick(self) -> None:
        self._history.seconds = self._before + time.perf_counter() - self._start


def _report(model: LearnedModel, seed: int, history: History) -> StepReport:
    return StepReport(
        model=model.id,
        seed=seed,
        step=history.steps,
        max_steps=model.training.max_steps,
        loss=history.losses[-1],
        valid_auc=history.valid_auc[-1][1] if history.valid_auc else None,
        best_auc=history.best_auc,
        best_step=history.best_step,
    )
