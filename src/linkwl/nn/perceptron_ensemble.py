"""Several perceptrons side by side."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.nn.dropout import dropout


class PerceptronEnsemble(nn.Module):
    """Perceptrons that read the same rows, each with weights of its own: linear map, dropout, ReLU, and a linear map.

    What one of them mistakes for a rule the others do not, so their mean is better than each.

    Args:
        in_channels: Width of the input.
        hidden: Width of every hidden layer.
        members: How many there are.
        layers: Hidden layers of each.
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
        """What every member makes of the rows."""
        members, last = len(self.weights[0]), len(self.weights) - 1
        told = x.expand(members, *x.shape)
        for k, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            told = torch.baddbmm(bias, told, weight)
            if k < last:
                told = dropout(told, self.dropout, self.training).relu_()
        return told
