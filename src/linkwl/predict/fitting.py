"""Models fitted for use, one or several, in a folder that survives a kill or in none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from linkwl.engine import Engine
from linkwl.errors import InputError
from linkwl.graph import Observed
from linkwl.graph.decisions import Decisions
from linkwl.locks import locked
from linkwl.models import LinkModel
from linkwl.models.calibration import Calibration
from linkwl.records import TrainingRecord
from linkwl.storage.model_folder import SavedModel, check_model_folder, checkpoint_file
from linkwl.training import Trainer
from linkwl.training.train import train_for_use, with_accepted


@dataclass(frozen=True)
class Fitting:
    """What the models that are fitted have in common."""

    graph: Observed
    trainer: Trainer
    prior: float | None
    """The share of links among the queries that will be asked, if it is given."""
    source: dict[str, str | None]
    """Where the graph came from, for the records."""
    resume: bool
    """Whether to go on from checkpoints."""
    decisions: Decisions | None = None
    """Decisions about missing links of the graph, to learn from."""


@dataclass(frozen=True)
class FitTask:
    """A model to fit, and where it keeps its checkpoint."""

    model: LinkModel
    checkpoint: Path | None

    def __str__(self) -> str:
        return self.model.id


class _Fitted(NamedTuple):
    """A saved model without its graph, which need not travel between processes."""

    model: LinkModel
    calibration: Calibration
    record: TrainingRecord


def fit_models(
    models: Sequence[LinkModel], fitting: Fitting, folder: Path | None, engine: Engine | None
) -> list[SavedModel]:
    """Fits models, each with a checkpoint of its own in the folder; nothing else is written there.

    Args:
        models: The models; what they have learned before is replaced.
        fitting: What they have in common.
        folder: Where checkpoints are kept, if anywhere.
        engine: Where several models are fitted; in this process if left out, or if the trainer has workers, which need
            the cores.
    """
    tasks = [FitTask(model, _checkpoint(folder, model, models)) for model in models]
    if engine is None or len(tasks) == 1 or fitting.trainer.workers is not None:
        fitted = [_fit(fitting, task) for task in tasks]
    else:
        if not engine.is_inline:  # callbacks stay in this process
            fitting = replace(fitting, trainer=replace(fitting.trainer, on_plan=None, on_step=None))
        fitted = list(engine.map(_fit, tasks, shared=fitting))
    graph = with_accepted(fitting.graph, fitting.decisions)
    return [SavedModel(part.model, graph, part.calibration, part.record) for part in fitted]


def _fit(fitting: Fitting, task: FitTask) -> _Fitted:
    trainer = replace(fitting.trainer, checkpoint=task.checkpoint, resume=fitting.resume)
    model, _, calibration, record = train_for_use(
        task.model,
        fitting.graph,
        trainer,
        prior=fitting.prior,
        source=fitting.source,
        decisions=fitting.decisions,
    )
    return _Fitted(model, calibration, record)


def _checkpoint(folder: Path | None, model: LinkModel, models: Sequence[LinkModel]) -> Path | None:
    if folder is None:
        return None
    return checkpoint_file(folder, None if len(models) == 1 else model.id)


def check_workers(models: Sequence[LinkModel]) -> None:
    """Raises InputError if none of the models is trained by gradient descent, which workers could share."""
    from linkwl.models.gradient import GradientModel

    if not any(isinstance(model, GradientModel) for model in models):
        raise InputError(
            f"workers share the steps of gradient descent, and {models[0].id} is not trained by it; train it without "
            "workers."
        )


@contextmanager
def run_folder(folder: Path | None, *, resume: bool) -> Iterator[None]:
    """Keeps other runs out of the folder of a run, if it has one.

    Raises:
        InputError: If another run is writing to it, or has written to it since it was checked.
    """
    if folder is None:
        yield
        return
    with locked(folder):
        check_model_folder(folder, resume=resume)
        yield
