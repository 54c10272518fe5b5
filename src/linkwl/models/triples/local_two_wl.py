"""Local 2-WL on triples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.graph import KnowledgeGraph
from linkwl.models.gradient import TrainingConfig
from linkwl.models.triples.pair_graph import PairGraph, Placed, place_pairs, read_pairs
from linkwl.models.triples.roles import NUM_FEATURES, Roles
from linkwl.models.triples.star_model import Dropout, StarConfig, StarModel
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.norms import GraphNorm, Statistics, dropout
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.star_conv import hear, star_totals, take_rows
from linkwl.nn.typed_stars import PairPlaces, StarEncoding, TypedPairGraph, TypedStars
from linkwl.sparse import Stars, TypedPairs
from linkwl.typing import FloatArray, IntArray, Pairs, Queries


class LocalTwoWLTriplesConfig(StarConfig):
    """Settings of local 2-WL on triples."""

    channels: int = Field(default=64, ge=1)
    rounds: int = Field(default=2, ge=1)
    """In `paper`, 1 for the published form with LayerNorm and 2 for the one with GraphNorm."""
    dropout: Dropout = 0.3
    role_dropout: Dropout = 0.2
    """Dropout on the roles of entities, in `ours`."""
    activation: bool = True
    """Whether there is a ReLU, in `paper`."""
    training: TrainingConfig = TrainingConfig(learning_rate=0.01, max_steps=600, patience=200)


class LocalTwoWLTriples(StarModel):
    """Local 2-WL on triples: pairs of entities hear from the facts at their ends, round after round.

    See :class:`linkwl.nn.TypedStars`. Beside the vectors of pair and relation, a few weights that all relations share
    read how often the head has been a head of the relation, and the tail a tail: rare relations rely on them. The
    published variant is one graph convolution over unordered pairs that share an entity, or two.
    """

    id = "local-2wl"
    title = "local 2-WL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[LocalTwoWLTriplesConfig]] = LocalTwoWLTriplesConfig
    config: LocalTwoWLTriplesConfig

    def build_network(self, shape: Mapping[str, int]) -> TripleNetwork:
        """The network for graphs with that many relations."""
        network = PublishedLocalTwoWL if self.config.variant == "paper" else LocalTwoWLTriplesNetwork
        return network(self.config, shape["num_relations"])

    def width(self) -> int:
        """Channels of a pair."""
        return self.config.channels

    def describe(self, observed: KnowledgeGraph) -> str:
        """Rounds and channels."""
        return f"{self.config.rounds} rounds over the facts at both ends, {self.config.channels} channels"


class RoleGraph(NamedTuple):
    """A graph as our networks read it."""

    pairs: TypedPairs
    typed: TypedPairGraph
    roles: Roles


def read_roles(triples: Queries, num_nodes: int, num_relations: int) -> RoleGraph:
    """Ordered pairs and roles of some facts."""
    graph = read_pairs(triples, num_nodes, num_relations, is_ordered=True, loops=False)
    roles = Roles.of(triples, num_nodes, num_relations)
    counts = SparseRows(roles.rowptr, roles.col, np.log1p(roles.count), 2 * num_relations)
    return RoleGraph(graph.pairs, TypedPairGraph(graph.rows, graph.members.stars, counts), roles)


class RoleNetwork(TripleNetwork):
    """What our networks share: ordered pairs, and weights for the roles of head and tail in the relation."""

    def __init__(self, channels: int, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=True)
        self.head = nn.Linear(channels, num_relations)
        self.role_weight = nn.Parameter(torch.zeros(NUM_FEATURES))

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> RoleGraph:
        """Pairs and roles."""
        return read_roles(triples, num_nodes, self.num_relations)

    def place_stars(self, graph: RoleGraph, pairs: Pairs) -> PairPlaces:
        """Finds pairs."""
        return PairPlaces(Stars.by_position(pairs, graph.pairs.num_nodes), graph.pairs.find(pairs))

    def find(self, graph: RoleGraph, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of members, and their number."""
        return graph.pairs.find(pairs), len(graph.pairs.pairs)

    def features(self, graph: RoleGraph, queries: Queries) -> FloatArray:
        """The roles of head and tail in the relation."""
        return graph.roles.features(queries)

    def relation_features(self, graph: RoleGraph, pairs: Pairs) -> FloatArray:
        """The same for all relations."""
        return graph.roles.relation_features(pairs)

    def shared(self, features: Tensor) -> Tensor:
        """Their weighted sum."""
        return features @ self.role_weight

    def columns(self, encoding: object) -> tuple[Tensor, Tensor]:
        """The vector of every relation."""
        return self.head.weight, self.head.bias


class LocalTwoWLTriplesNetwork(RoleNetwork):
    """Our network: :class:`TypedStars`."""

    def __init__(self, config: LocalTwoWLTriplesConfig, num_relations: int) -> None:
        super().__init__(config.channels, num_relations)
        self.stars = TypedStars(
            num_relations,
            config.channels,
            config.rounds,
            dropout=config.dropout,
            role_dropout=config.role_dropout,
        )

    def place(self, graph: RoleGraph, pairs: Pairs) -> PairPlaces:
        """Finds pairs."""
        return self.place_stars(graph, pairs)

    def encode(self, graph: RoleGraph) -> StarEncoding:
        """All rounds on the facts."""
        return self.stars.encode(graph.typed)

    def states(self, encoding: StarEncoding, placed: PairPlaces) -> Tensor:
        """All rounds on the pairs."""
        states: Tensor = self.stars(encoding, placed)
        return states


