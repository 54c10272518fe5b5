"""Convolutions on nodes: what a node hears from its neighbours before pairs are formed."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.neighbour_sum import neighbour_sum


def gcn_sum(x: Tensor, adjacency: Adjacency) -> Tensor:
    r"""Symmetrically normalised sum over neighbours and the node itself: :math:`\hat{A} x`.

    :math:`\hat{A} = D^{-1/2} (A + I) D^{-1/2}`, with :math:`D` counting the loop. In a directed graph a node hears from
    the sources of its incoming edges.
    """
    scale = (adjacency.transpose.degree + 1).to(x.dtype).rsqrt()[:, None]
    scaled = x * scale
    return (neighbour_sum(scaled, adjacency.transpose) + scaled) * scale


class GCNConv(nn.Module):
    r"""Graph convolution: :math:`\mathbf{x}'_v = \mathbf{b} + W \sum_u \hat{A}_{vu} \mathbf{x}_u`, see :func:`gcn_sum`.

    Reference: Kipf and Welling, 2017, arXiv:1609.02907, Eq. (2).

    Args:
        in_channels: Width of each node's input.
        out_channels: Width of each node's output.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_channels, out_channels)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights, no bias."""
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Convolves; the sum is taken where it is narrower."""
        if self.linear.out_features < self.linear.in_features:
            return gcn_sum(x @ self.linear.weight.T, adjacency) + self.linear.bias
        return self.linear(gcn_sum(x, adjacency))


class SAGEConv(nn.Module):
    r"""GraphSAGE with means: :math:`\mathbf{x}'_v = W_1 \operatorname{mean}_{u \in N(v)} \mathbf{x}_u + W_2 \mathbf{x}_v + \mathbf{b}`.

    The mean over no neighbours is zero.

    Reference: Hamilton et al., 2017, arXiv:1706.02216, Section 3.

    Args:
        in_channels: Width of each node's input.
        out_channels: Width of each node's output.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """  # noqa: E501

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.neighbours = nn.Linear(in_channels, out_channels, bias=False)
        self.own = nn.Linear(in_channels, out_channels)

    def reset_parameters(self) -> None:
        """The defaults of torch's linear layers."""
        self.neighbours.reset_parameters()
        self.own.reset_parameters()

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Convolves over incoming edges, which are all edges of an undirected graph."""
        incoming = adjacency.transpose
        mean = neighbour_sum(x, incoming) / incoming.degree.clamp(min=1).to(x.dtype)[:, None]
        return self.neighbours(mean) + self.own(x)


class APPNP(nn.Module):
    r"""Personalised propagation: :math:`\mathbf{x}^{k+1} = (1 - \alpha) \hat{A} \mathbf{x}^k + \alpha \mathbf{x}^0`.

    It has no weights; see :func:`gcn_sum` for :math:`\hat{A}`.

    Reference: Gasteiger et al., 2019, arXiv:1810.05997, Eq. (4).

    Args:
        steps: How often to propagate.
        alpha: Share of the input kept at each step.

    Shape:
        - x: ``(num_nodes, channels)``
        - output: ``(num_nodes, channels)``
    """

    def __init__(self, steps: int, alpha: float) -> None:
        super().__init__()
        self.steps = steps
        self.alpha = alpha

    def reset_parameters(self) -> None:
        """Nothing to reset."""

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Propagates."""
        return self.steps_from(x, adjacency)[-1] if self.steps else x

    def steps_from(self, x: Tensor, adjacency: Adjacency) -> list[Tensor]:
        """The vectors after every step."""
        out = [x]
        for _ in range(self.steps):
            out.append(torch.lerp(gcn_sum(out[-1], adjacency), x, self.alpha))
        return out[1:]

    def extra_repr(self) -> str:
        """Steps and share."""
        return f"steps={self.steps}, alpha={self.alpha}"
