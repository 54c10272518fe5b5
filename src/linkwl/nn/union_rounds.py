"""Rounds of local 2-FWL with the paper's neighbourhood, on the pairs that are asked for."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.dropout import dropout
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.pair_features import LabelledPairs
from linkwl.nn.pair_linear import PairLinear
from linkwl.nn.reset import reset_children
from linkwl.sparse import plan_unions


class UnionRounds(nn.Module):
    r"""Walks between two nodes whose first step, second step or both follow an observed edge.

    .. math::
        \mathbf{x}^t_{pq} = \operatorname{ReLU}\Big(W^t \Big[\frac{1}{\sqrt{(d_p + 1)(d_q + 1)}}
        \sum_{r \in N(p) \cup N(q)} g^t(\mathbf{x}^{t-1}_{pr}) \odot h^t(\mathbf{x}^{t-1}_{rq})
        \Big\Vert \mathbf{x}^{t-1}_{pq}\Big]\Big)

    with positive functions g and h; see :class:`LocalTwoFWLConv`. Pairs start from both ends' vectors and the labels of
    :class:`LabelledPairs`. A round asks for as many pairs as the targets' ends have edges, so more than one is for
    sparse graphs.

    Args:
        node_channels: Width of a node's vector.
        channels: Width of the pairs.
        rounds: Number of rounds.
        dropout: Dropout on what g and h tell.

    Shape:
        - h: ``(num_nodes, node_channels)``
        - pairs: ``(num_pairs, 2)``, ordered
        - output: ``(num_pairs, channels)``
    """

    def __init__(self, node_channels: int, channels: int, rounds: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.rounds, self.dropout = rounds, dropout
        self.ends = PairLinear(node_channels, channels)
        self.labels = nn.Linear(2, channels, bias=False)
        self.left = nn.ModuleList(nn.Linear(channels, channels) for _ in range(rounds))
        self.right = nn.ModuleList(nn.Linear(channels, channels) for _ in range(rounds))
        self.convs = nn.ModuleList(LocalTwoFWLConv(channels, channels, own_channels=channels) for _ in range(rounds))

    def reset_parameters(self) -> None:
        """Fresh weights in all layers."""
        reset_children(self)

    def forward(self, h: Tensor, adjacency: Adjacency, pairs: Tensor) -> Tensor:
        """What the last round tells of the pairs."""
        turned = None if adjacency.is_symmetric else adjacency.transpose.arrays
        plan = plan_unions(*adjacency.arrays, pairs.cpu().numpy(), self.rounds, transposed=turned)
        level = torch.from_numpy(plan.pairs).to(h.device)
        labels = LabelledPairs(h, adjacency).at(level)[:, -2:]
        x = (self.ends(h, level) + self.labels(labels)).relu()
        for left, right, conv, triples, own in zip(
            self.left, self.right, self.convs, plan.joins, plan.own, strict=True
        ):
            place = torch.from_numpy(own).to(h.device)
            weight = _pair_weight(adjacency, level, h.dtype)
            level = level.index_select(0, place)
            # Each factor of the weight belongs to one end, so it goes with the term that has that end.
            told = (self._tell(left, x) * weight[0], self._tell(right, x) * weight[1])
            x = conv(*told, triples, x.index_select(0, place))
        return x.index_select(0, torch.from_numpy(plan.targets).to(h.device))

    def _tell(self, linear: nn.Module, x: Tensor) -> Tensor:
        return F.softplus(dropout(linear(x), self.dropout, self.training))


def _pair_weight(adjacency: Adjacency, pairs: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """For every pair the root that belongs to its first end, and the one that belongs to its second."""
    leaving, arriving = ((side.degree + 1).to(dtype).rsqrt() for side in (adjacency, adjacency.transpose))
    return leaving.index_select(0, pairs[:, 0])[:, None], arriving.index_select(0, pairs[:, 1])[:, None]
