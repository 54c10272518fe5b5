"""The history of a training run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from linkwl.typing import Keep

Stop = Literal["patience", "max_steps"]


@dataclass
class History:
    """Losses, validations and the end of training; empty for a model that is not trained in steps."""

    losses: list[float] = field(default_factory=list)
    """The loss of every step."""
    valid: list[tuple[int, float]] = field(default_factory=list)
    """Step and value of the selection metric, for every validation."""
    metric: str = ""
    """The selection metric."""
    seconds: float = 0.0
    """Total time, including all parts of a resumed run."""
    stopped: Stop | None = None
    """Why training ended; None if it has not."""
    threads: int = 0
    """Number of torch threads; with another number the bits may differ."""
    device: str = ""
    keep: Keep = "best"
    """Which weights are kept."""
    watched: int = 0
    """Number of queries of each validation, if they are a sample; 0 if all are scored."""

    @property
    def steps(self) -> int:
        """Number of gradient steps."""
        return len(self.losses)

    @property
    def best_step(self) -> int:
        """The step of the kept weights; 0 before the first validation."""
        return self._best[0]

    @property
    def best_valid(self) -> float | None:
        """The selection metric of the kept weights; None before the first validation."""
        return self._best[1]

    @property
    def summary(self) -> dict[str, Any]:
        """The entry about training in a record; empty if there was none."""
        if not self.steps:
            return {}
        return {
            "best_step": self.best_step,
            "stopped": self.stopped,
            "threads": self.threads,
            "device": self.device,
            **({"validated_on": self.watched} if self.watched else {}),
        }

    @property
    def _best(self) -> tuple[int, float | None]:
        looks = self.valid[-1:] if self.keep == "last" else self.valid
        return max(looks, key=lambda look: look[1], default=(0, None))

    def to_json(self) -> dict[str, Any]:
        """The history as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> History:
        """The history from the values of :meth:`to_json`."""
        return cls(**values | {"valid": [(step, value) for step, value in values["valid"]]})


@dataclass(frozen=True)
class StepReport:
    """The state of training after a step, for a progress bar."""

    model: str
    seed: int
    step: int
    max_steps: int
    loss: float
    metric: str
    """The title of the selection metric."""
    valid: float | None
    """The latest value of that metric."""
    best_valid: float | None
    best_step: int

    @property
    def text(self) -> str:
        """Loss and selection metric in a few words."""
        text = f"{self.model}, seed {self.seed}: loss {self.loss:.3f}"
        if self.valid is None or self.best_valid is None:
            return text
        best = f" (best {100 * self.best_valid:.2f} %)" if self.best_valid != self.valid else ""
        return f"{text}, valid {self.metric} {100 * self.valid:.2f} %{best}"
