"""Local 2-FWL on triples as published, and the settings of both variants."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.models.gradient import TrainingConfig
from linkwl.models.triples.pair_graph import read_pairs
from linkwl.models.triples.star_model import Dropout, StarConfig
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.norms import dropout
from linkwl.nn.operators import join
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.star_branch import BranchSums, StarBranch
from linkwl.nn.star_conv import Places, take_rows
from linkwl.nn.typed_walks import JoinedPairs, reached
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

    channels: int = Field(default=64, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    """In `paper`, 1 for the published form with LayerNorm and 2 for the one with GraphNorm."""
    dropout: Dropout = 0.3
    role_dropout: Dropout = 0.2
    """Dropout on the roles of entities, in `ours`."""


class WalksConfig(BlockConfig):
    """The part that is a product over the facts between two entities."""

    channels: int = Field(default=32, ge=1, le=1 << 16)
    rounds: int = Field(default=1, ge=1, le=256)
    """Walks of 2 to ``rounds`` + 1 steps, in `ours`."""
    hidden: int = Field(default=32, ge=1, le=1 << 16)
    """Channels that the walks are read by, in `ours`."""


class LocalTwoFWLTriplesConfig(StarConfig):
    """Settings of local 2-FWL on triples."""

    stars: StarsConfig = StarsConfig()
    steps: BlockConfig = BlockConfig()
    """The two factors of the product."""
    walks: WalksConfig = WalksConfig()
    training: TrainingConfig = TrainingConfig(learning_rate=0.01, max_steps=600, patience=200)


@dataclass(frozen=True, eq=False)
class OrientedPairs:
    """Unordered pairs in both orientations, first all ahead, then all back."""

    places: list[Places]
    """Among the pairs with the same first entity, and among those with the same second."""
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
        places = [Places.of_members(stars) for stars in self._stars(self.pairs.pairs)]
        count = np.arange(len(self.pairs.pairs))
        return self._oriented(self.pairs.pairs, places, np.concatenate([count, count]))

    def place(self, pairs: Pairs) -> OrientedPairs:
        """Finds pairs."""
        found = self.pairs.find(pairs)
        index = np.concatenate([found, found])
        places = [
            Places.of_queries(stars, members.stars.size, index >= 0)
            for stars, members in zip(self._stars(pairs), self.members.places, strict=True)
        ]
        return self._oriented(pairs, places, index)

    @cached_property
    def joined(self) -> tuple[JoinedPairs, IntArray]:
        """Both orientations of the pairs that have a fact, ascending, and the unordered pair of each."""
        has_fact = np.flatnonzero(np.diff(self.pairs.rowptr))
        both = np.concatenate([self.pairs.pairs[has_fact], self.pairs.pairs[has_fact, ::-1]])
        order = np.lexsort(both.T[::-1])
        return JoinedPairs(both[order], self.pairs.num_nodes), np.concatenate([has_fact, has_fact])[order]

    def _oriented(self, pairs: Pairs, places: list[Places], index: IntArray) -> OrientedPairs:
        plan = self.joined[0].walks(np.concatenate([pairs, pairs[:, ::-1]]), 1)
        return OrientedPairs(places, index, plan, reached(plan))

    def _stars(self, pairs: Pairs) -> list[Stars]:
        both = np.concatenate([pairs, pairs[:, ::-1]])
        return [Stars.at_one_end(both[:, k], self.pairs.num_nodes) for k in (0, 1)]


class OrientedEncoding(NamedTuple):
    """All that the vectors of pairs need."""

    graph: OrientedGraph
    inputs: list[Tensor]
    """The members' vectors that each branch reads in the first round."""
    sums: list[tuple[BranchSums, BranchSums]]
    """For each round and branch."""
    states: Tensor
    """The members after all rounds."""
    left: Tensor
    right: Tensor


