"""The local 2-FWL model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import torch
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.cost import Cost, walk_cost
from linkwl.models.pairs.config import PAIR_SPACE, Dropout, PairConfig, Settings
from linkwl.models.pairs.pair_model import FEW_NUMBERS, GraphInput, PairNetwork
from linkwl.models.pairs.weighted_model import WeightedPairModel
from linkwl.models.space import Choice, Space
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.encodings import log_scale
from linkwl.nn.rounds import UnionRounds, WalkRounds
from linkwl.sparse import plan_unions


class LocalTwoFWLPairs(Settings):
    """The pair layers of local 2-FWL; see :class:`linkwl.nn.LocalTwoFWLConv`."""

    channels: int = Field(default=16, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    neighbourhood: Literal["both", "either"] = "both"
    """Walks with both edges observed, as in the published code, or with at least one, as in the paper. The settings
    below, except the dropout, are for the first."""
    dropout: Dropout = 0.1
    """Dropout on the edges' factors."""
    normalise: bool = True
    """Whether an edge's factor is divided by the root of the degrees of its ends."""
    factor: Literal["softplus", "relu"] = "softplus"
    """The function that makes the factors positive."""
    bias: bool = False
    """Whether the updates have a bias; pairs joined by neither a walk nor an edge stay zero in any case."""
    norm: Literal["layer", "none"] = "none"
    """For the updates."""
    update_dropout: Dropout = 0.0
    """For the updates."""
    read: Literal["every", "last"] = "every"
    """Every round on a logarithmic scale, or the last round unscaled."""

    @property
    def read_channels(self) -> int:
        """Width of the readout's input."""
        return self.rounds * self.channels if self.neighbourhood == "both" and self.read == "every" else self.channels

    def build(self, node_channels: int, *, is_directed: bool) -> WalkRounds | UnionRounds:
        """The rounds, on node vectors of this width."""
        if self.neighbourhood == "either":
            return UnionRounds(node_channels, self.channels, self.rounds, dropout=self.dropout)
        return WalkRounds(
            node_channels,
            self.channels,
            self.rounds,
            is_directed=is_directed,
            dropout=self.dropout,
            normalise=self.normalise,
            factor=self.factor,
            bias=self.bias,
            norm=self.norm,
            update_dropout=self.update_dropout,
        )


class LocalTwoFWLConfig(PairConfig):
    """Settings of the local 2-FWL model."""

    pairs: LocalTwoFWLPairs = LocalTwoFWLPairs()


class LocalTwoFWL(WeightedPairModel):
    """Local 2-FWL: pairs hear from the walks of observed edges between their ends, one edge longer with every round.

    An edge's factor is positive, learned from its two ends, and divided by the root of their degrees, so that walks
    through hubs have little weight. Every round is read out, on a logarithmic scale. In a directed graph walks go along
    and against edges, and a factor hears which.
    """

    id = "local-2fwl"
    quick = 4e6
    title = "local 2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[LocalTwoFWLConfig]] = LocalTwoFWLConfig
    config: LocalTwoFWLConfig
    search_space: ClassVar[Space] = PAIR_SPACE | {"pairs.rounds": Choice(1, 2, 3, 4, 5)}

    def build_network(self, shape: Mapping[str, int]) -> LocalTwoFWLNetwork:
        """The network for graphs of that shape."""
        return LocalTwoFWLNetwork(self.config, shape)

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        return "use fewer rounds (pairs.rounds), a smaller batch (training.max_batch), or the model local-2wl"

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether the walks between the targets are also few, by the mean degree."""
        walks = 2 * num_targets * len(observed.col) / max(observed.num_nodes, 1)
        return walks * self.config.pairs.channels < FEW_NUMBERS and super().is_small(observed, num_targets)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the walks of the targets."""
        pairs = self.config.pairs
        if pairs.neighbourhood == "both":
            return walk_cost(observed.links, num_targets, rounds=pairs.rounds, channels=pairs.channels)
        return walk_cost(observed, num_targets, rounds=pairs.rounds, channels=pairs.channels, plan=plan_unions)

    def describe(self, observed: Graph) -> str:
        """Length of walks and channels."""
        pairs = self.config.pairs
        if pairs.neighbourhood == "either":
            return f"steps along the edges at either end, rounds: {pairs.rounds}, {pairs.channels} channels"
        return f"walks of 2 to {pairs.rounds + 1} edges, {pairs.channels} channels"


class LocalTwoFWLEncoding(NamedTuple):
    """Node vectors at every depth, and the edges to walk on."""

    nodes: list[Tensor]
    adjacency: Adjacency


class LocalTwoFWLNetwork(PairNetwork):
    """Encoder, :class:`WalkRounds` or :class:`UnionRounds`, readout."""

    encoder: NodeEncoder

    def __init__(self, config: LocalTwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__(shape)
        self.pairs, is_directed = config.pairs, bool(shape["is_directed"])
        self.encoder = config.encoder.build(shape)
        self.walks = self.pairs.build(config.encoder.channels, is_directed=is_directed)
        self.readout = config.readout.build(
            self.pairs.read_channels, config.encoder, is_directed=is_directed, product=False
        )

    def encode(self, graph: GraphInput) -> LocalTwoFWLEncoding:
        """Encodes the nodes; walks are found later for the pairs."""
        return LocalTwoFWLEncoding(self.encoder(graph.adjacency, graph.features), graph.adjacency)

    def score(self, encoding: LocalTwoFWLEncoding, pairs: Tensor) -> Tensor:
        """Every round on the pairs and those that they depend on, in both orientations."""
        heard = self.walks(encoding.nodes[-1], encoding.adjacency, torch.cat([pairs, pairs.flip(1)]))
        if isinstance(heard, Tensor):
            z = heard
        else:
            z = torch.cat([log_scale(x) for x in heard], dim=1) if self.pairs.read == "every" else heard[-1]
        return self.readout(*z.chunk(2), encoding.nodes, pairs)
