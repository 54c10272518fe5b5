"""Sums of consecutive rows, with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from linkwl import sparse
from linkwl.nn import reference


def segment_sum(values: Tensor, ptr: Tensor) -> Tensor:
    """Sums of consecutive rows: ``out[s] = sum of values[k] over k in ptr[s] .. ptr[s + 1]``.

    Args:
        values: What is summed.
        ptr: Where the rows of each output start; from 0 to ``num_rows``, int64.

    Shape:
        - values: ``(num_rows, channels)``
        - ptr: ``(num_out + 1,)``
        - output: ``(num_out, channels)``

    Raises:
        ValueError: If `values` does not have two axes, or `ptr` does not ascend from its first row to its last.
    """
    if values.ndim != 2 or ptr.ndim != 1 or not _covers(ptr, len(values)):
        raise ValueError(
            "`values` must have shape (num_rows, channels) and `ptr` ascend from 0 to num_rows, "
            f"got {tuple(values.shape)} and {ptr}."
        )
    if values.device.type != "cpu" or values.dtype not in (torch.float32, torch.float64):
        return reference.segment_sum(values, ptr)
    return _SegmentSum.apply(values, ptr)  # type: ignore[no-untyped-call]


def _covers(ptr: Tensor, num_rows: int) -> bool:
    return len(ptr) > 0 and int(ptr[0]) == 0 and int(ptr[-1]) == num_rows and bool((ptr.diff() >= 0).all())


class _SegmentSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, ptr: Tensor) -> Tensor:
        ctx.save_for_backward(ptr)
        return torch.from_numpy(sparse.segment_sum(values.detach().contiguous().numpy(), ptr.numpy()))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, None]:
        (grad,) = grad_outputs
        (ptr,) = ctx.saved_tensors
        return torch.repeat_interleave(grad, ptr.diff(), dim=0, output_size=int(ptr[-1])), None