class PublishedLocalTwoFWL(TripleNetwork):
    """The published network: local 2-WL in both orientations, and one product over the known facts.

    A pair that neither a fact nor a walk of two facts joins has zeros in place of the product. The vectors of both
    orientations are added before the last linear map. With two rounds, the blocks have GraphNorm after convolutions and
    no LayerNorm, and the second round has no ReLU.
    """

    def __init__(self, config: LocalTwoFWLTriplesConfig, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=False)
        stars, self.steps, self.walks = config.stars, config.steps, config.walks
        self.has_graph_norm = stars.rounds > 1
        self.inputs = nn.ModuleList(SparseLinear(2 * num_relations, stars.channels, bias=False) for _ in range(2))
        # Two for each round, one after the other.
        self.later = nn.ModuleList(
            nn.Linear(stars.channels, stars.channels, bias=False) for _ in range(2 * (stars.rounds - 1))
        )
        self.branches = nn.ModuleList(
            StarBranch(
                stars.channels,
                graph_norm=self.has_graph_norm,
                layer_norm=stars.norm and not self.has_graph_norm,
                dropout=stars.dropout,
                activation=stars.activation and k < 2,
            )
            for k in range(2 * stars.rounds)
        )
        self.left = SparseLinear(2 * num_relations, self.walks.channels)
        self.right = SparseLinear(2 * num_relations, self.walks.channels)
        self.product = nn.Linear(self.walks.channels + 1, self.walks.channels)
        self.outer = nn.Linear(stars.channels + self.walks.channels, self.num_columns)
        for weight in self.later.parameters():
            nn.init.xavier_uniform_(weight)

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
        inputs = [linear(graph.rows) for linear in self.inputs]
        u, rounds = [torch.cat([x, x]) for x in inputs], []
        places = graph.members.places
        for k, (first, second) in enumerate(self._rounds):
            (x, first_sums), (y, second_sums) = first.observe(u[0], places[0]), second.observe(u[1], places[1])
            x = x + y
            rounds.append((first_sums, second_sums))
            u = self._next(k, x)
        left, right = (self._block(linear(graph.rows), self.steps) for linear in (self.left, self.right))
        return OrientedEncoding(graph, inputs, rounds, x, left, right)

    def states(self, encoding: OrientedEncoding, placed: OrientedPairs | None) -> Tensor:
        """Every convolution and the product, added over both orientations."""
        pairs = encoding.graph.members if placed is None else placed
        x = encoding.states if placed is None else self._star_states(encoding, pairs)
        parts = (part.chunk(2) for part in (x, self._products(encoding, pairs)))
        return torch.cat([ahead + back for ahead, back in parts], dim=1)

    def columns(self, encoding: OrientedEncoding) -> tuple[Tensor, Tensor]:
        """The last map."""
        return self.outer.weight, self.outer.bias

    def _star_states(self, encoding: OrientedEncoding, pairs: OrientedPairs) -> Tensor:
        u, places = [take_rows(x, pairs.index) for x in encoding.inputs], pairs.places
        for k, ((first, second), sums) in enumerate(zip(self._rounds, encoding.sums, strict=True)):
            x: Tensor = first(u[0], sums[0], places[0]) + second(u[1], sums[1], places[1])
            u = self._next(k, x)
        return x

    def _next(self, k: int, x: Tensor) -> list[Tensor]:
        """What the branches of the round after round k read."""
        return [linear(x) for linear in self.later[2 * k : 2 * k + 2]]

    @property
    def _rounds(self) -> list[tuple[StarBranch, StarBranch]]:
        branches = cast("list[StarBranch]", list(self.branches))
        return list(zip(branches[::2], branches[1::2], strict=True))

    def _products(self, encoding: OrientedEncoding, pairs: OrientedPairs) -> Tensor:
        plan, (_, unordered) = pairs.plan, encoding.graph.joined
        step = torch.from_numpy(unordered[plan.edges])
        left, right = (factor.index_select(0, step) for factor in (encoding.left, encoding.right))
        targets = torch.from_numpy(plan.targets[0])
        y = join(left.index_select(0, torch.from_numpy(plan.first)), right, plan.joins[0]).index_select(0, targets)
        is_fact = torch.from_numpy(plan.adjacent[0][plan.targets[0]] >= 0).to(y)[:, None]
        z = self._block(self.product(torch.cat([y, is_fact], dim=1)), self.walks)
        return z * torch.from_numpy(pairs.is_reached).to(z)[:, None]

    def _block(self, x: Tensor, config: BlockConfig) -> Tensor:
        if config.norm and not self.has_graph_norm:
            x = F.layer_norm(x, x.shape[-1:])
        x = dropout(x, config.dropout, self.training)
        return x.relu() if config.activation else x
