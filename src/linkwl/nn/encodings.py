"""Encodings of degrees, quantiles and walk weights as network inputs."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

_LAST_EXACT = 8  # the largest degree with its own knot
_SMALLEST = 1e-4  # walk weight


class DegreeEncoding(nn.Module):
    r"""A vector for every degree: interpolated between a few learned vectors, plus a linear term in the logarithm.

    .. math::
        \mathbf{e}(d) = (1 - t)\,\mathbf{v}_k + t\,\mathbf{v}_{k+1} + \mathbf{w} \ln(1 + d)

    where :math:`\ln(1 + d)` lies at the fraction :math:`t` between the knots :math:`k` and :math:`k + 1`. There is a
    knot at each of the degrees 0 .. 8 and then two per doubling, up to three quarters of the largest degree in
    training. Targets are removed from the graph while they are predicted, which lowers degrees, so hubs have degrees at
    prediction time that never occur in training; beyond the last knot only the linear term grows. A table with one row
    per degree would have untrained rows there.

    Args:
        channels: Width of the vectors.
        max_degree: The largest degree in the training graph.

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
        """Knots of unit variance; the linear term starts at zero."""
        nn.init.normal_(self.table)
        nn.init.zeros_(self.slope)

    def forward(self, degree: Tensor) -> Tensor:
        """Encodes degrees of any size; each distinct degree is computed once."""
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


class QuantileEncoding(nn.Module):
    """Standardised values beside their normal scores: the rank in a sample, as a normal deviate.

    A perceptron then sees differences of value and of rank, whatever the units of its inputs.

    Args:
        channels: Number of inputs.
        num_knots: Number of stored quantiles of the sample; values in between are interpolated.

    Shape:
        - x: ``(num_rows, channels)``
        - output: ``(num_rows, 2 * channels)``
    """

    knots: Tensor
    center: Tensor
    spread: Tensor

    def __init__(self, channels: int, num_knots: int = 65) -> None:
        super().__init__()
        self.register_buffer("knots", torch.zeros(channels, num_knots))
        self.register_buffer("center", torch.zeros(channels))
        self.register_buffer("spread", torch.ones(channels))

    @torch.no_grad()
    def fit(self, sample: Tensor) -> None:
        """Takes the distribution of each channel from the rows of a sample."""
        num_knots = self.knots.shape[1]
        levels = torch.linspace(0, 1, num_knots, device=sample.device)
        self.knots.copy_(torch.quantile(sample, levels, dim=0).T)
        spread, center = torch.std_mean(sample, dim=0, correction=0)
        self.center.copy_(center)
        self.spread.copy_(torch.where(spread > 0, spread, 1.0))

    def forward(self, x: Tensor) -> Tensor:
        """Encodes rows."""
        num_knots = self.knots.shape[1]
        columns = x.T.contiguous()
        # The middle of equal knots, so that a value shared by many rows gets the middle of their ranks.
        low = torch.searchsorted(self.knots, columns)
        high = torch.searchsorted(self.knots, columns, right=True)
        inside = (low == high) & (low > 0) & (low < num_knots)
        below = (low - 1).clamp(0, num_knots - 2)
        a, b = self.knots.gather(1, below), self.knots.gather(1, below + 1)
        share = torch.where(inside, (columns - a) / (b - a).clamp(min=1e-12), 0.0)
        place = torch.where(inside, below + share, (low + high - 1) / 2)
        rank = ((place + 0.5) / num_knots).clamp(0.002, 0.998)
        return torch.cat([(x - self.center) / self.spread, torch.special.ndtri(rank).T], dim=1)


def log_scale(x: Tensor) -> Tensor:
    """Non-negative weights on a logarithmic scale: 0 stays 0, and 1 becomes about 1.

    Normalised walk weights range over many powers of ten, and the power matters more than the value.
    """
    return (x + _SMALLEST).log().sub(math.log(_SMALLEST)).div(-math.log(_SMALLEST))
