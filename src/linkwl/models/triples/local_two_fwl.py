"""Local 2-FWL on triples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.graph import KnowledgeGraph
from linkwl.models.gradient import TrainingConfig
from linkwl.models.triples.local_two_wl import RoleGraph, RoleNetwork
from linkwl.models.triples.pair_graph import read_pairs
from linkwl.models.triples.star_model import Dropout, StarConfig, StarModel
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.norms import GraphNorm, Statistics, dropout
from linkwl.nn.operators import join
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.star_conv import Places, hear, star_totals, take_rows
from linkwl.nn.typed_stars import PairPlaces, StarEncoding, TypedStars
from linkwl.nn.typed_walks import JoinedPairs, TypedWalks, reached
from linkwl.sparse import Stars, TypedPairs, WalkPlan
from linkwl.typing import BoolArray, IntArray, Pairs, Queries


class BlockConfig(BaseModel):
    """What follows a linear map: normalisation, dropout and ReLU."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    dropout: Dropout = 0.2
    norm: bool = True
    """Whether there is a LayerNorm, in `paper`."""
    activation: bool = True
    """Whether there is a ReLU, in `paper`."""


class StarsConfig(BlockConfig):
    """The part that is local 2-WL."""

    channels: int = Field(default=64, ge=1)
    rounds: int = Field(default=2, ge=1)
    """In `paper`, 1 for the published form with LayerNorm and 2 for the one with GraphNorm."""
    dropout: Dropout = 0.3
    role_dropout: Dropout = 0.2
    """Dropout on the roles of entities, in `ours`."""


class WalksConfig(BlockConfig):
    """The part that is a product over the facts between two entities."""

    channels: int = Field(default=32, ge=1)
    rounds: int = Field(default=1, ge=1)
    """Walks of 2 to ``rounds`` + 1 steps, in `ours`."""
    hidden: int = Field(default=32, ge=1)
    """Channels that the walks are read by, in `ours`."""


class LocalTwoFWLTriplesConfig(StarConfig):
    """Settings of local 2-FWL on triples."""

    stars: StarsConfig = StarsConfig()
    steps: BlockConfig = BlockConfig()
    """The two factors of the product."""
    walks: WalksConfig = WalksConfig()
    training: TrainingConfig = TrainingConfig(learning_rate=0.01, max_steps=600, patience=200)


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
        joined = JoinedPairs(graph.pairs.pairs, graph.pairs.num_nodes)
        return WalkPlaces(self.place_stars(graph, pairs), joined.walks(pairs, self.walks.rounds))

    def encode(self, graph: RoleGraph) -> WalkEncoding:
        """All rounds on the facts, and the steps of walks."""
        joined = JoinedPairs(graph.pairs.pairs, graph.pairs.num_nodes)
        return WalkEncoding(self.stars.encode(graph.typed), self.walks.encode(graph.typed.rows, joined))

    def states(self, encoding: WalkEncoding, placed: WalkPlaces) -> Tensor:
        """All rounds and the walks."""
        walks = self.read_walks(self.walks(encoding.steps, placed.plan)).relu()
        return torch.cat([self.stars(encoding.stars, placed.stars), dropout(walks, self.dropout, self.training)], dim=1)


@dataclass(frozen=True, eq=False)
class OrientedPairs:
    """Unordered pairs in both orientations, first all ahead, then all back."""

    first: Places
    second: Places
    index: IntArray
    """The unordered pair among the members; -1 for others."""
    plan: WalkPlan
    is_reached: BoolArray


