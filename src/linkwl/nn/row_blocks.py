"""Rows a few at a time."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

ROWS = 1 << 10
"""So many that what is made of them stays in the processor's cache."""


def row_blocks(*tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """The rows of several tensors of the same length, a block at a time; all at once where a gradient is wanted.

    For what is done with each row by itself: large intermediate results take longer to write and read back than to
    work out. A gradient needs them anyway.
    """
    size = max(len(tensors[0]), 1) if torch.is_grad_enabled() else ROWS
    return zip(*(tensor.split(size) for tensor in tensors), strict=True)