class PublishedEncoding(NamedTuple):
    """The stars of every convolution of the published network."""

    u: Tensor
    first: Tensor
    statistics: Statistics | None
    hidden: Tensor
    """The members after the first convolution."""
    second: Tensor | None
    graph: PairGraph
    weight: Tensor
    bias: Tensor


class PublishedLocalTwoWL(TripleNetwork):
    """The published network: unordered pairs, weighted symmetrically.

    With one round: convolution, LayerNorm, dropout, ReLU, linear map. With two: convolution, GraphNorm, LayerNorm,
    dropout, ReLU, convolution, GraphNorm. The statistics of a GraphNorm are those of the members of the graph of pairs.
    """

    def __init__(self, config: LocalTwoWLTriplesConfig, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=False)
        self.dropout, self.activation = config.dropout, config.activation
        self.inner = SparseLinear(2 * num_relations, config.channels, bias=False)
        self.bias = nn.Parameter(torch.zeros(config.channels))
        self.outer = nn.Linear(config.channels, self.num_columns)
        self.inner_norm = GraphNorm(config.channels) if config.rounds > 1 else None
        self.outer_norm = GraphNorm(self.num_columns) if config.rounds > 1 else None
        if config.rounds > 1:  # a convolution starts otherwise than a linear map
            nn.init.xavier_uniform_(self.outer.weight)
            nn.init.zeros_(self.outer.bias)

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> PairGraph:
        """The graph of pairs; no pair of an entity with itself takes part."""
        triples = triples[triples[:, 0] != triples[:, 2]]
        also = None if also is None else also[also[:, 0] != also[:, 1]]
        return read_pairs(triples, num_nodes, self.num_relations, is_ordered=False, loops=False, also=also)

    def place(self, graph: PairGraph, pairs: Pairs) -> Placed:
        """Finds pairs."""
        return place_pairs(graph, pairs)

    def find(self, graph: PairGraph, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of members, and their number."""
        return graph.pairs.find(pairs), len(graph.pairs.pairs)

    def encode(self, graph: PairGraph) -> PublishedEncoding:
        """Every convolution up to the sums at every entity."""
        u = self.inner(graph.rows)
        first = star_totals(u, graph.members, "symmetric")
        heard = hear(first, u, graph.members, "symmetric") + self.bias
        statistics = None if self.inner_norm is None else self.inner_norm.statistics(heard)
        hidden = self._finish(heard, statistics)
        if self.outer_norm is None:
            return PublishedEncoding(u, first, None, hidden, None, graph, self.outer.weight, self.outer.bias)
        second = star_totals(hidden, graph.members, "symmetric")
        columns = normalised_columns(
            hear(second, hidden, graph.members, "symmetric"), self.outer.weight, self.outer.bias, self.outer_norm
        )
        return PublishedEncoding(u, first, statistics, hidden, second, graph, *columns)

    def states(self, encoding: PublishedEncoding, placed: Placed | None) -> Tensor:
        """Every convolution on the pairs."""
        if placed is None:
            hidden, places = encoding.hidden, encoding.graph.members
        else:
            places = placed.places
            heard = hear(encoding.first, take_rows(encoding.u, placed.index), places, "symmetric")
            hidden = self._finish(heard + self.bias, encoding.statistics)
        return hidden if encoding.second is None else hear(encoding.second, hidden, places, "symmetric")

    def columns(self, encoding: PublishedEncoding) -> tuple[Tensor, Tensor]:
        """The last map, with the last normalisation in it."""
        return encoding.weight, encoding.bias

    def _finish(self, heard: Tensor, statistics: Statistics | None) -> Tensor:
        if self.inner_norm is not None:
            heard = self.inner_norm(heard, statistics)
        x = dropout(F.layer_norm(heard, heard.shape[-1:]), self.dropout, self.training)
        return x.relu() if self.activation else x


def normalised_columns(z: Tensor, weight: Tensor, bias: Tensor, norm: GraphNorm) -> tuple[Tensor, Tensor]:
    r"""A linear map followed by a :class:`GraphNorm` as one linear map.

    The norm's statistics are those of ``z @ weight.T + bias``, which is never computed: mean and variance of a column
    follow from the mean and the covariance of the rows of ``z``.

    Shape:
        - z: ``(num_rows, channels)``
        - weight, output: ``(num_columns, channels)``
        - bias, second output: ``(num_columns,)``
    """
    centre = z.mean(0) if len(z) else z.new_zeros(z.shape[1])
    offset = z - centre
    covariance = offset.T @ offset / max(len(z), 1)
    mean = weight @ centre + bias
    variance = ((weight @ covariance) * weight).sum(1) + ((1 - norm.alpha) * mean).square()
    scale = norm.gamma * (variance + norm.eps).rsqrt()
    return weight * scale[:, None], (bias - norm.alpha * mean) * scale + norm.beta
