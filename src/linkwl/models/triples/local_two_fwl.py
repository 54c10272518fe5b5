"""Local 2-FWL on triples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from linkwl.graph import KnowledgeGraph
from linkwl.models.cost import Cost, walk_cost
from linkwl.models.triples.local_two_wl import RoleGraph, RoleNetwork
from linkwl.models.triples.published_two_fwl import LocalTwoFWLTriplesConfig, PublishedLocalTwoFWL
from linkwl.models.triples.star_model import StarModel
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.norms import dropout
from linkwl.nn.typed_stars import PairPlaces, StarEncoding, TypedStars
from linkwl.nn.typed_walks import TypedWalks
from linkwl.sparse import WalkPlan
from linkwl.typing import Pairs


class LocalTwoFWLTriples(StarModel):
    """Local 2-FWL on triples: local 2-WL, and the typed walks of facts between the two entities.

    See :class:`linkwl.nn.TypedStars` and :class:`linkwl.nn.TypedWalks`.
    """

    id = "local-2fwl"
    title = "local 2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[LocalTwoFWLTriplesConfig]] = LocalTwoFWLTriplesConfig
    config: LocalTwoFWLTriplesConfig

    def build_network(self, shape: Mapping[str, int]) -> TripleNetwork:
        """The network for graphs with that many relations."""
        network = PublishedLocalTwoFWL if self.config.variant == "paper" else LocalTwoFWLTriplesNetwork
        return network(self.config, shape["num_relations"])

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        return "use fewer rounds (walks.rounds), a smaller batch (training.max_batch), or the model local-2wl"

    def width(self) -> int:
        """Channels of a pair."""
        return self.config.stars.channels + self.config.walks.channels

    def cost(self, observed: KnowledgeGraph, num_targets: int) -> Cost:
        """The cost of both parts."""
        walks = self.config.walks
        rounds = 1 if self.config.variant == "paper" else walks.rounds
        part = walk_cost(observed.links, num_targets, rounds=rounds, channels=walks.channels)
        return super().cost(observed, num_targets) + part

    def describe(self, observed: KnowledgeGraph) -> str:
        """Rounds and channels of both parts."""
        stars, walks = self.config.stars, self.config.walks
        longest = 2 if self.config.variant == "paper" else walks.rounds + 1
        return f"{stars.rounds} rounds over facts, walks up to {longest} facts, {self.width()} channels"


class WalkPlaces(NamedTuple):
    """Pairs to score, and the walks between their ends."""

    stars: PairPlaces
    plan: WalkPlan


class WalkEncoding(NamedTuple):
    """All that the vectors of pairs need."""

    stars: StarEncoding
    steps: list[Tensor]


class LocalTwoFWLTriplesNetwork(RoleNetwork):
    """Our network: :class:`TypedStars` and :class:`TypedWalks`."""

    def __init__(self, config: LocalTwoFWLTriplesConfig, num_relations: int) -> None:
        stars, walks = config.stars, config.walks
        super().__init__(stars.channels + walks.hidden, num_relations)
        self.dropout = walks.dropout
        self.stars = TypedStars(
            num_relations, stars.channels, stars.rounds, dropout=stars.dropout, role_dropout=stars.role_dropout
        )
        self.walks = TypedWalks(num_relations, walks.channels, walks.rounds, dropout=config.steps.dropout)
        self.read_walks = nn.Linear(walks.rounds * walks.channels, walks.hidden)

    def place(self, graph: RoleGraph, pairs: Pairs) -> WalkPlaces:
        """Finds pairs, and the walks between their ends."""
        return WalkPlaces(self.place_stars(graph, pairs), graph.joined.walks(pairs, self.walks.rounds))

    def encode(self, graph: RoleGraph) -> WalkEncoding:
        """All rounds on the facts, and the steps of walks."""
        return WalkEncoding(self.stars.encode(graph.typed), self.walks.encode(graph.typed.rows, graph.joined))

    def states(self, encoding: WalkEncoding, placed: WalkPlaces) -> Tensor:
        """All rounds and the walks."""
        walks = self.read_walks(self.walks(encoding.steps, placed.plan)).relu()
        return torch.cat([self.stars(encoding.stars, placed.stars), dropout(walks, self.dropout, self.training)], dim=1)
