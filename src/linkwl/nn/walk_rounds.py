"""Rounds of local 2-FWL on the pairs that are asked for."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.dropout import dropout
from linkwl.nn.edge_weight import edge_weight
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.norms import NormName
from linkwl.nn.pair_linear import PairLinear
from linkwl.nn.reset import reset_children
from linkwl.nn.walk_tensors import walk_tensors
from linkwl.sparse import Triples


class WalkRounds(nn.Module):
    r"""Walks of observed edges between two nodes, one edge longer with every round.

    .. math::
        \mathbf{x}^0_{pr} = \mathbf{m}^0_{pr}, \qquad
        \mathbf{x}^t_{pq} = \operatorname{ReLU}\Big(W^t \Big[\sum_r \mathbf{x}^{t-1}_{pr} \odot \mathbf{m}^t_{rq}
        \Big\Vert A_{pq}\Big]\Big), \qquad
        \mathbf{m}^t_{rq} = \frac{\phi(W^t_m [\mathbf{h}_r \Vert \mathbf{h}_q])}{\sqrt{d_r d_q}}

    over edges (p, r) and (r, q), with :math:`A_{pq} = 1 / \sqrt{d_p d_q}` for edges and 0 for other pairs; see
    :class:`LocalTwoFWLConv`. The factors :math:`\mathbf{m}` are positive, learned from both ends of an edge and divided
    by the root of their degrees, so that a walk through a hub counts for little.

    Args:
        node_channels: Width of a node's vector.
        channels: Width of the walks.
        rounds: Number of rounds.
        dropout: Dropout on the factors.
        normalise: Whether factors and the labels A are divided by degrees; else an edge's label is 1.
        factor: The function phi, ``softplus`` or ``relu``.
        bias: Whether the updates have one.
        norm: Normalisation of the updates.
        update_dropout: Dropout in the updates.

    Shape:
        - h: ``(num_nodes, node_channels)``
        - pairs: ``(num_pairs, 2)``, ordered
        - output: for every round, ``(num_pairs, channels)``
    """

    def __init__(
        self,
        node_channels: int,
        channels: int,
        rounds: int,
        *,
        dropout: float = 0.0,
        normalise: bool = True,
        factor: Literal["softplus", "relu"] = "softplus",
        bias: bool = False,
        norm: NormName = "none",
        update_dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.rounds, self.dropout, self.normalise, self.factor, self.bias = rounds, dropout, normalise, factor, bias
        self.factors = nn.ModuleList(PairLinear(node_channels, channels) for _ in range(rounds + 1))
        self.convs = nn.ModuleList(
            LocalTwoFWLConv(channels, channels, bias=bias, norm=norm, dropout=update_dropout) for _ in range(rounds)
        )

    def reset_parameters(self) -> None:
        """Fresh weights in all layers."""
        reset_children(self)

    def forward(self, h: Tensor, adjacency: Adjacency, pairs: Tensor) -> list[Tensor]:
        """What every round tells of the pairs."""
        plan = walk_tensors(adjacency, pairs, self.rounds)
        ends = adjacency.ends(plan.edges)
        weight = edge_weight(adjacency, ends, h.dtype) if self.normalise else h.new_ones(len(ends))
        first, *later = (self._weighted(factor(h, ends), weight) for factor in self.factors)
        labels = F.pad(weight, (0, 1))  # the last one is for -1, no edge
        x, heard = first.index_select(0, plan.first), []
        for conv, factor, triples, adjacent, targets in zip(
            self.convs, later, plan.joins, plan.adjacent, plan.targets, strict=True
        ):
            x = conv(x, factor, triples, labels[adjacent][:, None])
            told = x.index_select(0, targets)
            # Only targets can be out of reach, and then they are in no term of the next round.
            heard.append(told * _is_reached(triples, adjacent, targets)[:, None] if self.bias else told)
        return heard

    def _weighted(self, told: Tensor, weight: Tensor) -> Tensor:
        told = dropout(told, self.dropout, self.training)
        return (F.softplus(told) if self.factor == "softplus" else told.relu()) * weight[:, None]


def _is_reached(triples: Triples, adjacent: Tensor, pairs: Tensor) -> Tensor:
    """Whether a walk or an edge leads from the first node of a pair to its second."""
    ptr = torch.from_numpy(triples.ptr).to(pairs.device)
    return (ptr[pairs + 1] > ptr[pairs]) | (adjacent[pairs] >= 0)
