"""The messages of pairs, in a form whose sums over all nodes have a closed form."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.operators import join, segment_sum
from linkwl.nn.pair_features import LabelledPairs
from linkwl.nn.rounds import walk_tensors


class GatedBranch(nn.Module):
    r"""Linear on all pairs, any function on edges: sums over all nodes then have a closed form.

    A pair :math:`\mathbf{x} = [\mathbf{v} \Vert a \Vert i]` of a product, an edge label and an identity label
    (:class:`LabelledPairs`) sends the message

    .. math::
        g(\mathbf{x}) = s\, W \mathbf{v} + a \operatorname{softplus}(V \mathbf{v} + \mathbf{b}) + i\, \mathbf{u}

    Edges and other pairs are distinguished as freely as by a perceptron, but only edges are processed one by one: over
    all others the sum of :math:`W (\mathbf{h}_p \odot \mathbf{h}_i)` is :math:`W (\mathbf{h}_p \odot \sum_i
    \mathbf{h}_i)`. The layer chooses the scale s, so that a sum over all nodes does not grow with their number.

    Args:
        node_channels: Width of the product.
        out_channels: Width of a message.

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
        """Glorot weights; the term of the identity starts at zero."""
        nn.init.xavier_uniform_(self.everywhere.weight)
        nn.init.xavier_uniform_(self.edges.weight)
        nn.init.zeros_(self.edges.bias)
        nn.init.zeros_(self.identity)

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        """The messages of pairs of any leading shape, computed one by one."""
        product, edge, identity = x[..., :-2], x[..., -2:-1], x[..., -1:]
        return scale * self.everywhere(product) + identity * self.identity + edge * F.softplus(self.edges(product))

    def gate(self, x: LabelledPairs, edges: Tensor) -> Tensor:
        """The gate of edges, given by their positions in the adjacency: ``(num_chosen, out_channels)``."""
        product = x.product.at(x.adjacency.ends(edges))
        return F.softplus(self.edges(product)) * x.edge_weight.index_select(0, edges)[:, None]

    def sums(self, x: LabelledPairs, scale: float) -> tuple[Tensor, Tensor]:
        """The messages of all pairs (v, i), and of all pairs (i, v), summed over i: ``(num_nodes, out_channels)``."""
        everyone = torch.arange(x.adjacency.num_entries, device=x.h.device)
        of_all = scale * self.everywhere(x.h * x.h.sum(0)) + self.identity
        gate = self.gate(x, everyone)
        rows = of_all + segment_sum(gate, x.adjacency.rowptr)
        if x.adjacency.is_symmetric:
            return rows, rows
        turned = x.adjacency.transpose
        edges = x.adjacency.find(turned.pairs.flip(1))
        return rows, of_all + segment_sum(gate.index_select(0, edges), turned.rowptr)


def gated_walks(left: GatedBranch, right: GatedBranch, x: LabelledPairs, targets: Tensor, scale: float = 1.0) -> Tensor:
    r"""Sums over all middle nodes :math:`\sum_i g(\mathbf{x}_{pi}) \odot h(\mathbf{x}_{iq})` at the targets.

    A branch is a linear map of every pair, plus a gate on edges, plus a constant on (v, v). Multiplied out, a term is
    one of four kinds:

    - two edges: the walks p - i - q, joined;
    - an edge and any pair: for the edges at p, :math:`\sum_i \hat{g}_{pi} \odot V (\mathbf{h}_i \odot \mathbf{h}_q)`,
      where the sums of :math:`\hat{g}_{pi} \mathbf{h}_i^\top` belong to p alone; likewise for the edges at q;
    - any two pairs: :math:`\mathbf{h}_p^\top (\cdot)\, H^\top H\, (\cdot)\, \mathbf{h}_q`, one small matrix for the
      graph;
    - i is p or q: one term each.

    Time :math:`O(m c^2 + |S| c^3)` plus the walks; no sum over nodes remains.

    Args:
        left: The function g.
        right: The function h.
        x: The pairs.
        targets: The pairs at which to compute the sums.
        scale: The scale s of both branches.

    Shape:
        - targets: ``(num_targets, 2)``
        - output: ``(num_targets, left.out_channels)``
    """
    p, q = targets.T
    h_p, h_q = x.h.index_select(0, p), x.h.index_select(0, q)
    w, v = scale * left.everywhere.weight, scale * right.everywhere.weight  # (channels, node channels)

    two_edges = _two_edges(left, right, x, targets)
    edge_any = _edge_and_any(left, x, p, h_q, v, leaving=True)
    any_edge = _edge_and_any(right, x, q, h_p, w, leaving=False)
    gram = x.h.T @ x.h
    any_any = torch.einsum("sk,ck,ckl,sl->sc", h_p, w, gram * v[:, None], h_q)

    product, is_same = h_p * h_q, (p == q).to(x.h.dtype)[:, None]
    from_p = product @ w.T + _gate_or_zero(left, x, targets)
    to_q = product @ v.T + _gate_or_zero(right, x, targets)
    at_ends = left.identity * to_q + right.identity * from_p + is_same * left.identity * right.identity
    return two_edges + edge_any + any_edge + any_any + at_ends


def _two_edges(left: GatedBranch, right: GatedBranch, x: LabelledPairs, targets: Tensor) -> Tensor:
    plan = walk_tensors(x.adjacency, targets, rounds=1)
    first = left.gate(x, plan.edges.index_select(0, plan.first))
    return join(first, right.gate(x, plan.edges), plan.joins[0]).index_select(0, plan.targets[0])


def _edge_and_any(
    branch: GatedBranch, x: LabelledPairs, end: Tensor, h: Tensor, weight: Tensor, *, leaving: bool
) -> Tensor:
    """Terms with an edge at ``end``; the other pair contains the node with vector ``h``."""
    nodes, place = end.unique(return_inverse=True)
    side = x.adjacency if leaving else x.adjacency.transpose
    edges, owner = side.edges_of(nodes)
    middle = side.col.index_select(0, edges)
    if not (leaving or x.adjacency.is_symmetric):
        edges = x.adjacency.find(torch.stack([middle, nodes.index_select(0, owner)], dim=1))
    gate, h_middle = branch.gate(x, edges), x.h.index_select(0, middle)
    ptr = F.pad(side.degree.index_select(0, nodes).cumsum(0), (1, 0))
    # One channel at a time: all at once would need a matrix per edge.
    channels = [
        (segment_sum(h_middle * gate[:, [c]], ptr).index_select(0, place) * h) @ weight[c] for c in range(len(weight))
    ]
    return torch.stack(channels, dim=1)


def _gate_or_zero(branch: GatedBranch, x: LabelledPairs, targets: Tensor) -> Tensor:
    """The gate of each target that is an edge."""
    if x.adjacency.num_entries == 0:
        return x.h.new_zeros(len(targets), branch.out_channels)
    edge = x.adjacency.find(targets)
    return torch.where(edge[:, None] >= 0, branch.gate(x, edge.clamp(min=0)), 0)
