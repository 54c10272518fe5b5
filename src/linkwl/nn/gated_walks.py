"""2-FWL in closed form: all nodes in the middle, at the cost of the edges."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.join import join
from linkwl.nn.pair_features import LabelledPairs
from linkwl.nn.segment_sum import segment_sum
from linkwl.nn.walk_tensors import walk_tensors


def gated_walks(left: GatedBranch, right: GatedBranch, x: LabelledPairs, targets: Tensor, scale: float = 1.0) -> Tensor:
    r"""Sums over all middle nodes :math:`\sum_i g(\mathbf{x}_{pi}) \odot h(\mathbf{x}_{iq})` at the targets.

    A branch is a linear map of every pair, plus a gate on edges, plus a constant on (v, v). Multiplied out, a term is
    one of four kinds:

    - two edges: the walks p - i - q, joined;
    - an edge and any pair: for the edges at p, :math:`\sum_i \hat{g}_{pi} \odot V (\mathbf{h}_i \odot \mathbf{h}_q)`,
      where the sums of :math:`\hat{g}_{pi} \mathbf{h}_i^\top` belong to p alone; for the edges at q alike;
    - any two pairs: :math:`\mathbf{h}_p^\top (\cdot)\, H^\top H\, (\cdot)\, \mathbf{h}_q`, one small matrix for the
      graph;
    - i is p or q: one term each.

    Time :math:`O(m c^2 + |S| c^3)` and the walks; no sum over nodes is left.

    Args:
        left: The function g.
        right: The function h.
        x: The pairs.
        targets: Where the sums are wanted.
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
    """Terms whose edge is at ``end``, and whose other pair is with the node of vector ``h``."""
    nodes, place = end.unique(return_inverse=True)
    side = x.adjacency if leaving else x.adjacency.transpose
    edges, owner = side.edges_of(nodes)
    middle = side.col.index_select(0, edges)
    if not (leaving or x.adjacency.is_symmetric):
        edges = x.adjacency.find(torch.stack([middle, nodes.index_select(0, owner)], dim=1))
    gate, h_middle = branch.gate(x, edges), x.h.index_select(0, middle)
    ptr = F.pad(side.degree.index_select(0, nodes).cumsum(0), (1, 0))
    # One channel at a time: all at once would hold a matrix for every edge.
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
