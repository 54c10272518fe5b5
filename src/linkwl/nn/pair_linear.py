"""A linear map of the two ends of a pair, side by side."""

from __future__ import annotations

from torch import Tensor, nn


class PairLinear(nn.Module):
    r"""Linear map of concatenated ends: :math:`W [\mathbf{h}_p \Vert \mathbf{h}_q] + \mathbf{b}`.

    Each half of W is applied once per node, not once per pair, unless there are few pairs.

    Args:
        node_channels: Width of a node's vector.
        out_channels: Width of the result.

    Shape:
        - h: ``(num_nodes, node_channels)``
        - pairs: ``(num_pairs, 2)``
        - output: ``(num_pairs, out_channels)``
    """

    def __init__(self, node_channels: int, out_channels: int) -> None:
        super().__init__()
        self.first = nn.Linear(node_channels, out_channels)
        self.second = nn.Linear(node_channels, out_channels, bias=False)

    def reset_parameters(self) -> None:
        """The defaults of torch's linear layers."""
        self.first.reset_parameters()
        self.second.reset_parameters()

    def forward(self, h: Tensor, pairs: Tensor) -> Tensor:
        """Maps the pairs."""
        p, q = pairs.T
        if 2 * len(pairs) < len(h):
            return self.first(h.index_select(0, p)) + self.second(h.index_select(0, q))
        return self.first(h).index_select(0, p) + self.second(h).index_select(0, q)
