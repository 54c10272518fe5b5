"""Which weights are kept, and when to stop hoping for better ones."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from linkwl.typing import Keep


class EarlyStopping:
    """Keeps the weights of the best validation AUC, the first of several equal ones; or always the last.

    Args:
        patience: Steps without a better AUC after which to stop, where the best are kept.
        keep: Which weights.
    """

    def __init__(self, patience: int, keep: Keep = "best") -> None:
        self.patience = patience
        self.keep = keep
        self.best_step = 0
        self.best_auc: float | None = None
        self.best_weights: dict[str, Tensor] = {}

    def update(self, step: int, auc: float, weights: Mapping[str, Tensor]) -> None:
        """Looks at the AUC of ``weights`` after ``step`` steps; a copy is kept if it is to be."""
        if self.keep == "last" or self.best_auc is None or auc > self.best_auc:
            self.best_step, self.best_auc = step, auc
            self.best_weights = {name: weight.detach().clone() for name, weight in weights.items()}

    def should_stop(self, step: int) -> bool:
        """Whether the best weights are ``patience`` steps old; never if the last are kept."""
        return self.keep == "best" and step - self.best_step >= self.patience

    def restore_best(self, network: nn.Module) -> None:
        """Gives the network the weights that were kept; it stays as it is if none were looked at."""
        if self.best_weights:
            network.load_state_dict(self.best_weights)
