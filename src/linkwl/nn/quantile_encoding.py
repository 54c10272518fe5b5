"""Numbers of any distribution as normal scores."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class QuantileEncoding(nn.Module):
    """Standardised values beside their normal scores: where among the values of a sample, as a normal deviate.

    A perceptron hears both differences of size and differences of rank, whatever the units of its inputs.

    Args:
        channels: Number of inputs.
        num_knots: Quantiles that are kept of the sample; values in between are interpolated.

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
        # The middle of equal knots, so that a value which many rows share has the middle of their ranks.
        low = torch.searchsorted(self.knots, columns)
        high = torch.searchsorted(self.knots, columns, right=True)
        inside = (low == high) & (low > 0) & (low < num_knots)
        below = (low - 1).clamp(0, num_knots - 2)
        a, b = self.knots.gather(1, below), self.knots.gather(1, below + 1)
        share = torch.where(inside, (columns - a) / (b - a).clamp(min=1e-12), 0.0)
        place = torch.where(inside, below + share, (low + high - 1) / 2)
        rank = ((place + 0.5) / num_knots).clamp(0.002, 0.998)
        return torch.cat([(x - self.center) / self.spread, torch.special.ndtri(rank).T], dim=1)
