"""The network of triples: what the ends, the pair and the relation say, added up."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from linkwl.nn.norms import dropout
from linkwl.nn.perceptron import PerceptronEnsemble
from linkwl.nn.query_grid import QueryGrid, grid_logits
from linkwl.nn.sparse_linear import SparseLinear, SparseRows


@dataclass(frozen=True, eq=False)
class EndRows:
    """What is known of some entities: their roles, and those of their neighbours."""

    roles: SparseRows
    near: SparseRows


@dataclass(frozen=True, eq=False)
class PairInputs:
    """Pairs of a head and a tail."""

    heads: EndRows
    """Of the distinct heads."""
    tails: EndRows
    head: Tensor
    """The place of each pair's head among the distinct ones."""
    tail: Tensor
    direct: SparseRows
    """The roles in which the head of each pair stands to its tail."""
    features: Tensor
    """``(num_pairs, pair_channels)``"""


class TripleEnsemble(nn.Module):
    r"""Several networks that score triples (h, r, t), each with its own weights.

    .. math::
        f(h, r, t) = b(\mathbf{z}_{ht}) + g(\mathbf{x}_{hrt}, \mathbf{y}_{ht})
            + \frac{n_r}{n_r + \kappa}\, \langle \mathbf{z}_{ht}, \mathbf{w}_r \rangle

    The pair's vector :math:`\mathbf{z}_{ht}` comes from the roles of both ends and of their neighbours, the facts
    between them, and the features :math:`\mathbf{y}_{ht}` of the pair. The generic part :math:`g` reads statistics
    :math:`\mathbf{x}_{hrt}` that mean the same for every relation. Only the last part has weights for the relation
    itself; they count less if training has few facts :math:`n_r` of it, and nothing if it has none.

    Args:
        num_relations: Number of relations of training, R.
        pair_channels: Width of the features of a pair.
        query_channels: Width of the features of a triple.
        members: Number of networks.
        channels: Width of each part of the pair's vector before they are mixed.
        hidden: Width of the pair's vector.
        generic_hidden: Width of the two hidden layers of the generic part.
        dropout: Dropout of the parts and of the pair's vector.
        column_dropout: Probability that the part of a relation is left out in a training step.
    """

    num_facts: Tensor
    """The number of training facts of each relation."""
    loop_relations: Tensor
    """Whether training has facts of each relation from an entity to itself."""

    def __init__(
        self,
        num_relations: int,
        pair_channels: int,
        query_channels: int,
        *,
        members: int,
        channels: int,
        hidden: int,
        generic_hidden: int,
        dropout: float = 0.0,
        column_dropout: float = 0.0,
        shrinkage: float = 5.0,
    ) -> None:
        super().__init__()
        self.members, self.channels, self.hidden = members, channels, hidden
        self.dropout, self.column_dropout, self.shrinkage = dropout, column_dropout, shrinkage
        width = members * channels
        self.sparse = nn.ModuleDict(
            {
                name: SparseLinear(2 * num_relations, width)
                for name in ("head_roles", "head_near", "tail_roles", "tail_near", "direct")
            }
        )
        self.pair = nn.Parameter(torch.empty(members, pair_channels, channels))
        self.pair_bias = nn.Parameter(torch.zeros(members, 1, channels))
        self.mix = nn.Parameter(torch.empty(len(self.sparse) + 1, members, channels, hidden))
        self.mix_bias = nn.Parameter(torch.zeros(members, 1, hidden))
        self.bias = nn.Parameter(torch.empty(members, hidden, 1))
        self.relation = nn.Parameter(torch.zeros(members, num_relations, hidden))
        self.relation_bias = nn.Parameter(torch.zeros(members, num_relations))
        self.generic = PerceptronEnsemble(query_channels + pair_channels, generic_hidden, members, layers=2)
        self.register_buffer("num_facts", torch.zeros(num_relations))
        self.register_buffer("loop_relations", torch.zeros(num_relations))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform weights by the number of inputs; the parts of relations start at zero."""
        for weight, fan_in in (
            (self.pair, self.pair.shape[1]),
            (self.mix, len(self.mix) * self.channels),
            (self.bias, self.hidden),
        ):
            nn.init.uniform_(weight, -(fan_in**-0.5), fan_in**-0.5)
        nn.init.zeros_(self.relation)
        nn.init.zeros_(self.relation_bias)

    def pairs(self, x: PairInputs) -> Tensor:
        """The vectors of pairs: ``(members, num_pairs, hidden)``."""
        head = self._mixed(0, x.heads.roles) + self._mixed(1, x.heads.near)
        tail = self._mixed(2, x.tails.roles) + self._mixed(3, x.tails.near)
        own = torch.baddbmm(self.pair_bias, self._features(x), self.pair).relu()
        z = torch.baddbmm(self.mix_bias, dropout(own, self.dropout, self.training), self.mix[5])
        z = z + head.index_select(1, x.head) + tail.index_select(1, x.tail) + self._mixed(4, x.direct)
        return dropout(z.relu(), self.dropout, self.training)

    def forward(self, z: Tensor, x: PairInputs, queries: Tensor, place: Tensor, relation: Tensor) -> Tensor:
        """Logits of triples: ``(members, num_queries)``.

        Args:
            z: The vectors of the pairs; see :meth:`pairs`.
            x: The pairs.
            queries: The features of the triples.
            place: The pair of each triple.
            relation: The relation of each triple; R or more for relations that training has never seen.

        Shape:
            - queries: ``(num_queries, query_channels)``
            - place, relation: ``(num_queries,)``
        """
        features = x.features.to(z).index_select(0, place)
        generic = self.generic(torch.cat([queries.to(z), features], dim=1))[..., 0]
        known = relation.clamp(max=len(self.num_facts) - 1)
        own = (z.index_select(1, place) * self.relation.index_select(1, known)).sum(-1)
        own = own + self.relation_bias.index_select(1, known)
        share = self._shares().index_select(0, known) * (relation < len(self.num_facts))
        return (z @ self.bias)[..., 0].index_select(1, place) + generic + share * own

    def all_relations(self, z: Tensor, x: PairInputs, queries: Tensor) -> Tensor:
        """Logits of every relation between the ends of each pair: ``(members, num_pairs, num_asked)``.

        Args:
            z: The vectors of the pairs.
            x: The pairs.
            queries: The features of all relations in order, of which those of training are the first.

        Shape:
            - queries: ``(num_pairs, num_asked, query_channels)``
        """
        num_pairs, num_asked, _ = queries.shape
        features = x.features.to(z)[:, None].expand(-1, num_asked, -1)
        rows = torch.cat([queries.to(z), features], dim=2).flatten(0, 1)
        logits = self.generic(rows)[..., 0].view(self.members, num_pairs, num_asked)
        own = torch.baddbmm(self.relation_bias[:, None], z, self.relation.transpose(1, 2)) * self._shares()
        known = min(num_asked, len(self.num_facts))
        logits[..., :known] += own[..., :known]
        return logits + z @ self.bias

    def grid_relations(self, z: Tensor, x: PairInputs, grid: QueryGrid) -> Tensor:
        """The means over the members of :meth:`all_relations`, for weights on the CPU that do not change.

        Shape:
            - output: ``(num_pairs, num_asked)``
        """
        logits = grid_logits(self.generic, grid, x.features)
        weight = (self.relation * self._shares()[:, None]).transpose(1, 2)
        own = torch.baddbmm((self.relation_bias * self._shares())[:, None], z, weight).mean(0)
        known = min(logits.shape[1], len(self.num_facts))
        logits[:, :known] += own[:, :known]
        return logits + (z @ self.bias).mean(0)

    def _shares(self) -> Tensor:
        """How much the part of each relation counts."""
        shares = self.num_facts / (self.num_facts + self.shrinkage)
        if self.training and self.column_dropout:
            shares = shares * (torch.rand_like(shares) >= self.column_dropout)
        return shares

    def _mixed(self, part: int, rows: SparseRows) -> Tensor:
        linear = list(self.sparse.values())[part]
        x = linear(rows).relu().view(-1, self.members, self.channels).transpose(0, 1)
        return dropout(x, self.dropout, self.training) @ self.mix[part]

    def _features(self, x: PairInputs) -> Tensor:
        features = x.features.to(self.pair)
        return features.expand(self.members, *features.shape)
