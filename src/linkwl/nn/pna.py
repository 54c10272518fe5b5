"""Principal neighbourhood aggregation: four statistics of messages, with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from linkwl.nn import reference
from linkwl.nn.kernels import has_kernels
from linkwl.sparse import pna as kernels
from linkwl.sparse.pna import MessageRows


def pna(x: Tensor, boundary: Tensor, rows: MessageRows) -> Tensor:
    """Mean, maximum, minimum and standard deviation over the messages of each row and the one from the boundary.

    On the CPU, in float32 and float64, gathered messages are never stored, forward or backward. Of equal messages the
    first gets the gradient of the maximum and minimum. Other devices and types use
    :func:`linkwl.nn.reference.pna`, which stores them and divides the gradient among equal ones.

    Reference: Corso et al., 2020, arXiv:2004.05718, Section 2.

    Args:
        x: The messages.
        boundary: The message from the boundary, for rows at the source; others get 0.
        rows: Who receives what.

    Shape:
        - x: ``(num_messages, channels)``
        - boundary: ``(channels,)``
        - output: ``(num_rows, 4 * channels)``
    """
    if not has_kernels(x):
        return reference.pna(x, boundary, rows)
    return _PNA.apply(x, boundary, rows)  # type: ignore[no-untyped-call]


class _PNA(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, boundary: Tensor, rows: MessageRows) -> Tensor:
        values, chosen = kernels.aggregate(x.detach().contiguous().numpy(), boundary.detach().numpy(), rows)
        out = torch.from_numpy(values)
        ctx.save_for_backward(x, boundary, out)
        ctx.rows, ctx.chosen = rows, chosen
        return out

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, Tensor, None]:
        x, boundary, out = (tensor.detach().contiguous().numpy() for tensor in ctx.saved_tensors)
        grad = grad_outputs[0].detach().contiguous().numpy()
        grads = kernels.aggregate_gradient(grad, x, boundary, ctx.rows, out, ctx.chosen)
        return torch.from_numpy(grads[0]), torch.from_numpy(grads[1]), None
