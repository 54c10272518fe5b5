"""The local 2-WL model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple, cast

import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.models.cost import FETCH, FLOAT, KEPT, PASSES, Cost
from linkwl.models.pairs.config import PAIR_SPACE, Dropout, PairConfig, Settings
from linkwl.models.pairs.pair_model import GraphInput, PairNetwork
from linkwl.models.pairs.weighted_model import WeightedPairModel
from linkwl.models.space import Choice, Space
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.local_two_wl_conv import LocalTwoWLConv, Star
from linkwl.nn.norms import NormName
from linkwl.nn.pair_features import PairFeatures, ProductPairs


class LocalTwoWLPairs(Settings):
    """The pair layers of local 2-WL; see :class:`linkwl.nn.LocalTwoWLConv`."""

    channels: int = Field(default=64, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    norm: NormName = "graph"
    dropout: Dropout = 0.1


class LocalTwoWLConfig(PairConfig):
    """Settings of the local 2-WL model."""

    pairs: LocalTwoWLPairs = LocalTwoWLPairs()


class LocalTwoWL(WeightedPairModel):
    """Local 2-WL: pairs hear from the observed edges at their ends, round after round.

    It costs as much as a graph convolution on the nodes, see :class:`linkwl.nn.LocalTwoWLConv`, and distinguishes the
    same pairs as such a convolution.
    """

    id = "local-2wl"
    quick = 4e6
    title = "local 2-WL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[LocalTwoWLConfig]] = LocalTwoWLConfig
    config: LocalTwoWLConfig
    search_space: ClassVar[Space] = PAIR_SPACE | {"pairs.rounds": Choice(1, 2, 3)}

    def build_network(self, shape: Mapping[str, int]) -> LocalTwoWLNetwork:
        """The network for graphs of that shape."""
        return LocalTwoWLNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of every round on nodes, and on the targets in both orientations."""
        c, n, targets = self.config.pairs.channels, observed.num_nodes, 2 * num_targets
        # A node's vectors are shared by all targets, so fewer of them are stored.
        memory = 2.0 * FLOAT * KEPT * c * (n / 2 + targets) * self.config.pairs.rounds
        work = len(observed.col) * (c + FETCH) + (n + targets) * c * (c + KEPT)
        return Cost(memory, 2.0 * PASSES * self.config.pairs.rounds * work)

    def describe(self, observed: Graph) -> str:
        """Rounds and channels."""
        return f"{self.config.pairs.rounds} rounds over the edges at both ends, {self.config.pairs.channels} channels"


class LocalTwoWLEncoding(NamedTuple):
    """Everything that a pair's score needs, without the graph itself."""

    nodes: list[Tensor]
    x: Tensor
    stars: list[tuple[Star, Star]]


class LocalTwoWLNetwork(PairNetwork):
    """Encoder, product of the ends, rounds of :class:`LocalTwoWLConv`, readout."""

    encoder: NodeEncoder

    def __init__(self, config: LocalTwoWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__(shape)
        pairs, is_directed = config.pairs, bool(shape["is_directed"])
        self.encoder = config.encoder.build(shape)
        self.widen = nn.Linear(config.encoder.channels, pairs.channels)
        self.convs = nn.ModuleList(
            LocalTwoWLConv(pairs.channels, pairs.channels, norm=pairs.norm, dropout=pairs.dropout)
            for _ in range(pairs.rounds)
        )
        self.readout = config.readout.build(pairs.channels, config.encoder, is_directed=is_directed, product=True)

    def encode(self, graph: GraphInput) -> LocalTwoWLEncoding:
        """Every round on the observed edges."""
        nodes = self.encoder(graph.adjacency, graph.features)
        x = self.widen(nodes[-1])
        state: PairFeatures = ProductPairs(x)
        stars = []
        for conv in self._convs:
            state, star = conv.observe(state, graph.adjacency)
            stars.append(star)
        return LocalTwoWLEncoding(nodes, x, stars)

    def score(self, encoding: LocalTwoWLEncoding, pairs: Tensor) -> Tensor:
        """Every round on the pairs, in both orientations."""
        both = torch.cat([pairs, pairs.flip(1)])
        z = ProductPairs(encoding.x).at(both)
        for conv, star in zip(self._convs, encoding.stars, strict=True):
            z = conv.score(star, both, z)
        return self.readout(*z.chunk(2), encoding.nodes, pairs)

    @property
    def _convs(self) -> Iterator[LocalTwoWLConv]:
        return cast("Iterator[LocalTwoWLConv]", iter(self.convs))
