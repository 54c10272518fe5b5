"""The kernels of :mod:`linkwl.sparse` as operators on tensors, with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from linkwl import sparse
from linkwl.nn import reference
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.kernels import has_kernels
from linkwl.sparse import Triples


def join(a: Tensor, b: Tensor, triples: Triples) -> Tensor:
    """Gather, multiply, sum: ``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``.

    On the CPU, in float32 and float64, the products are never stored, forward or backward: time grows with terms times
    channels, memory with the output. Other devices and types use :func:`linkwl.nn.reference.join`, which stores them.

    Args:
        a: Rows of the first factor.
        b: Rows of the second factor.
        triples: Which rows are multiplied.

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
    if not has_kernels(a):
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


def neighbour_sum(x: Tensor, adjacency: Adjacency) -> Tensor:
    """Sum over neighbours: ``out[p] = sum of x[q] over q in N(p)``, where N(p) is row p.

    If the edges have weights, each term has the weight of (p, q) as a factor.

    On the CPU this is torch's sum of embedding rows, which prefetches and so is faster than a sparse product;
    `benchmarks/joins.py` measures by how much. Torch's gradient takes many times as long as the sum, so it is replaced
    by the same sum over the reversed edges.

    Args:
        x: One vector per node.
        adjacency: The observed edges.

    Shape:
        - x: ``(num_nodes, channels)``
        - output: ``(num_nodes, channels)``

    Raises:
        ValueError: If there is not one row of `x` per node.
    """
    if x.ndim != 2 or len(x) != adjacency.num_nodes:
        raise ValueError(f"`x` must have shape ({adjacency.num_nodes}, channels), got {tuple(x.shape)}.")
    if not has_kernels(x):
        return reference.neighbour_sum(x, adjacency)
    return _NeighbourSum.apply(x, adjacency)  # type: ignore[no-untyped-call]


class _NeighbourSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, adjacency: Adjacency) -> Tensor:
        ctx.adjacency = adjacency
        weight = None if adjacency.weight is None else adjacency.weight.to(x.dtype)
        return F.embedding_bag(
            adjacency.col, x, adjacency.rowptr, mode="sum", include_last_offset=True, per_sample_weights=weight
        )

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, None]:
        (grad,) = grad_outputs
        return neighbour_sum(grad, ctx.adjacency.transpose), None


def segment_sum(values: Tensor, ptr: Tensor) -> Tensor:
    """Sums of consecutive rows: ``out[s] = sum of values[k] over k in ptr[s] .. ptr[s + 1]``.

    Args:
        values: The rows to sum.
        ptr: The start of the rows of each output; from 0 to ``num_rows``, int64.

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
    if not has_kernels(values):
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
