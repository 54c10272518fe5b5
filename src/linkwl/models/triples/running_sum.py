"""Adam on the running sum of all gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import torch


class RunningSumAdam(torch.optim.Adam):
    """Adam whose gradient in each step is the sum of the gradients of all steps so far.

    The published training of INDIGO and of the 2-WL models of triples never resets gradients, which amounts to this. It
    is here to repeat those experiments.
    """

    moments: ClassVar[tuple[str, ...]] = ("gradient_sum",)
    """The names of further values that are kept for each weight, all of its shape."""

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Adds the current gradients to the sums, then takes a step along the sums."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                state = self.state[parameter]
                if "gradient_sum" not in state:
                    # Adam starts its own moments if it finds no state at all, so they are started here as well.
                    state["step"] = torch.zeros((), dtype=torch.float32, device=parameter.device)
                    for key in ("exp_avg", "exp_avg_sq", "gradient_sum"):
                        state[key] = torch.zeros_like(parameter)
                state["gradient_sum"].add_(parameter.grad)
                parameter.grad.copy_(state["gradient_sum"])
        return super().step(closure)
