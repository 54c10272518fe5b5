"""A running mean of the weights, which varies less than the weights themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class WeightAverage:
    r"""Exponential moving average of a network's weights.

    After step t it is :math:`\bar{w} \leftarrow w + \beta_t (\bar{w} - w)` with :math:`\beta_t = \min(\beta, (1 + t) /
    (10 + t))`, so that the influence of the first steps fades quickly.

    Args:
        network: The network that is trained.
        decay: The limit :math:`\beta`; 0 for the current weights.
    """

    def __init__(self, network: nn.Module, decay: float) -> None:
        self.decay = decay
        self._parameters = dict(network.named_parameters())
        self.weights: dict[str, Tensor] = {name: p.detach().clone() for name, p in self._parameters.items()}
        """The average of every weight, by name."""

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Updates the average with the weights after ``step`` steps."""
        share = 1 - min(self.decay, (1 + step) / (10 + step))
        for name, parameter in self._parameters.items():
            self.weights[name].lerp_(parameter, share)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Swaps the averages into the network for a block."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def _swap(self) -> None:
        for name, parameter in self._parameters.items():
            parameter.data, self.weights[name] = self.weights[name], parameter.data
