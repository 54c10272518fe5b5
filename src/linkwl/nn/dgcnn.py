"""DGCNN: graph convolutions, sort pooling and one-dimensional convolutions, for a logit per graph."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.operators import neighbour_sum
from linkwl.nn.sort_pool import SortPool

MIN_LENGTH = 10
"""The smallest length of the sequence of nodes that the convolutions can read."""
_POOLED, _KERNEL, _FILTERS, _MORE_FILTERS = 2, 5, 16, 32


class DGCNNConv(nn.Module):
    r"""Mean over a node and its neighbours, of vectors that were mapped before.

    .. math::
        \mathbf{x}'_v = \tanh\Big(\frac{1}{1 + d_v}
            \Big(\mathbf{x}_v + \sum_{u \in \Gamma(v)} \mathbf{x}_u + \mathbf{b}\Big)\Big)

    The linear map :math:`W` of the published layer is applied to ``x`` by the caller, since the map of one-hot labels
    is a lookup. The bias is divided by the degree as well, as in the public code.

    Reference: Zhang et al., An end-to-end deep learning architecture for graph classification, AAAI, 2018, Eq. (1).

    Args:
        channels: Width of each vector.

    Shape:
        - x: ``(num_nodes, channels)``
        - output: ``(num_nodes, channels)``
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.channels = channels
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """One layer."""
        share = (adjacency.degree + 1).to(x).reciprocal()[:, None]
        return ((neighbour_sum(x, adjacency) + x + self.bias) * share).tanh()

    def extra_repr(self) -> str:
        """The width."""
        return str(self.channels)


class DGCNN(nn.Module):
    """Four layers of :class:`DGCNNConv`, :class:`SortPool` on all their channels, convolutions over the sorted nodes.

    The convolutions are one over the channels of each node, a maximum over two nodes and one over five of what is left.
    Then a hidden layer with dropout gives the logit.

    Reference: Zhang et al., An end-to-end deep learning architecture for graph classification, AAAI, 2018.

    Args:
        channels: Width of the first vectors and of all layers but the last, which has one channel.
        layers: Number of layers, including the last.
        length: Number of nodes that are read; at least :data:`MIN_LENGTH`.
        hidden: Width of the hidden layer.
        dropout: Dropout on the hidden layer.

    Shape:
        - x: ``(num_nodes, channels)``, the first vectors, mapped from the nodes' labels and features
        - node_ptr: ``(num_graphs + 1,)``
        - output: ``(num_graphs,)``
    """

    def __init__(self, channels: int, layers: int, length: int, *, hidden: int = 128, dropout: float = 0.5) -> None:
        super().__init__()
        widths = [channels] * (layers - 1) + [1]
        self.maps = nn.ModuleList(nn.Linear(channels, width, bias=False) for width in widths[1:])
        self.convs = nn.ModuleList(DGCNNConv(width) for width in widths)
        self.pool = SortPool(length)
        self.of_node = nn.Linear(sum(widths), _FILTERS)  # a convolution whose kernel and stride are one node
        self.of_nodes = nn.Conv1d(_FILTERS, _MORE_FILTERS, _KERNEL)
        self.hidden = nn.Linear(_MORE_FILTERS * (length // _POOLED - _KERNEL + 1), hidden)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, 1)
        for linear in self.maps:
            assert isinstance(linear, nn.Linear)
            nn.init.xavier_uniform_(linear.weight)

    def forward(self, x: Tensor, adjacency: Adjacency, node_ptr: Tensor) -> Tensor:
        """One logit per graph."""
        depths = [self.convs[0](x, adjacency)]
        for linear, conv in zip(self.maps, self.convs[1:], strict=True):
            depths.append(conv(linear(depths[-1]), adjacency))
        nodes = self.of_node(self.pool(torch.cat(depths, dim=1), node_ptr)).relu()  # (graphs, length, filters)
        pairs = nodes[:, : nodes.shape[1] // _POOLED * _POOLED].unflatten(1, (-1, _POOLED)).amax(2)
        sequence = self.of_nodes(pairs.transpose(1, 2)).relu()
        logits: Tensor = self.out(self.dropout(self.hidden(sequence.flatten(1)).relu()))
        return logits[:, 0]
