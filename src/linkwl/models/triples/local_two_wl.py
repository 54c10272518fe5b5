"""Local 2-WL on triples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.graph import KnowledgeGraph
from linkwl.models.triples.pair_graph import read_pairs
from linkwl.models.triples.published_two_wl import LocalTwoWLTriplesConfig, PublishedLocalTwoWL
from linkwl.models.triples.role_counts import NUM_FEATURES, RoleCounts
from linkwl.models.triples.star_model import StarModel
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.typed_stars import PairPlaces, StarEncoding, TypedPairGraph, TypedStars
from linkwl.nn.typed_walks import JoinedPairs
from linkwl.sparse import Stars, TypedPairs
from linkwl.typing import FloatArray, Pairs, Queries


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
    roles: RoleCounts
    joined: JoinedPairs


def read_role_graph(triples: Queries, num_nodes: int, num_relations: int) -> RoleGraph:
    """Ordered pairs and roles of some facts."""
    graph = read_pairs(triples, num_nodes, num_relations, is_ordered=True, loops=False)
    roles = RoleCounts.of(triples, num_nodes, num_relations)
    counts = SparseRows(roles.rowptr, roles.col, np.log1p(roles.count), 2 * num_relations)
    typed = TypedPairGraph(graph.rows, graph.members.stars, counts)
    return RoleGraph(graph.pairs, typed, roles, JoinedPairs(graph.pairs.pairs, num_nodes))


class RoleNetwork(TripleNetwork):
    """What our networks share: ordered pairs, and weights for the roles of head and tail in the relation."""

    def __init__(self, channels: int, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=True)
        self.head = nn.Linear(channels, num_relations)
        self.role_weight = nn.Parameter(torch.zeros(NUM_FEATURES))

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> RoleGraph:
        """Pairs and roles."""
        return read_role_graph(triples, num_nodes, self.num_relations)

    def place_stars(self, graph: RoleGraph, pairs: Pairs) -> PairPlaces:
        """Finds pairs."""
        return PairPlaces(Stars.by_position(pairs, graph.pairs.num_nodes), graph.pairs.find(pairs))

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
