"""Early stopping: which weights to keep, and when to stop."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from linkwl.typing import Keep


class EarlyStopping:
    """Keeps the weights that are best on validation targets (ties go to the first), or always the last.

    Args:
        patience: Steps without improvement before stopping, if the best weights are kept.
        keep: Which weights to keep.
    """

    def __init__(self, patience: int, keep: Keep = "best") -> None:
        self.patience = patience
        self.keep = keep
        self.best_step = 0
        self.best_value: float | None = None
        self.best_weights: dict[str, Tensor] = {}

    def update(self, step: int, value: float, weights: Mapping[str, Tensor]) -> None:
        """Records the value of ``weights`` after ``step`` steps; copies the weights if they are to be kept."""
        if self.keep == "last" or self.best_value is None or value > self.best_value:
            self.best_step, self.best_value = step, value
            self.best_weights = {name: weight.detach().clone() for name, weight in weights.items()}

    def should_stop(self, step: int) -> bool:
        """Whether the best weights are ``patience`` steps old; never if the last are kept."""
        return self.keep == "best" and step - self.best_step >= self.patience

    def restore_best(self, network: nn.Module) -> None:
        """Loads the kept weights into the network, if there are any."""
        if self.best_weights:
            network.load_state_dict(self.best_weights)
