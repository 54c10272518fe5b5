"""A logit from the evidence about a pair that attributes give."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from linkwl.nn.encodings import QuantileEncoding
from linkwl.nn.pair_features import row_blocks
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.remembered import Remembered


class Evidence:
    """The table of evidence about pairs, as a tensor.

    Args:
        table: A function from pairs of nodes to one row of numbers each.
        remember: Whether to cache the last rows, for one thread that requests the same pairs again.
    """

    def __init__(self, table: Any, *, remember: bool = False) -> None:
        self._table = table
        self._at = Remembered(self._read) if remember else self._read

    def at(self, pairs: Tensor) -> Tensor:
        """One row per pair; float64, on the device of the pairs."""
        return self._at(pairs)

    def _read(self, pairs: Tensor) -> Tensor:
        return torch.from_numpy(self._table(pairs.cpu().numpy())).to(pairs.device)


class EvidenceHead(nn.Module):
    """A perceptron on the values of the evidence and their ranks.

    Args:
        channels: Number of columns of evidence.
        hidden: Width of the perceptron.

    Shape:
        - evidence: ``(num_pairs, channels)``
        - output: ``(num_pairs,)``
    """

    def __init__(self, channels: int, hidden: int = 32) -> None:
        super().__init__()
        self.quantiles = QuantileEncoding(channels)
        self.hidden = Perceptron(2 * channels, hidden, layers=2)
        self.out = nn.Linear(hidden, 1)

    def reset_parameters(self) -> None:
        """Fresh weights."""
        self.hidden.reset_parameters()
        self.out.reset_parameters()

    def fit(self, sample: Tensor) -> None:
        """Takes the distribution of each column from a sample, if it is not empty."""
        if len(sample):
            self.quantiles.fit(sample.to(self.out.weight))

    def forward(self, evidence: Tensor) -> Tensor:
        """The logits."""
        blocks = row_blocks(evidence.to(self.out.weight))
        return torch.cat([self.out(self.hidden(self.quantiles(x)))[:, 0] for (x,) in blocks])
