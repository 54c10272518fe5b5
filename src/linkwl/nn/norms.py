"""The layers between a linear map and its ReLU: normalisation and dropout.

Statistics are never taken from the pairs being scored.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F

_EPS = 1e-5
_LEVELS = 256  # of a byte

NormName: TypeAlias = Literal["graph", "layer", "none"]


class Statistics(NamedTuple):
    """The shift and the scale of :class:`GraphNorm`; each of shape ``(channels,)``."""

    mean: Tensor
    variance: Tensor


class GraphNorm(nn.Module):
    r"""Normalises each channel over the rows of one graph.

    .. math::
        \mathbf{o}_i = \mathbf{z}_i - \alpha \odot \sum_j w_j \mathbf{z}_j, \qquad
        \mathbf{z}'_i = \gamma \odot \mathbf{o}_i \Big/ \sqrt{\textstyle\sum_j w_j \mathbf{o}_j^2 + \epsilon} + \beta

    with weights :math:`w` that sum to one, equal by default. The statistics are computed both in training and in
    evaluation. Rows that are scored must not influence each other, so they are normalised by the statistics of other
    rows: ``norm(targets, norm.statistics(observed))``.

    Reference: Cai et al., 2021, arXiv:2009.03294, Section 3.

    Args:
        channels: Width of each row.
        eps: Added to the variance. If rows other than those of the statistics are normalised, differences between them
            grow by at most its inverse root, however similar the rows of the statistics are.

    Shape:
        - z: ``(num_rows, channels)``
        - output: ``(num_rows, channels)``
    """

    def __init__(self, channels: int, eps: float = _EPS) -> None:
        super().__init__()
        self.channels = channels
        self.eps = eps
        self.alpha = nn.Parameter(torch.empty(channels))
        self.gamma = nn.Parameter(torch.empty(channels))
        self.beta = nn.Parameter(torch.empty(channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Full centring, unit scale, zero shift."""
        nn.init.ones_(self.alpha)
        nn.init.ones_(self.gamma)
        nn.init.zeros_(self.beta)

    def statistics(self, z: Tensor, weight: Tensor | None = None) -> Statistics:
        """Mean and variance over the rows of ``z``, each with the given ``weight`` (default: equal weights)."""
        if weight is None:
            weight = z.new_full((len(z),), 1 / max(len(z), 1))
        mean = weight @ z
        return Statistics(mean, weight @ (z - self.alpha * mean).square())

    def forward(self, z: Tensor, statistics: Statistics | None = None) -> Tensor:
        """Normalises by the given statistics, by default those of the rows themselves."""
        mean, variance = self.statistics(z) if statistics is None else statistics
        # One scale and one shift for every row: two passes over it instead of five.
        scale = self.gamma * (variance + self.eps).rsqrt()
        return torch.addcmul(self.beta - self.alpha * mean * scale, z, scale)

    def extra_repr(self) -> str:
        """The width."""
        return f"{self.channels}"


class ColumnNorm(GraphNorm):
    """Normalises each column of a table of pairs over its rows: every pair against all pairs with its second node.

    It needs the whole table, so it is for small graphs; and it treats (p, q) and (q, p) differently.

    Shape:
        - z: ``(num_nodes, num_nodes, channels)``
        - output: ``(num_nodes, num_nodes, channels)``
    """

    def statistics(self, z: Tensor, weight: Tensor | None = None) -> Statistics:
        """Mean and variance of each column, ``(num_nodes, channels)``."""
        mean = z.mean(0)
        return Statistics(mean, (z - self.alpha * mean).square().mean(0))


class LayerNorm(nn.Module):
    """Normalises each row over its channels, without learned parameters.

    It has the interface of :class:`GraphNorm`, but needs no statistics.
    """

    def reset_parameters(self) -> None:
        """Nothing to reset."""

    def statistics(self, z: Tensor, weight: Tensor | None = None) -> None:
        """None: every row is normalised by itself."""

    def forward(self, z: Tensor, statistics: Statistics | None = None) -> Tensor:
        """Normalises every row by itself."""
        return F.layer_norm(z, z.shape[-1:], eps=_EPS)


class NoNorm(nn.Module):
    """Returns rows unchanged; it has the interface of :class:`GraphNorm`."""

    def reset_parameters(self) -> None:
        """Nothing to reset."""

    def statistics(self, z: Tensor, weight: Tensor | None = None) -> None:
        """None: nothing is normalised."""

    def forward(self, z: Tensor, statistics: Statistics | None = None) -> Tensor:
        """The rows."""
        return z


def create_norm(name: NormName, channels: int, eps: float = _EPS) -> GraphNorm | LayerNorm | NoNorm:
    """The normalisation with this name; ``eps`` is for :class:`GraphNorm`."""
    if name == "graph":
        return GraphNorm(channels, eps)
    if name not in ("layer", "none"):
        raise ValueError(f"`norm` must be 'graph', 'layer' or 'none', got {name!r}.")
    return LayerNorm() if name == "layer" else NoNorm()


def dropout(x: Tensor, probability: float, training: bool) -> Tensor:
    """In training, zeroes values with the given probability and scales the others up; else returns them unchanged.

    On the CPU it draws one byte per value from torch's generator, which is faster than torch's own dropout: the
    probability is rounded to a multiple of 1/256, and the scale with it.
    """
    if not training or probability == 0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, probability)
    below = min(round(probability * _LEVELS), _LEVELS - 1)
    words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    is_kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= below
    return x * is_kept.to(x.dtype).mul_(_LEVELS / (_LEVELS - below))
