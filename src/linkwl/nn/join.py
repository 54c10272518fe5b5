"""Sums of products of rows, with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from linkwl import sparse
from linkwl.nn import reference
from linkwl.sparse import Triples


def join(a: Tensor, b: Tensor, triples: Triples) -> Tensor:
    """Gather, multiply, sum: ``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``.

    On the processor, in float32 and float64, the products are never stored, forward or backward: time grows with terms
    times channels, memory with the output. Other devices and types take the plain way of
    :func:`linkwl.nn.reference.join`, which stores them.

    Args:
        a: Rows of the first factor.
        b: Rows of the second factor.
        triples: Which rows meet.

    Shape:
        - a: ``(num_left, channels)``
        - b: ``(num_right, channels)``
        - output: ``(num_out, channels)``

    Raises:
        ValueError: If the factors do not fit each other or the triples.
    """
    for name, x, rows in (("a", a, triples.num_left), ("b", b, triples.num_right)):
        if x.ndim != 2 or len(x) != rows:
            raise ValueError(f"`{name}` must have shape ({rows}, channels), got {tuple(x.shape)}.")
    if a.shape[1] != b.shape[1] or a.dtype != b.dtype or a.device != b.device:
        raise ValueError(
            "`a` and `b` must have the same channels, type and device, "
            f"got {a.shape[1]}, {a.dtype}, {a.device} and {b.shape[1]}, {b.dtype}, {b.device}."
        )
    if a.device.type != "cpu" or a.dtype not in (torch.float32, torch.float64):
        return reference.join(a, b, triples)
    return _contract("out", a, b, triples)


# The sum of y[s] * a[left[k]] * b[right[k]] over all terms is linear in three arrays. Its gradient by one of them is a
# kernel that reads the other two, and the gradients of that kernel are the other kernels.
_OTHERS = {"out": ("left", "right"), "left": ("out", "right"), "right": ("out", "left")}
_KERNELS = {"out": sparse.join, "left": sparse.join_left, "right": sparse.join_right}


def _contract(role: str, x: Tensor, y: Tensor, triples: Triples) -> Tensor:
    return _Contract.apply(role, x, y, triples)  # type: ignore[no-untyped-call]


class _Contract(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, role: str, x: Tensor, y: Tensor, triples: Triples) -> Tensor:
        ctx.save_for_backward(x, y)
        ctx.role, ctx.triples = role, triples
        first, second = (factor.detach().contiguous().numpy() for factor in (x, y))
        return torch.from_numpy(_KERNELS[role](first, second, triples))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[None, Tensor | None, Tensor | None, None]:
        array = dict(zip((ctx.role, *_OTHERS[ctx.role]), (*grad_outputs, *ctx.saved_tensors), strict=True))

        def gradient(role: str, is_needed: bool) -> Tensor | None:
            first, second = _OTHERS[role]
            return _contract(role, array[first], array[second], ctx.triples) if is_needed else None

        grad_x, grad_y = map(gradient, _OTHERS[ctx.role], ctx.needs_input_grad[1:3])
        return None, grad_x, grad_y, None
