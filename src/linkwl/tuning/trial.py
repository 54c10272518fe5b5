"""Runs one trial: a model with some settings, on links that are hidden inside the training links."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import fmean

import torch

from linkwl.errors import LinkwlError
from linkwl.graph import Observed
from linkwl.models import StepReport, create_model
from linkwl.protocols import Protocol
from linkwl.training import evaluate_models
from linkwl.tuning.pruning import is_hopeless
from linkwl.tuning.study import Trial


@dataclass(frozen=True, eq=False)
class TrialWork:
    """What all trials of a study share. The graph has the training links of the first split and no others."""

    known: Observed
    model: str
    protocol: Protocol
    metric: str
    """The metric that selects; several joined by ``+`` select by their mean."""
    threads: int | None = None
    """Number of torch threads; None for all."""
    on_step: Callable[[StepReport], None] | None = None
    """Called after every training step, if the trial runs in this process."""


@dataclass(frozen=True)
class TrialTask:
    """A trial to run."""

    trial: Trial
    seeds: tuple[int, ...]
    """The splits to measure on, in this order."""
    limit: float
    """The CPU seconds that it may take."""
    needed: tuple[float, ...] = ()
    """The means that it needs to continue; see :func:`linkwl.tuning.pruning.thresholds`."""

    def __str__(self) -> str:
        return f"trial {self.trial.number}"


def run_trial(work: TrialWork, task: TrialTask) -> Trial:
    """The trial with its values, or with the reason why it has none.

    Raises:
        Exception: If the default settings fail; other settings that fail are recorded.
    """
    start = time.process_time()
    trial = task.trial

    def watch(report: StepReport) -> None:
        if time.process_time() - start > task.limit:
            raise _OutOfTimeError
        if work.on_step is not None:
            work.on_step(report)

    values: list[float] = []
    stopped, is_pruned = "", False
    try:
        model = create_model(work.model, work.known.task, **trial.settings)
        for seed in task.seeds:
            with _torch_threads(work.threads):
                run = evaluate_models(work.known, [model], work.protocol, [seed], on_step=watch).runs[0]
            values.append(fmean(run.metrics[name] for name in work.metric.split("+")))
            if is_pruned := is_hopeless(values, task.needed):
                count = f"{len(values)} split{'' if len(values) == 1 else 's'}"
                stopped = f"ended after {count}, below the median of earlier trials"
                break
            if time.process_time() - start > task.limit and len(values) < len(task.seeds):
                raise _OutOfTimeError
    except _OutOfTimeError:
        stopped = f"stopped after {task.limit:.0f} CPU seconds"
    except Exception as error:
        if trial.origin == "default":
            raise
        # Recorded, whatever it is: otherwise a study that goes on would draw the same settings again and again.
        stopped = str(error) if isinstance(error, LinkwlError) else f"{type(error).__name__}: {error}"
    return replace(
        trial,
        values=() if stopped else tuple(values),
        cpu_seconds=round(time.process_time() - start, 2),
        stopped=stopped,
        partial=tuple(values) if is_pruned else (),
    )


@contextmanager
def _torch_threads(count: int | None) -> Iterator[None]:
    """Runs a block with a number of torch threads: with another number the bits of a sum may differ."""
    before = torch.get_num_threads()
    if count is not None:
        torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _OutOfTimeError(Exception):
    """A trial takes longer than it may."""