@dataclass(frozen=True, eq=False)
class OrientedGraph:
    """Unordered pairs; both orientations have the same features, as in the published code."""

    pairs: TypedPairs
    rows: SparseRows

    @cached_property
    def members(self) -> OrientedPairs:
        """The pairs themselves."""
        first, second = (Places.of_members(stars) for stars in self._stars(self.pairs.pairs))
        count = np.arange(len(self.pairs.pairs))
        return self._oriented(self.pairs.pairs, first, second, np.concatenate([count, count]))

    def place(self, pairs: Pairs) -> OrientedPairs:
        """Finds pairs."""
        found = self.pairs.find(pairs)
        index, members = np.concatenate([found, found]), self.members
        first, second = (
            Places.of_queries(stars, of.stars.size, index >= 0)
            for stars, of in zip(self._stars(pairs), (members.first, members.second), strict=True)
        )
        return self._oriented(pairs, first, second, index)

    @cached_property
    def joined(self) -> tuple[JoinedPairs, IntArray]:
        """Both orientations of the pairs that have a fact, ascending, and the unordered pair of each."""
        has_fact = np.flatnonzero(np.diff(self.pairs.rowptr))
        both = np.concatenate([self.pairs.pairs[has_fact], self.pairs.pairs[has_fact, ::-1]])
        order = np.lexsort(both.T[::-1])
        return JoinedPairs(both[order], self.pairs.num_nodes), np.concatenate([has_fact, has_fact])[order]

    def _oriented(self, pairs: Pairs, first: Places, second: Places, index: IntArray) -> OrientedPairs:
        plan = self.joined[0].walks(np.concatenate([pairs, pairs[:, ::-1]]), 1)
        return OrientedPairs(first, second, index, plan, reached(plan))

    def _stars(self, pairs: Pairs) -> tuple[Stars, Stars]:
        ahead, back = np.concatenate([pairs, pairs[:, ::-1]]), np.concatenate([pairs[:, ::-1], pairs])
        return tuple(Stars.at_one_end(both[:, 0], self.pairs.num_nodes) for both in (ahead, back))  # type: ignore[return-value]


class OrientedEncoding(NamedTuple):
    """The stars of every convolution and the factors of the product."""

    graph: OrientedGraph
    inputs: list[tuple[Tensor, Tensor]]
    """The members' vectors that the first convolution of each branch reads: its sums and themselves."""
    totals: list[tuple[Tensor, Tensor]]
    """The sums at every entity, for each round and branch."""
    statistics: list[tuple[Statistics | None, Statistics | None]]
    states: Tensor
    """The members after all rounds."""
    left: Tensor
    right: Tensor


