"""Dropout that draws a byte for each number."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

_LEVELS = 256


def dropout(x: Tensor, probability: float, training: bool) -> Tensor:
    """Sets numbers to zero with a probability and scales the others up, in training; else leaves them as they are.

    On the processor it draws one byte for each number, from torch's generator and in less time than torch's own
    dropout: the probability is rounded to a 256th, and the scale with it.
    """
    if not training or probability == 0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, probability)
    below = min(round(probability * _LEVELS), _LEVELS - 1)
    words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    is_kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= below
    return x * is_kept.to(x.dtype).mul_(_LEVELS / (_LEVELS - below))
