"""Degrees as vectors, smoothly, so that a degree never seen in training still means something."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

_LAST_EXACT = 8


class DegreeEncoding(nn.Module):
    r"""A vector for every degree: interpolated between a few learned ones, plus a linear term in the logarithm.

    .. math::
        \mathbf{e}(d) = (1 - t)\,\mathbf{v}_k + t\,\mathbf{v}_{k+1} + \mathbf{w} \ln(1 + d)

    where :math:`\ln(1 + d)` lies a share :math:`t` of the way between the knots :math:`k` and :math:`k + 1`. There is a
    knot at each of the degrees 0 .. 8 and then two for every doubling, up to three quarters of the largest degree that
    training knows. Targets leave the graph while they are predicted, which lowers degrees, so hubs meet degrees at
    prediction time that no training step has shown; beyond the last knot only the linear term grows. A table with one
    row per degree would be read there for the first time.

    Args:
        channels: Width of the vectors.
        max_degree: The largest degree in the graph to train on.

    Shape:
        - degree: ``(num_nodes,)``
        - output: ``(num_nodes, channels)``
    """

    knots: Tensor

    def __init__(self, channels: int, max_degree: int) -> None:
        super().__init__()
        self.channels = channels
        self.max_degree = max_degree
        self.register_buffer("knots", torch.log1p(torch.tensor(_knots(max_degree))), persistent=False)
        self.table = nn.Parameter(torch.empty(len(self.knots), channels))
        self.slope = nn.Parameter(torch.empty(channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Knots of unit variance; the linear term starts at nothing."""
        nn.init.normal_(self.table)
        nn.init.zeros_(self.slope)

    def forward(self, degree: Tensor) -> Tensor:
        """Encodes degrees of any size, each different one once."""
        distinct, which = degree.unique(return_inverse=True)
        return self._encode(distinct).index_select(0, which)

    def _encode(self, degree: Tensor) -> Tensor:
        place = torch.log1p(degree.to(self.table.dtype))
        knots = self.knots.to(self.table.dtype)
        upper = torch.searchsorted(knots, place).clamp(1, len(knots) - 1)
        lower = upper - 1
        share = ((place - knots[lower]) / (knots[upper] - knots[lower])).clamp(0, 1)[:, None]
        between = torch.lerp(self.table.index_select(0, lower), self.table.index_select(0, upper), share)
        return between + place[:, None] * self.slope

    def extra_repr(self) -> str:
        """The width and the largest degree."""
        return f"{self.channels}, max_degree={self.max_degree}"


def _knots(max_degree: int) -> list[float]:
    """Degrees 0 .. 8, then factors of the square root of two; at least two knots."""
    last = 0.75 * max_degree
    exact = [float(d) for d in range(_LAST_EXACT + 1) if d <= max(last, 1)]
    steps = math.floor(2 * math.log2(last / _LAST_EXACT)) if last > _LAST_EXACT else 0
    return exact + [_LAST_EXACT * 2 ** (k / 2) for k in range(1, steps + 1)]