class PublishedLocalTwoFWL(TripleNetwork):
    """The published network: local 2-WL in both orientations, and one product over the known facts.

    A pair that neither a fact nor a walk of two facts joins has a zero in place of the product. The vectors of both
    orientations are added before the last linear map.
    """

    def __init__(self, config: LocalTwoFWLTriplesConfig, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=False)
        self.stars, self.steps, self.walks = config.stars, config.steps, config.walks
        self.has_graph_norm = self.stars.rounds > 1
        width = self.stars.channels
        self.inputs = nn.ModuleList(SparseLinear(2 * num_relations, width, bias=False) for _ in range(2))
        self.later = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(2 * (self.stars.rounds - 1)))
        self.biases = nn.ParameterList(torch.zeros(width) for _ in range(2 * self.stars.rounds))
        norms = 2 * self.stars.rounds if self.has_graph_norm else 0
        self.norms = nn.ModuleList(GraphNorm(width) for _ in range(norms))
        self.left = SparseLinear(2 * num_relations, self.walks.channels)
        self.right = SparseLinear(2 * num_relations, self.walks.channels)
        self.product = nn.Linear(self.walks.channels + 1, self.walks.channels)
        self.outer = nn.Linear(width + self.walks.channels, self.num_columns)
        for linear in self.later:
            nn.init.xavier_uniform_(linear.weight)  # type: ignore[arg-type]

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> OrientedGraph:
        """The graph of pairs; no pair of an entity with itself takes part."""
        triples = triples[triples[:, 0] != triples[:, 2]]
        also = None if also is None else also[also[:, 0] != also[:, 1]]
        graph = read_pairs(triples, num_nodes, self.num_relations, is_ordered=False, loops=False, also=also)
        return OrientedGraph(graph.pairs, graph.rows)

    def place(self, graph: OrientedGraph, pairs: Pairs) -> OrientedPairs:
        """Finds pairs."""
        return graph.place(pairs)

    def find(self, graph: OrientedGraph, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of members, and their number."""
        return graph.pairs.find(pairs), len(graph.pairs.pairs)

    def encode(self, graph: OrientedGraph) -> OrientedEncoding:
        """Every convolution on the members, and the factors of the product."""
        own = [linear(graph.rows) for linear in self.inputs]
        index, places = graph.members.index, (graph.members.first, graph.members.second)
        u = [take_rows(x, index) for x in own]
        totals, statistics, x = [], [], u[0]
        for k in range(self.stars.rounds):
            if k > 0:
                u = [self.later[2 * (k - 1) + b](x) for b in (0, 1)]
            sums = [star_totals(u[b], places[b], "symmetric") for b in (0, 1)]
            heard = [hear(sums[b], u[b], places[b], "symmetric") + self.biases[2 * k + b] for b in (0, 1)]
            found = [self.norms[2 * k + b].statistics(heard[b]) if self.has_graph_norm else None for b in (0, 1)]  # type: ignore[operator]
            x = sum((self._star_block(heard[b], k, b, found[b]) for b in (0, 1)), torch.zeros(()))
            totals.append((sums[0], sums[1]))
            statistics.append((found[0], found[1]))
        left, right = (self._block(linear(graph.rows), self.steps) for linear in (self.left, self.right))
        return OrientedEncoding(graph, [(own[0], own[1])], totals, statistics, x, left, right)

    def states(self, encoding: OrientedEncoding, placed: OrientedPairs | None) -> Tensor:
        """Every convolution and the product, added over both orientations."""
        pairs = encoding.graph.members if placed is None else placed
        x = encoding.states if placed is None else self._star_states(encoding, pairs)
        ahead, back = torch.cat([x, self._products(encoding, pairs)], dim=1).chunk(2)
        return ahead + back

    def columns(self, encoding: OrientedEncoding) -> tuple[Tensor, Tensor]:
        """The last map."""
        return self.outer.weight, self.outer.bias

    def _star_states(self, encoding: OrientedEncoding, pairs: OrientedPairs) -> Tensor:
        u = [take_rows(x, pairs.index) for x in encoding.inputs[0]]
        places, x = (pairs.first, pairs.second), u[0]
        for k in range(self.stars.rounds):
            if k > 0:
                u = [self.later[2 * (k - 1) + b](x) for b in (0, 1)]
            heard = [hear(encoding.totals[k][b], u[b], places[b], "symmetric") + self.biases[2 * k + b] for b in (0, 1)]
            x = sum((self._star_block(heard[b], k, b, encoding.statistics[k][b]) for b in (0, 1)), torch.zeros(()))
        return x

    def _products(self, encoding: OrientedEncoding, pairs: OrientedPairs) -> Tensor:
        plan, (_, unordered) = pairs.plan, encoding.graph.joined
        step = torch.from_numpy(unordered[plan.edges])
        left, right = (factor.index_select(0, step) for factor in (encoding.left, encoding.right))
        targets = torch.from_numpy(plan.targets[0])
        y = join(left.index_select(0, torch.from_numpy(plan.first)), right, plan.joins[0]).index_select(0, targets)
        is_fact = torch.from_numpy(plan.adjacent[0][plan.targets[0]] >= 0).to(y)[:, None]
        z = self._block(self.product(torch.cat([y, is_fact], dim=1)), self.walks)
        return z * torch.from_numpy(pairs.is_reached).to(z)[:, None]

    def _star_block(self, x: Tensor, k: int, b: int, statistics: Statistics | None) -> Tensor:
        if not self.has_graph_norm:
            return self._block(x, self.stars)
        x = dropout(self.norms[2 * k + b](x, statistics), self.stars.dropout, self.training)
        return x.relu() if k == 0 else x

    def _block(self, x: Tensor, config: BlockConfig) -> Tensor:
        if config.norm and not self.has_graph_norm:
            x = F.layer_norm(x, x.shape[-1:])
        x = dropout(x, config.dropout, self.training)
        return x.relu() if config.activation else x
