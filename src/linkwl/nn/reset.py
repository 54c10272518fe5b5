"""Fresh weights in a module that is made of others."""

from __future__ import annotations

from collections.abc import Callable

from torch import nn


def reset_children(module: nn.Module) -> None:
    """Calls ``reset_parameters`` of every module inside that has one."""
    for child in module.modules():
        reset: Callable[[], None] | None = getattr(child, "reset_parameters", None)
        if child is not module and reset is not None:
            reset()
