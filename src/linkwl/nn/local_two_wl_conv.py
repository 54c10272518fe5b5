"""Local 2-WL: a pair hears from the observed edges at its two ends."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.norms import NormName, Statistics, create_norm, dropout
from linkwl.nn.pair_features import PairFeatures, SumPairs

# In a regular graph all observed pairs are equal, and a target's difference from them must not explode.
_EPS = 0.1


class Star(NamedTuple):
    """The sums of one branch over the observed edges at every node; enough to score any pair."""

    mapped: Tensor
    """W times the sum over the node's observed edges, ``(num_nodes, out_channels)``."""
    strength: Tensor
    """Number of those edges, or the sum of their weights, ``(num_nodes, 1)``."""
    statistics: Statistics | None


def _or_one(strength: Tensor) -> Tensor:
    """The same with 1 for nodes without edges."""
    return torch.where(strength > 0, strength, 1)


class _Branch(nn.Module):
    """One of the two convolutions, with the layers after it."""

    def __init__(self, in_channels: int, out_channels: int, norm: NormName, dropout: float, activation: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(in_channels, out_channels)
        self.norm = create_norm(norm, out_channels, _EPS)
        self.dropout, self.activation = dropout, activation
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        self.norm.reset_parameters()

    def observe(self, total: Tensor, side: Adjacency) -> tuple[Tensor, Star]:
        """The vector of every node's observed pairs, from their sum."""
        strength = side.strength.to(total.dtype)[:, None]
        mapped = total @ self.linear.weight.T
        z = torch.addcmul(self.linear.bias, mapped, _or_one(strength).reciprocal())
        # A node's vector represents as many observed pairs as the node has edges.
        statistics = self.norm.statistics(z, side.degree.to(total.dtype) / max(side.num_entries, 1))
        return self._finish(z, statistics), Star(mapped, strength, statistics)

    def score(self, star: Star, node: Tensor, target_x: Tensor) -> Tensor:
        """The vectors of targets; ``node`` is the end of each that this branch reads."""
        strength = star.strength.index_select(0, node)
        own = (strength + 1).reciprocal()
        heard = (own / _or_one(strength)).sqrt()
        z = torch.addcmul(self.linear.bias, star.mapped.index_select(0, node), heard)
        return self._finish(torch.addcmul(z, target_x @ self.linear.weight.T, own), star.statistics)

    def _finish(self, z: Tensor, statistics: Statistics | None) -> Tensor:
        z = dropout(self.norm(z, statistics), self.dropout, self.training)
        return z.relu() if self.activation else z


class LocalTwoWLConv(nn.Module):
    r"""Local 2-WL layer: a pair hears from the edges with the same first end or the same second end.

    .. math::
        \mathbf{x}'_{pq} = \sigma\Big(\mathbf{b}_1 + W_1 \sum_{v \in N(p)} \frac{\mathbf{x}_{pv}}{c_{pv,pq}}\Big)
                         + \sigma\Big(\mathbf{b}_2 + W_2 \sum_{u \in N(q)} \frac{\mathbf{x}_{uq}}{c_{uq,pq}}\Big)

    These are two graph convolutions on the second-order graph, whose nodes are pairs: the pairs (p, v) with observed
    (p, v) send to (p, q), the pairs (u, q) with observed (u, q) send to (p, q), a pair that is not observed also hears
    itself, and c is the usual root of the product of the two degrees in that graph. :math:`\sigma` is normalisation,
    dropout and ReLU. The second-order graph is never built. All senders of the first sum share p, so it is one vector
    per node:

    - observed (p, q): :math:`\mathbf{b} + W S_p / d_p`, the same for every q;
    - target (p, q): :math:`\mathbf{b} + W \big(S_p / \sqrt{d_p (d_p + 1)} + \mathbf{x}_{pq} / (d_p + 1)\big)`,

    with :math:`S_p` the sum over the :math:`d_p` observed edges at p; if edges have weights, these are factors in the
    sum, and :math:`d_p` is their sum. An observed pair is then a sum of two node
    vectors and needs no vector of its own. Targets receive messages and send none, and normalisation uses observed
    edges only, so a target does not depend on other targets. Time :math:`O((m + n c + |S| c) c)` for m edges, n nodes,
    S targets, c channels.

    Reference: Hu et al., 2022, arXiv:2206.09567, local 2-WL; the convolution is that of the published code.

    Args:
        in_channels: Width of each input pair.
        out_channels: Width of each output pair.
        norm: ``graph`` (statistics over the observed edges), ``layer`` or ``none``.
        dropout: Dropout after the normalisation.
        activation: Whether there is a final ReLU.

    Shape:
        - x: features of the observed edges, any :class:`PairFeatures` of ``in_channels``
        - targets: ``(num_targets, 2)``
        - target_x: ``(num_targets, in_channels)``
        - output: the observed edges as :class:`SumPairs`, and the targets, ``(num_targets, out_channels)``

    Example:
        >>> import torch
        >>> from linkwl.nn.pair_features import ProductPairs
        >>> adjacency = Adjacency.from_edge_index(torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> x = ProductPairs(torch.ones(3, 4))
        >>> targets = torch.tensor([[0, 2], [2, 0]])
        >>> observed, scored = LocalTwoWLConv(4, 8)(x, adjacency, targets, x.at(targets))
        >>> observed.at(adjacency.pairs).shape, scored.shape
        (torch.Size([4, 8]), torch.Size([2, 8]))
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        *,
        norm: NormName = "graph",
        dropout: float = 0.0,
        activation: bool = True,
    ) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.first = _Branch(in_channels, out_channels, norm, dropout, activation)
        self.second = _Branch(in_channels, out_channels, norm, dropout, activation)

    def reset_parameters(self) -> None:
        """Glorot weights, zero bias, reset norms."""
        self.first.reset_parameters()
        self.second.reset_parameters()

    def forward(
        self, x: PairFeatures, adjacency: Adjacency, targets: Tensor, target_x: Tensor
    ) -> tuple[SumPairs, Tensor]:
        """One round on the observed edges and on the targets."""
        observed, stars = self.observe(x, adjacency)
        return observed, self.score(stars, targets, target_x)

    def observe(self, x: PairFeatures, adjacency: Adjacency) -> tuple[SumPairs, tuple[Star, Star]]:
        """One round on the observed edges, and the stars that :meth:`score` needs."""
        by_first, by_second = x.star_sums(adjacency)
        a, first = self.first.observe(by_first, adjacency)
        b, second = self.second.observe(by_second, adjacency.transpose)
        return SumPairs(a, b), (first, second)

    def score(self, stars: tuple[Star, Star], targets: Tensor, target_x: Tensor) -> Tensor:
        """One round on the targets; does not need the graph."""
        first, second = stars
        p, q = targets.T
        return self.first.score(first, p, target_x) + self.second.score(second, q, target_x)

    def extra_repr(self) -> str:
        """Both widths."""
        return f"{self.in_channels}, {self.out_channels}"
