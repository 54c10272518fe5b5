"""Local 2-WL on typed pairs: a pair hears from the facts at its two ends, and from its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.norms import dropout
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.star_conv import take_rows
from linkwl.nn.stars import at_stars, star_sums
from linkwl.sparse import Stars
from linkwl.typing import IntArray


class TypedPairGraph(NamedTuple):
    """Ordered pairs that some fact joins, each in both orders."""

    rows: SparseRows
    """The relations of each pair, ``(num_pairs, 2R)``."""
    stars: Stars
    """By position: star v has the pairs that start at v, star n + v those that end there."""
    roles: SparseRows
    """How often every entity is head (first half) and tail (second half) of each relation, on a logarithmic scale."""


@dataclass(frozen=True, eq=False)
class PairPlaces:
    """Pairs to score in a :class:`TypedPairGraph`."""

    stars: Stars
    index: IntArray
    """Their positions in the graph; -1 for pairs that no fact joins."""


class StarEncoding(NamedTuple):
    """All that the vectors of pairs need."""

    ends: Tensor
    """What a pair reads from its first entity, then from its second; ``(2n, channels)``."""
    own: Tensor
    """What it reads from its own facts; ``(num_pairs, channels)``."""
    sums: list[Tensor]
    """What it hears at its ends in each further round; ``(2n, channels)``."""


class TypedStars(nn.Module):
    r"""Rounds of local 2-WL on typed pairs.

    .. math::
        \mathbf{x}^{1}_{ab} &= \sigma\big(W_1 \ln(1 + C_a) + W_2 \ln(1 + C_b) + W_0 \mathbf{f}_{ab}\big) \\
        \mathbf{x}^{t+1}_{ab} &= \mathbf{x}^{t}_{ab} + \sigma\Big(
            U_1 \operatorname{mean}_{v} \mathbf{x}^{t}_{av} +
            U_2 \operatorname{mean}_{u} \mathbf{x}^{t}_{ub} + U_0 \mathbf{x}^{t}_{ab}\Big)

    with :math:`\mathbf{f}_{ab}` the relations of the pair, those from a to b in the first half and those from b to a in
    the second, and :math:`C_a` the sum of :math:`\mathbf{f}_{av}` over all v: how often a is head and tail of each
    relation. :math:`\sigma` is normalisation over the channels, ReLU and dropout. The means go over pairs that a fact
    joins; other pairs hear and are not heard. The sums at an entity are shared by all pairs that start, or end, there.

    Args:
        num_relations: Number of relations R.
        channels: Width of a pair.
        rounds: Number of rounds, at least 1.
        dropout: Dropout after each round.
        role_dropout: Dropout on the entities' roles.

    Shape:
        - output: ``(num_pairs, channels)``
    """

    def __init__(
        self, num_relations: int, channels: int, rounds: int, *, dropout: float = 0.0, role_dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.channels, self.dropout = channels, dropout
        columns = 2 * num_relations
        self.first = SparseLinear(columns, channels, role_dropout)
        self.second = SparseLinear(columns, channels, role_dropout)
        self.own = SparseLinear(columns, channels)
        self.starts = nn.ModuleList(nn.Linear(channels, channels, bias=False) for _ in range(rounds - 1))
        self.stops = nn.ModuleList(nn.Linear(channels, channels, bias=False) for _ in range(rounds - 1))
        self.keeps = nn.ModuleList(nn.Linear(channels, channels) for _ in range(rounds - 1))

    def encode(self, graph: TypedPairGraph) -> StarEncoding:
        """All rounds on the joined pairs, up to the last sums."""
        ends = torch.cat([self.first(graph.roles), self.second(graph.roles)])
        encoding = StarEncoding(ends, self.own(graph.rows), [])
        if not len(self.keeps):
            return encoding
        size = torch.from_numpy(graph.stars.size).to(ends).clamp(min=1)[:, None]
        x = self._finish(at_stars(ends, graph.stars) + encoding.own)
        for k, (start, stop) in enumerate(zip(self.starts, self.stops, strict=True)):
            mean_first, mean_second = (star_sums(x, graph.stars) / size).chunk(2)
            encoding.sums.append(torch.cat([start(mean_first), stop(mean_second)]))
            if k + 1 < len(self.keeps):
                x = self._round(k, x, encoding.sums[k], graph.stars)
        return encoding

    def forward(self, encoding: StarEncoding, pairs: PairPlaces) -> Tensor:
        """The vectors of pairs after all rounds."""
        x = self._finish(at_stars(encoding.ends, pairs.stars) + take_rows(encoding.own, pairs.index))
        for k, sums in enumerate(encoding.sums):
            x = self._round(k, x, sums, pairs.stars)
        return x

    def _round(self, k: int, x: Tensor, sums: Tensor, stars: Stars) -> Tensor:
        return x + self._finish(at_stars(sums, stars) + self.keeps[k](x))

    def _finish(self, x: Tensor) -> Tensor:
        return dropout(F.layer_norm(x, x.shape[-1:]).relu(), self.dropout, self.training)

    def extra_repr(self) -> str:
        """Width and number of rounds."""
        return f"{self.channels}, rounds={len(self.keeps) + 1}"
