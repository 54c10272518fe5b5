"""The readout of a pair by the product of its ends and the sum over its common neighbours."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.nn.perceptron import Perceptron, reset_children


class CommonNeighbourReadout(nn.Module):
    r"""One logit per pair, from the product of its ends and the sum of the vectors of its common neighbours.

    .. math::
        s_{pq} = f\big(f_1(\mathbf{h}_p \odot \mathbf{h}_q) + f_2(\textstyle\sum_u w_u \mathbf{h}_u)\big)

    with perceptrons :math:`f, f_1, f_2`. A hidden layer on the concatenation of both inputs is the case of linear
    :math:`f_1` and :math:`f_2`.

    Args:
        channels: Width of a node.
        hidden: Width of the perceptrons.
        layers: Number of hidden layers of the last perceptron.
        norm: Whether the perceptrons normalise over channels.
        dropout: Dropout in the perceptrons.
        is_logarithmic: Whether the sums are read on a logarithmic scale; they grow with the degrees of the ends.

    Shape:
        - product, common: ``(num_pairs, channels)``
        - output: ``(num_pairs,)``
    """

    def __init__(
        self, channels: int, hidden: int, *, layers: int, norm: bool, dropout: float, is_logarithmic: bool
    ) -> None:
        super().__init__()
        self.is_logarithmic = is_logarithmic
        self.of_product, self.of_common = (Perceptron(channels, hidden, norm=norm, dropout=dropout) for _ in range(2))
        self.joint = Perceptron(hidden, hidden, layers=layers, norm=norm, dropout=dropout)
        self.out = nn.Linear(hidden, 1)

    def reset_parameters(self) -> None:
        """Fresh weights."""
        reset_children(self)

    def forward(self, product: Tensor, common: Tensor) -> Tensor:
        """The logits of pairs."""
        if self.is_logarithmic:
            common = torch.sign(common) * torch.log1p(common.abs())
        logits: Tensor = self.out(self.joint(self.of_product(product) + self.of_common(common)))
        return logits.squeeze(-1)
