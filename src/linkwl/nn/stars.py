"""Sums over the stars of pairs as operators on tensors, with gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from linkwl import sparse
from linkwl.nn.kernels import has_kernels
from linkwl.sparse import Stars
from linkwl.typing import FloatArray


def star_sums(x: Tensor, stars: Stars, scale: Tensor | None = None) -> Tensor:
    """The sum of the pairs of each star: ``out[v] = sum of scale[i] * x[i] over the pairs i with the end v``.

    Args:
        x: One vector per pair.
        stars: The ends of the pairs.
        scale: One constant per pair; by default ones.

    Shape:
        - x: ``(num_pairs, channels)``
        - scale: ``(num_pairs,)``
        - output: ``(num_nodes, channels)``

    Raises:
        ValueError: If there is not one row of `x` per pair.
    """
    if x.ndim != 2 or len(x) != stars.num_pairs:
        raise ValueError(f"`x` must have shape ({stars.num_pairs}, channels), got {tuple(x.shape)}.")
    if not has_kernels(x):
        row, end = _entries(stars, x.device)
        scaled = x if scale is None else x * scale.to(x)[:, None]
        return x.new_zeros(stars.num_nodes, x.shape[1]).index_add(0, end, scaled[row])
    return _StarSums.apply(x, stars, scale)  # type: ignore[no-untyped-call]


def at_stars(t: Tensor, stars: Stars, scale: Tensor | None = None) -> Tensor:
    """The sum of the stars of each pair: ``out[i] = scale[i] * sum of t[v] over the ends v of pair i``.

    Args:
        t: One vector per node.
        stars: The ends of the pairs.
        scale: One constant per pair; by default ones.

    Shape:
        - t: ``(num_nodes, channels)``
        - scale: ``(num_pairs,)``
        - output: ``(num_pairs, channels)``

    Raises:
        ValueError: If there is not one row of `t` per node.
    """
    if t.ndim != 2 or len(t) != stars.num_nodes:
        raise ValueError(f"`t` must have shape ({stars.num_nodes}, channels), got {tuple(t.shape)}.")
    if not has_kernels(t):
        row, end = _entries(stars, t.device)
        sums = t.new_zeros(stars.num_pairs, t.shape[1]).index_add(0, row, t[end])
        return sums if scale is None else sums * scale.to(t)[:, None]
    return _AtStars.apply(t, stars, scale)  # type: ignore[no-untyped-call]


def _entries(stars: Stars, device: torch.device) -> tuple[Tensor, Tensor]:
    """Pair and node of every end."""
    ends = torch.from_numpy(stars.ends).to(device)
    row, column = (ends >= 0).nonzero(as_tuple=True)
    return row, ends[row, column]


def _arrays(x: Tensor, scale: Tensor | None) -> tuple[FloatArray, FloatArray | None]:
    return x.detach().contiguous().numpy(), None if scale is None else scale.to(x.dtype).numpy()


class _StarSums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, stars: Stars, scale: Tensor | None) -> Tensor:
        ctx.stars, ctx.scale = stars, scale
        values, factor = _arrays(x, scale)
        return torch.from_numpy(sparse.star_sums(values, stars, factor))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, None, None]:
        return at_stars(grad_outputs[0], ctx.stars, ctx.scale), None, None


class _AtStars(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, t: Tensor, stars: Stars, scale: Tensor | None) -> Tensor:
        ctx.stars, ctx.scale = stars, scale
        values, factor = _arrays(t, scale)
        return torch.from_numpy(sparse.at_stars(values, stars, factor))

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, None, None]:
        return star_sums(grad_outputs[0], ctx.stars, ctx.scale), None, None
