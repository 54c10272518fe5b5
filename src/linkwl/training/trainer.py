"""The trainer: a seed, and the options of gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwl.engine import Engine
from linkwl.models.history import History, StepReport
from linkwl.protocols import TrainingData

if TYPE_CHECKING:
    from linkwl.models.cost import TrainingPlan
    from linkwl.models.gradient import GradientModel


@dataclass(frozen=True)
class Trainer:
    """Fits models, in this process or with several workers.

    The same seed, machine and number of threads give the same weights to the bit, even if the run was killed and
    resumed. With workers, the weights do not depend on their number: each computes the gradients of some batches of a
    step with one thread. Their dropout differs from that without workers.

    Args:
        seed: Seed of the weights, the batches and dropout.
        checkpoint: A file from which a run can be resumed.
        checkpoint_seconds: Time between two writes of that file; it is also written at the end.
        resume: Whether to resume from ``checkpoint``, if that file exists.
        on_plan: Called before the first step, with the expected cost of training.
        on_step: Called after every step.
        workers: Number of workers that share the batches of a step; at most ``training.batches_per_step``. By default
            this process does all the work.
        engine: The engine that runs the workers: actors of Ray, or by default processes of this machine.

    Example:
        >>> import linkwl
        >>> from linkwl.protocols import PAPER, TrainingData
        >>> split = PAPER.apply(linkwl.load_dataset("airports"), seed=0)
        >>> model = linkwl.create_model("local-2wl", training={"max_steps": 2})
        >>> model.fit(TrainingData.of(split, PAPER), linkwl.Trainer(seed=0)).steps
        2
    """

    seed: int = 0
    checkpoint: Path | None = None
    checkpoint_seconds: float = 20.0
    resume: bool = False
    on_plan: Callable[[TrainingPlan], None] | None = None
    on_step: Callable[[StepReport], None] | None = None
    workers: int | None = None
    engine: Engine | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"`workers` must be at least 1, got {self.workers}.")
        if self.resume and self.checkpoint is None:
            raise ValueError("`resume` needs `checkpoint`, the file to resume from.")

    def descend(self, model: GradientModel, data: TrainingData) -> History:
        """Trains the weights of a model by gradient descent; see :func:`linkwl.training.loop.descend`."""
        from linkwl.training.loop import descend  # torch takes a second to import, and formulas do not need it

        return descend(model, data, self)
