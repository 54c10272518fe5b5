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
    \mathbf{h}_i)`. The layer chooses the scale s, so that a sum over all nodes does not grow with their number.

    Args:
        node_channels: Width of the product.
        out_channels: Width of what a pair tells.

    Shape:
        - x: ``(..., node_channels + 2)``
        - output: ``(..., out_channels)``
    """

    def __init__(self, node_channels: int, out_channels: int) -> None:
        super().__init__()
        self.out_channels = out_channels
        self.everywhere = nn.Linear(node_channels, out_channels, bias=False)
        self.edges = nn.Linear(node_channels, out_channels)
        self.identity = nn.Parameter(torch.empty(out_channels))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights; the identity starts silent."""
        nn.init.xavier_uniform_(self.everywhere.weight)
        nn.init.xavier_uniform_(self.edges.weight)
        nn.init.zeros_(self.edges.bias)
        nn.init.zeros_(self.identity)

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        """What pairs of any leading shape tell, computed one by one."""
        product, edge, identity = x[..., :-2], x[..., -2:-1], x[..., -1:]
        return scale * self.everywhere(product) + identity * self.identity + edge * F.softplus(self.edges(product))

    def gate(self, x: LabelledPairs, edges: Tensor) -> Tensor:
        """The edges' own part, for edges by their place in the adjacency: ``(num_chosen, out_channels)``."""
        product = x.product.at(x.adjacency.ends(edges))
        return F.softplus(self.edges(product)) * x.edge_weight.index_select(0, edges)[:, None]

    def sums(self, x: LabelledPairs, scale: float) -> tuple[Tensor, Tensor]:
        """What all pairs (v, i) tell, and what all pairs (i, v) tell, summed over i: ``(num_nodes, out_channels)``."""
        everyone = torch.arange(x.adjacency.num_entries, device=x.h.device)
        of_all = scale * self.everywhere(x.h * x.h.sum(0)) + self.identity
        gate = self.gate(x, everyone)
        rows = of_all + segment_sum(gate, x.adjacency.rowptr)
        if x.adjacency.is_symmetric:
            return rows, rows
        turned = x.adjacency.transpose
        edges = x.adjacency.find(turned.pairs.flip(1))
        return rows, of_all + segment_sum(gate.index_select(0, edges), turned.rowptr)
