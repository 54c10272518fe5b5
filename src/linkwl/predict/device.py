"""The device that a model is trained on and computes with."""

from __future__ import annotations

import torch

from linkwl.errors import InputError
from linkwl.models import LinkModel
from linkwl.models.gradient import GradientModel


def find_device(name: str | torch.device | None) -> torch.device | None:
    """The device of this name, or None for the default: a graphics card if there is one.

    Raises:
        InputError: If there is no such device.
    """
    if name is None:
        return None
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, TypeError, NotImplementedError) as error:
        raise InputError(
            f"`device` {str(name)!r} is not available here; use 'cpu', or None for the default."
        ) from error
    if device.type == "meta":
        raise InputError("`device` 'meta' computes nothing; use 'cpu', or None for the default.")
    return device


def put_on(model: LinkModel, name: str | torch.device | None) -> None:
    """Moves a network to a device; other models always compute on the processor."""
    device = find_device(name)
    if device is not None and isinstance(model, GradientModel):
        model.to(device)


def device_of(model: LinkModel) -> str:
    """The name of the device that a model computes on."""
    return str(model.device) if isinstance(model, GradientModel) else "cpu"
