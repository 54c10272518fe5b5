"""Perceptrons of pairs, nodes and readouts, single or in an ensemble."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.norms import dropout


class Perceptron(nn.Module):
    """Blocks of linear map, normalisation over channels, dropout and ReLU; each of the last three can be off.

    Args:
        in_channels: Width of the input.
        out_channels: Width of every block.
        layers: Number of blocks.
        norm: Whether each block normalises over channels.
        dropout: Dropout before the ReLU.
        activation: Whether there is a ReLU.

    Shape:
        - x: ``(..., in_channels)``
        - output: ``(..., out_channels)``
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        layers: int = 1,
        norm: bool = False,
        dropout: float = 0.0,
        activation: bool = True,
    ) -> None:
        super().__init__()
        self.out_channels = out_channels
        widths = [in_channels] + [out_channels] * (layers - 1)
        self.linears = nn.ModuleList(nn.Linear(width, out_channels) for width in widths)
        self.norm, self.dropout, self.activation = norm, dropout, activation
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights, no bias."""
        for name, parameter in self.named_parameters():
            if name.endswith("weight"):
                nn.init.xavier_normal_(parameter)
            else:
                nn.init.zeros_(parameter)

    def forward(self, x: Tensor) -> Tensor:
        """Maps vectors of any leading shape."""
        for linear in self.linears:
            x = linear(x)
            if self.norm:
                x = F.layer_norm(x, x.shape[-1:])
            x = dropout(x, self.dropout, self.training)
            if self.activation:
                x = x.relu()
        return x

    def extra_repr(self) -> str:
        """The switches."""
        return f"norm={self.norm}, dropout={self.dropout}, activation={self.activation}"


class PerceptronEnsemble(nn.Module):
    """Perceptrons on the same rows, each with its own weights: linear map, dropout, ReLU, and a linear map.

    Their errors differ, so their mean is better than each member.

    Args:
        in_channels: Width of the input.
        hidden: Width of every hidden layer.
        members: Number of perceptrons.
        layers: Number of hidden layers of each.
        dropout: Dropout before the ReLU, drawn for each member.

    Shape:
        - x: ``(num_rows, in_channels)``
        - output: ``(members, num_rows, 1)``
    """

    def __init__(self, in_channels: int, hidden: int, members: int, *, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = dropout
        widths = [in_channels, *[hidden] * layers, 1]
        shapes = list(zip(widths, widths[1:], strict=False))
        self.weights = nn.ParameterList(torch.empty(members, *shape) for shape in shapes)
        self.biases = nn.ParameterList(torch.empty(members, 1, width) for width in widths[1:])
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights, no bias."""
        for weight in self.weights:
            for member in weight:
                nn.init.xavier_normal_(member)
        for bias in self.biases:
            nn.init.zeros_(bias)

    def forward(self, x: Tensor) -> Tensor:
        """The outputs of every member."""
        members, last = len(self.weights[0]), len(self.weights) - 1
        x = x.expand(members, *x.shape)
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = torch.baddbmm(bias, x, weight)
            if k < last:
                x = dropout(x, self.dropout, self.training).relu_()
        return x


def reset_children(module: nn.Module) -> None:
    """Calls ``reset_parameters`` of the topmost descendants that have it."""
    for child in module.children():
        reset: Callable[[], None] | None = getattr(child, "reset_parameters", None)
        if reset is None:
            reset_children(child)
        else:
            reset()
