"""Fresh weights in a module that is made of others."""

from __future__ import annotations

from collections.abc import Callable

from torch import nn


def reset_children(module: nn.Module) -> None:
    """Calls ``reset_parameters`` of every module inside that has one; what is inside of those is theirs to reset."""
    for child in module.children():
        reset: Callable[[], None] | None = getattr(child, "reset_parameters", None)
        if reset is None:
            reset_children(child)
        else:
            reset()
