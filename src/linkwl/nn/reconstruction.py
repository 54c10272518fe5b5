"""The loss of autoencoders that reconstruct the whole adjacency matrix."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency

BLOCK_ELEMENTS = 1 << 22
"""Number of pairs in a block."""


def reconstruction_loss(z: Tensor, adjacency: Adjacency, *, block_elements: int = BLOCK_ELEMENTS) -> Tensor:
    r"""The cross-entropy of all :math:`n^2` inner products, where links weigh as much as the other pairs.

    .. math::
        \frac{1}{2 (n^2 - e)} \sum_{p, q} \begin{cases}
            w \operatorname{softplus}(-\mathbf{z}_p^\top \mathbf{z}_q) & p = q \text{ or } (p, q) \text{ is an edge} \\
            \operatorname{softplus}(\mathbf{z}_p^\top \mathbf{z}_q) & \text{else}
        \end{cases} \qquad w = \frac{n^2 - e}{e}

    with :math:`e` entries of the adjacency. Blocks of rows are computed one after the other, each with its part of the
    gradient: :math:`O(n^2 c)` time, memory of a block.

    Reference: Kipf and Welling, 2016, arXiv:1611.07308, Section 1; the weights are those of the published code.

    Args:
        z: One vector per node.
        adjacency: Undirected edges, at least one.
        block_elements: Number of pairs in a block.

    Shape:
        - z: ``(num_nodes, channels)``
        - output: a number
    """
    if adjacency.num_entries == 0 or not adjacency.is_symmetric:
        raise ValueError(f"`adjacency` must have edges and be undirected, got {adjacency}.")
    return _Reconstruction.apply(z, adjacency, block_elements)  # type: ignore[no-untyped-call]


class _Reconstruction(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, z: Tensor, adjacency: Adjacency, block_elements: int) -> Tensor:
        n, entries = adjacency.num_nodes, adjacency.num_entries
        weight = (n * n - entries) / entries
        gradient, total = torch.empty_like(z), 0.0
        nodes = torch.arange(n, device=z.device)
        rows_of_links = torch.cat([adjacency.row, nodes])
        columns_of_links, order = torch.cat([adjacency.col, nodes]), torch.argsort(rows_of_links, stable=True)
        rows_of_links, columns_of_links = rows_of_links[order], columns_of_links[order]
        start_of_links = adjacency.rowptr + torch.arange(n + 1, device=z.device)  # one loop per row
        size = max(block_elements // n, 1)
        for start in range(0, n, size):
            stop = min(start + size, n)
            logits = z[start:stop] @ z.T
            links = slice(int(start_of_links[start]), int(start_of_links[stop]))
            row, col = rows_of_links[links] - start, columns_of_links[links]
            of_links = logits[row, col]
            total += float(F.softplus(logits).sum() + (weight * F.softplus(-of_links) - F.softplus(of_links)).sum())
            slope = logits.sigmoid_()
            slope[row, col] = weight * (slope[row, col] - 1)
            gradient[start:stop] = slope @ z  # of each pair's two vectors one
        scale = 1 / (2 * (n * n - entries))
        ctx.save_for_backward(gradient.mul_(2 * scale))
        return z.new_tensor(total * scale)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradients[0] * gradient, None, None
