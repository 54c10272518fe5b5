"""Rounds of local 2-FWL on the requested pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency, edge_weight
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.norms import NormName, dropout
from linkwl.nn.pair_features import LabelledPairs
from linkwl.nn.perceptron import reset_children
from linkwl.sparse import Triples, plan_unions, plan_walks


class WalkRounds(nn.Module):
    r"""Walks of observed edges between two nodes, one edge longer with every round.

    .. math::
        \mathbf{x}^0_{pr} = \mathbf{m}^0_{pr}, \qquad
        \mathbf{x}^t_{pq} = \operatorname{ReLU}\Big(W^t \Big[\sum_r \mathbf{x}^{t-1}_{pr} \odot \mathbf{m}^t_{rq}
        \Big\Vert A_{pq}\Big]\Big), \qquad
        \mathbf{m}^t_{rq} = \frac{\phi(W^t_m [\mathbf{h}_r \Vert \mathbf{h}_q])}{\sqrt{d_r d_q}}

    over edges (p, r) and (r, q), with :math:`A_{pq} = 1 / \sqrt{d_p d_q}` for edges and 0 for other pairs; see
    :class:`LocalTwoFWLConv`. The factors :math:`\mathbf{m}` are positive, learned from both ends of an edge and divided
    by the root of their degrees, so that walks through hubs have little weight. In a directed graph the walks go along
    and against edges, and a factor also hears which of the two directions exist; so does :math:`A_{pq}`, which then has
    two channels.

    Args:
        node_channels: Width of a node's vector.
        channels: Width of the walks.
        rounds: Number of rounds.
        is_directed: Whether edges have directions.
        dropout: Dropout on the factors.
        normalise: Whether factors and the labels A are divided by degrees; else an edge's label is 1.
        factor: The function phi, ``softplus`` or ``relu``.
        bias: Whether the updates have a bias.
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
        is_directed: bool = False,
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
            LocalTwoFWLConv(
                channels, channels, own_channels=1 + is_directed, bias=bias, norm=norm, dropout=update_dropout
            )
            for _ in range(rounds)
        )
        if is_directed:
            self.directions = nn.ModuleList(nn.Linear(2, channels, bias=False) for _ in range(rounds + 1))
        self.is_directed = is_directed

    def reset_parameters(self) -> None:
        """Fresh weights in all layers."""
        reset_children(self)

    def forward(self, h: Tensor, adjacency: Adjacency, pairs: Tensor) -> list[Tensor]:
        """The vectors of the pairs after every round."""
        edges = adjacency.undirected if self.is_directed else adjacency
        plan = walk_tensors(edges, pairs, self.rounds)
        ends = edges.ends(plan.edges)
        weight = edge_weight(edges, ends, h.dtype) if self.normalise else h.new_ones(len(ends))
        factors = [factor(h, ends) for factor in self.factors]
        labels = weight[:, None]
        if self.is_directed:
            directions = adjacency.directions.index_select(0, plan.edges).to(h.dtype)
            factors = [factor + linear(directions) for factor, linear in zip(factors, self.directions, strict=True)]
            labels = labels * directions
        first, *later = (self._weighted(factor, weight) for factor in factors)
        labels = F.pad(labels, (0, 0, 0, 1))  # the last row is for -1, no edge
        x, outputs = first.index_select(0, plan.first), []
        for conv, factor, triples, adjacent, targets in zip(
            self.convs, later, plan.joins, plan.adjacent, plan.targets, strict=True
        ):
            x = conv(x, factor, triples, labels[adjacent])
            output = x.index_select(0, targets)
            # Only targets can be unreachable, and then they are in no term of the next round.
            outputs.append(output * _is_reached(triples, adjacent, targets)[:, None] if self.bias else output)
        return outputs

    def _weighted(self, factor: Tensor, weight: Tensor) -> Tensor:
        factor = dropout(factor, self.dropout, self.training)
        return (F.softplus(factor) if self.factor == "softplus" else factor.relu()) * weight[:, None]


def _is_reached(triples: Triples, adjacent: Tensor, pairs: Tensor) -> Tensor:
    """Whether a walk or an edge leads from the first node of a pair to its second."""
    ptr = torch.from_numpy(triples.ptr).to(pairs.device)
    return (ptr[pairs + 1] > ptr[pairs]) | (adjacent[pairs] >= 0)


class UnionRounds(nn.Module):
    r"""Walks between two nodes whose first step, second step or both follow an observed edge.

    .. math::
        \mathbf{x}^t_{pq} = \operatorname{ReLU}\Big(W^t \Big[\frac{1}{\sqrt{(d_p + 1)(d_q + 1)}}
        \sum_{r \in N(p) \cup N(q)} g^t(\mathbf{x}^{t-1}_{pr}) \odot h^t(\mathbf{x}^{t-1}_{rq})
        \Big\Vert \mathbf{x}^{t-1}_{pq}\Big]\Big)

    with positive functions g and h; see :class:`LocalTwoFWLConv`. Pairs start from both ends' vectors and the labels of
    :class:`LabelledPairs`. A round needs as many pairs as the targets' ends have edges, so several rounds are for
    sparse graphs.

    Args:
        node_channels: Width of a node's vector.
        channels: Width of the pairs.
        rounds: Number of rounds.
        dropout: Dropout in g and h.

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
        """The vectors of the pairs after the last round."""
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
            # Each factor of the weight belongs to one end, so it is applied to the factor with that end.
            factors = (self._factor(left, x) * weight[0], self._factor(right, x) * weight[1])
            x = conv(*factors, triples, x.index_select(0, place))
        return x.index_select(0, torch.from_numpy(plan.targets).to(h.device))

    def _factor(self, linear: nn.Module, x: Tensor) -> Tensor:
        return F.softplus(dropout(linear(x), self.dropout, self.training))


def _pair_weight(adjacency: Adjacency, pairs: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """For every pair, the inverse root of the degree of its first end, and of its second end."""
    leaving, arriving = ((side.degree + 1).to(dtype).rsqrt() for side in (adjacency, adjacency.transpose))
    return leaving.index_select(0, pairs[:, 0])[:, None], arriving.index_select(0, pairs[:, 1])[:, None]


@dataclass(frozen=True, eq=False)
class WalkTensors:
    """A :class:`linkwl.sparse.WalkPlan` as tensors."""

    edges: Tensor
    """Positions in the adjacency of the used edges."""
    first: Tensor
    """The pairs of level 0, as indices into `edges`."""
    joins: tuple[Triples, ...]
    adjacent: tuple[Tensor, ...]
    targets: tuple[Tensor, ...]


def walk_tensors(adjacency: Adjacency, targets: Tensor, rounds: int) -> WalkTensors:
    """Plans the walks of the given number of rounds between the targets."""
    turned = None if adjacency.is_symmetric else adjacency.transpose.arrays
    plan = plan_walks(*adjacency.arrays, targets.cpu().numpy(), rounds, transposed=turned)
    edges, first, *levels = (
        torch.from_numpy(index).to(adjacency.device)
        for index in (plan.edges, plan.first, *plan.adjacent, *plan.targets)
    )
    return WalkTensors(edges, first, plan.joins, tuple(levels[:rounds]), tuple(levels[rounds:]))


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
