"""A graph convolution over pairs with the layers after it, as in the published networks of triples."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.norms import GraphNorm, Statistics, dropout
from linkwl.nn.star_conv import Places, hear, star_totals


class BranchSums(NamedTuple):
    """What the members of a graph of pairs leave behind; enough to score any pair."""

    totals: Tensor
    """The sums at every node."""
    statistics: Statistics | None
    """The mean and variance of the members, for :class:`GraphNorm`."""


class StarBranch(nn.Module):
    r"""Symmetric graph convolution over pairs, then GraphNorm, LayerNorm, dropout and ReLU, each if wanted.

    The linear map comes before it. Pairs that are not members of the graph of pairs hear and are not heard, and they
    are normalised by the statistics of the members; see :func:`linkwl.nn.star_conv.hear`.

    Args:
        channels: Width of a pair.
        graph_norm: Whether channels are normalised over the members.
        layer_norm: Whether each pair is normalised over its channels.
        dropout: Dropout after the normalisation.
        activation: Whether there is a ReLU.

    Shape:
        - u: ``(num_pairs, channels)``
        - output: ``(num_pairs, channels)``
    """

    def __init__(self, channels: int, *, graph_norm: bool, layer_norm: bool, dropout: float, activation: bool) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(channels))
        self.norm = GraphNorm(channels) if graph_norm else None
        self.layer_norm, self.dropout, self.activation = layer_norm, dropout, activation

    def observe(self, u: Tensor, members: Places) -> tuple[Tensor, BranchSums]:
        """The members, and what they leave behind."""
        totals = star_totals(u, members, "symmetric")
        heard = hear(totals, u, members, "symmetric") + self.bias
        sums = BranchSums(totals, None if self.norm is None else self.norm.statistics(heard))
        return self._finish(heard, sums.statistics), sums

    def forward(self, u: Tensor, sums: BranchSums, places: Places) -> Tensor:
        """Any pairs."""
        return self._finish(hear(sums.totals, u, places, "symmetric") + self.bias, sums.statistics)

    def _finish(self, x: Tensor, statistics: Statistics | None) -> Tensor:
        if self.norm is not None:
            x = self.norm(x, statistics)
        if self.layer_norm:
            x = F.layer_norm(x, x.shape[-1:])
        x = dropout(x, self.dropout, self.training)
        return x.relu() if self.activation else x
