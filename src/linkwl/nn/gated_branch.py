"""What a pair tells before it is summed or multiplied, in a form that sums in closed form."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.pair_features import LabelledPairs
from linkwl.nn.segment_sum import segment_sum


class GatedBranch(nn.Module):
    r"""Linear on all pairs, any function on edges: sums over all nodes then have a closed form.

    A pair :math:`\mathbf{x} = [\mathbf{v} \Vert a \Vert i]` of a product, an edge label and an identity label
    (:class:`LabelledPairs`) tells

    .. math::
        g(\mathbf{x}) = s\, W \mathbf{v} + a \operatorname{softplus}(V \mathbf{v} + \mathbf{b}) + i\, \mathbf{u}

    Edges and other pairs are told apart as freely as by a perceptron, but only edges need to be looked at one by one:
    over all others the sum of :math:`W (\mathbf{h}_p \odot \mathbf{h}_i)` is :math:`W (\mathbf{h}_p \odot \sum_i
    \mathbf{h}_i)`.

    Args:
        node_channels: Width of the product.
        out_channels: Width of what a pair tells.
        local_channels: How many of those, the first ones, only edges speak on: W and u are zero there.
    """

    def __init__(self, node_channels: int, out_channels: int, local_channels: int = 0) -> None:
        super().__init__()
        self.local_channels = local_channels
        self.out_channels = out_channels
        wide_channels = out_channels - local_channels
        self.everywhere = nn.Linear(node_channels, wide_channels, bias=False) if wide_channels else None
        self.edges = nn.Linear(node_channels, out_channels)
        self.identity = nn.Parameter(torch.empty(wide_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights; the identity starts silent."""
        if self.everywhere is not None:
            nn.init.xavier_uniform_(self.everywhere.weight)
        nn.init.xavier_uniform_(self.edges.weight)
        nn.init.zeros_(self.edges.bias)
        nn.init.zeros_(self.identity)

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        """What pairs of any leading shape tell, computed one by one."""
        product, edge, identity = x[..., :-2], x[..., -2:-1], x[..., -1:]
        told = edge * F.softplus(self.edges(product))
        if self.everywhere is None:
            return told
        wide = scale * self.everywhere(product) + identity * self.identity
        return F.pad(wide, (self.local_channels, 0)) + told

    def gate(self, x: LabelledPairs, edges: Tensor) -> Tensor:
        """The edges' own part, weighted, for edges by their place in the adjacency: ``(num_chosen, out_channels)``."""
        product = x.product.at(x.adjacency.ends(edges))
        return F.softplus(self.edges(product)) * x.edge_weight.index_select(0, edges)[:, None]

    def row_sums(self, x: LabelledPairs, scale: float) -> Tensor:
        """The sum of what all pairs (p, i) tell, over i, for every node p: ``(num_nodes, out_channels)``."""
        everyone = torch.arange(x.adjacency.num_entries, device=x.h.device)
        told = segment_sum(self.gate(x, everyone), x.adjacency.rowptr)
        if self.everywhere is None:
            return told
        wide = scale * self.everywhere(x.h * x.h.sum(0)) + self.identity
        return F.pad(wide, (self.local_channels, 0)) + told
