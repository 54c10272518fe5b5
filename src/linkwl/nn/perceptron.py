"""The multilayer perceptron of pairs, nodes and readouts."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.dropout import dropout


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
