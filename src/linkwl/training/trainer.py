"""The trainer: a seed, and the options of gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwl.models.history import History, StepReport
from linkwl.protocols import TrainingData

if TYPE_CHECKING:
    from linkwl.models.cost import TrainingPlan
    from linkwl.models.gradient import GradientModel


@dataclass(frozen=True)
class Trainer:
    """Fits models, one process at a time.

    The same seed, machine and number of threads give the same weights to the bit, even if the run was killed and
    resumed.

    Args:
        seed: Seed of the weights, the batches and dropout.
        checkpoint: A file from which a run can be resumed.
        checkpoint_seconds: Time between two writes of that file; it is also written at the end.
        resume: Whether to resume from ``checkpoint``, if that file exists.
        on_plan: Called before the first step, with the expected cost of training.
        on_step: Called after every step.
    """

    seed: int = 0
    checkpoint: Path | None = None
    checkpoint_seconds: float = 20.0
    resume: bool = False
    on_plan: Callable[[TrainingPlan], None] | None = None
    on_step: Callable[[StepReport], None] | None = None

    def __post_init__(self) -> None:
        if self.resume and self.checkpoint is None:
            raise ValueError("`resume` needs `checkpoint`, the file to resume from.")

    def descend(self, model: GradientModel, data: TrainingData) -> History:
        """Trains the weights of a model by gradient descent; see :func:`linkwl.training.loop.descend`."""
        from linkwl.training.loop import descend  # torch takes a second to import, and formulas do not need it

        return descend(model, data, self)
