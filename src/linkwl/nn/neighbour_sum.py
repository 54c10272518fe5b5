"""Sums over neighbours, with gradients.

On the processor this is torch's sum of embedding rows, which reads ahead and so is faster than a sparse product; how
much, `benchmarks/joins.py` tells. Its own gradient takes many times as long as the sum; the same sum over the turned
edges replaces it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from linkwl.nn import reference
from linkwl.nn.adjacency import Adjacency


def neighbour_sum(x: Tensor, adjacency: Adjacency) -> Tensor:
    """Sum over neighbours: ``out[p] = sum of x[q] over q in N(p)``, N(p) being row p.

    Args:
        x: A vector for each node.
        adjacency: The observed edges.

    Shape:
        - x: ``(num_nodes, channels)``
        - output: ``(num_nodes, channels)``

    Raises:
        ValueError: If there is not one row of `x` per node.
    """
    if x.ndim != 2 or len(x) != adjacency.num_nodes:
        raise ValueError(f"`x` must have shape ({adjacency.num_nodes}, channels), got {tuple(x.shape)}.")
    if x.device.type != "cpu" or x.dtype not in (torch.float32, torch.float64):
        return reference.neighbour_sum(x, adjacency)
    return _NeighbourSum.apply(x, adjacency)  # type: ignore[no-untyped-call]


class _NeighbourSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, adjacency: Adjacency) -> Tensor:
        ctx.adjacency = adjacency
        return F.embedding_bag(adjacency.col, x, adjacency.rowptr, mode="sum", include_last_offset=True)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, None]:
        (grad,) = grad_outputs
        return neighbour_sum(grad, ctx.adjacency.transpose), None
