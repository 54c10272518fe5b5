"""The tensors that the compiled kernels can read."""

from __future__ import annotations

import torch
from torch import Tensor


def has_kernels(x: Tensor) -> bool:
    """Whether the kernels can read a tensor; otherwise plain torch computes the same."""
    return x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64)
