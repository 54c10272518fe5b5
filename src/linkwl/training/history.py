"""What happened in training, step by step."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from linkwl.typing import Keep

Stop = Literal["patience", "max_steps"]


@dataclass
class History:
    """Losses, validation AUC and how training ended."""

    losses: list[float] = field(default_factory=list)
    """The loss of every step."""
    valid_auc: list[tuple[int, float]] = field(default_factory=list)
    """Step and validation AUC of every look at the validation targets."""
    seconds: float = 0.0
    """Time spent, over all parts of a run that was resumed."""
    stopped: Stop | None = None
    """Why training ended; None while it has not."""
    threads: int = 0
    """Threads that torch had: with another number the bits may differ."""
    device: str = ""
    keep: Keep = "best"
    """Which weights are kept."""

    @property
    def steps(self) -> int:
        """Gradient steps taken."""
        return len(self.losses)

    @property
    def best_step(self) -> int:
        """The step whose weights are kept; 0 before any look at validation targets."""
        return self._best[0]

    @property
    def best_auc(self) -> float | None:
        """The validation AUC of the weights that are kept; None before any look."""
        return self._best[1]

    @property
    def summary(self) -> dict[str, Any]:
        """What a record says of training."""
        return {
            "best_step": self.best_step,
            "stopped": self.stopped,
            "threads": self.threads,
            "device": self.device,
        }

    @property
    def _best(self) -> tuple[int, float | None]:
        looks = self.valid_auc[-1:] if self.keep == "last" else self.valid_auc
        return max(looks, key=lambda look: look[1], default=(0, None))

    def to_json(self) -> dict[str, Any]:
        """The history as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> History:
        """The history in the values of :meth:`to_json`."""
        return cls(**values | {"valid_auc": [(step, auc) for step, auc in values["valid_auc"]]})


@dataclass(frozen=True)
class StepReport:
    """What a progress bar shows after a step."""

    model: str
    seed: int
    step: int
    max_steps: int
    loss: float
    valid_auc: float | None
    """The latest one."""
    best_auc: float | None
    best_step: int
