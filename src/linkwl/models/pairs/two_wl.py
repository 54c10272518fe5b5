"""The 2-WL model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import torch
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.pairs.config import PAIR_SPACE, Dropout, PairConfig, Settings
from linkwl.models.pairs.pair_model import GraphInput, PairNetwork
from linkwl.models.pairs.weighted_model import WeightedPairModel
from linkwl.models.space import Space
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.pair_features import LabelledPairs
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.two_wl_conv import BLOCK_ELEMENTS, TwoWLConv


class TwoWLPairs(Settings):
    """The pair layer of 2-WL; see :class:`linkwl.nn.TwoWLConv`."""

    channels: int = Field(default=32, ge=1, le=1 << 16)
    branch: Literal["gated", "perceptron"] = "gated"
    """The function that is summed over all nodes: with a closed form, or a perceptron, which is streamed."""
    branch_layers: int = Field(default=1, ge=1, le=256)
    """Depth of a perceptron branch."""
    branch_norm: bool = True
    branch_activation: bool = True
    update_layers: int = Field(default=1, ge=1, le=256)
    update_activation: bool = True
    dropout: Dropout = 0.1


class TwoWLConfig(PairConfig):
    """Settings of the 2-WL model."""

    pairs: TwoWLPairs = TwoWLPairs()


class TwoWL(WeightedPairModel):
    """2-WL: pairs hear from all pairs that share an end, whether they are edges or not.

    One round, as in the published code. The sums over all nodes have a closed form or are streamed, without a table of
    all pairs; see :class:`linkwl.nn.TwoWLConv`.
    """

    id = "2wl"
    title = "2-WL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[TwoWLConfig]] = TwoWLConfig
    config: TwoWLConfig
    search_space: ClassVar[Space] = PAIR_SPACE

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        if self.config.pairs.branch != "gated":
            return "use the branch with a closed form (pairs.branch=gated), or the model local-2wl"
        return "use fewer channels (encoder.channels), a smaller batch (training.max_batch), or the model local-2wl"

    def build_network(self, shape: Mapping[str, int]) -> TwoWLNetwork:
        """The network for graphs of that shape."""
        return TwoWLNetwork(self.config, shape)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Never if all middle nodes are processed one by one."""
        return self.config.pairs.branch == "gated" and super().is_small(observed, num_targets)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the edges, or of all pairs with an end among the targets."""
        pairs, width, n = self.config.pairs, self.config.encoder.channels, observed.num_nodes
        work = (len(observed.col) + 2 * num_targets) * width * pairs.channels
        memory = FLOAT * KEPT * (width + pairs.channels) * (len(observed.col) + 2 * num_targets)
        if pairs.branch == "perceptron":
            rows = min(2 * num_targets, n)
            work = 2 * rows * n * pairs.channels * (width + pairs.branch_layers * pairs.channels)
            memory = FLOAT * KEPT * (BLOCK_ELEMENTS + (width + pairs.channels) * 2 * num_targets)
        return Cost(float(memory), float(PASSES * work))

    def describe(self, observed: Graph) -> str:
        """Branch and channels."""
        way = "in closed form" if self.config.pairs.branch == "gated" else "streamed"
        return f"sums over all nodes, {way}, {self.config.pairs.channels} channels"


class TwoWLEncoding(NamedTuple):
    """Node vectors at every depth, features of pairs, and the sums of every node if they are already known."""

    nodes: list[Tensor]
    pairs: LabelledPairs
    sums: tuple[Tensor, Tensor] | None


class TwoWLNetwork(PairNetwork):
    """Encoder, labelled products of the ends, one :class:`TwoWLConv`, readout."""

    encoder: NodeEncoder

    def __init__(self, config: TwoWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__(shape)
        pairs, width, is_directed = config.pairs, config.encoder.channels, bool(shape["is_directed"])
        self.encoder = config.encoder.build(shape)
        branch: GatedBranch | Perceptron = GatedBranch(width, pairs.channels)
        if pairs.branch == "perceptron":
            branch = Perceptron(
                width + 2,
                pairs.channels,
                layers=pairs.branch_layers,
                norm=pairs.branch_norm,
                dropout=pairs.dropout,
                activation=pairs.branch_activation,
            )
        update = Perceptron(
            width + 2 + 2 * pairs.channels,
            pairs.channels,
            layers=pairs.update_layers,
            norm=True,
            dropout=pairs.dropout,
            activation=pairs.update_activation,
        )
        self.conv = TwoWLConv(branch, update)
        self.readout = config.readout.build(pairs.channels, config.encoder, is_directed=is_directed, product=True)

    def encode(self, graph: GraphInput) -> TwoWLEncoding:
        """Encodes the nodes and, with a closed form, computes their sums."""
        nodes = self.encoder(graph.adjacency, graph.features)
        x = LabelledPairs.weighted(nodes[-1], graph.adjacency)
        if isinstance(self.conv.branch, Perceptron):
            return TwoWLEncoding(nodes, x, None)
        return TwoWLEncoding(nodes, x, self.conv.sums(x, torch.arange(x.num_nodes, device=x.h.device)))

    def score(self, encoding: TwoWLEncoding, pairs: Tensor) -> Tensor:
        """One round on the pairs, in both orientations."""
        nodes, x, sums = encoding
        both = torch.cat([pairs, pairs.flip(1)])
        if sums is None:
            z = self.conv(x, both)
        else:
            rows, columns = (part.index_select(0, end) for part, end in zip(sums, both.T, strict=True))
            z = self.conv.combine(x.at(both), rows, columns)
        return self.readout(*z.chunk(2), nodes, pairs)
