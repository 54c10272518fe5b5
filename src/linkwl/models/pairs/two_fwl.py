"""The 2-FWL model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost, walk_cost
from linkwl.models.pairs.config import PAIR_SPACE, Dropout, PairConfig, Settings
from linkwl.models.pairs.pair_model import GraphInput, PairNetwork
from linkwl.models.pairs.weighted_model import WeightedPairModel
from linkwl.models.space import Choice, Space
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.encodings import log_scale
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.norms import ColumnNorm, dropout
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.rounds import WalkRounds
from linkwl.nn.two_fwl_conv import TwoFWLConv
from linkwl.nn.two_wl_conv import BLOCK_ELEMENTS


class TwoFWLPairs(Settings):
    """The pair layers of 2-FWL; see :class:`linkwl.nn.TwoFWLConv`."""

    branch: Literal["gated", "perceptron"] = "gated"
    """The functions that are multiplied and summed over all nodes: with a closed form, or perceptrons."""
    channels: int = Field(default=16, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    """With gates: rounds over walks of edges, besides one over all middle nodes. With perceptrons: rounds over all
    middle nodes; more than one round needs a table of all pairs."""
    wide_channels: int = Field(default=8, ge=1, le=1 << 16)
    """With gates: channels on which all pairs send messages, in the first round; on the others only edges do."""
    norm: Literal["layer", "column", "none"] = "layer"
    """With perceptrons: norm of the updates; ``column`` is the published one, see :class:`linkwl.nn.ColumnNorm`."""
    dropout: Dropout = 0.1


class TwoFWLConfig(PairConfig):
    """Settings of the 2-FWL model."""

    pairs: TwoFWLPairs = TwoFWLPairs()


class TwoFWL(WeightedPairModel):
    """2-FWL: pairs hear from every two-step walk between their ends, along edges or not.

    With gates, sums over all middle nodes have a closed form and only needed pairs are computed; with perceptrons the
    last round is streamed and the rounds before it need a table of all pairs. See :class:`linkwl.nn.TwoFWLConv`.
    """

    id = "2fwl"
    title = "2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[TwoFWLConfig]] = TwoFWLConfig
    config: TwoFWLConfig
    search_space: ClassVar[Space] = PAIR_SPACE | {"pairs.rounds": Choice(1, 2, 3)}

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        if self.config.pairs.branch != "gated":
            return "use functions with a closed form (pairs.branch=gated), or the model local-2fwl"
        return "use fewer channels (encoder.channels), a smaller batch (training.max_batch), or the model local-2fwl"

    def build_network(self, shape: Mapping[str, int]) -> PairNetwork:
        """The network for graphs of that shape."""
        is_gated = self.config.pairs.branch == "gated"
        return GatedTwoFWLNetwork(self.config, shape) if is_gated else TableTwoFWLNetwork(self.config, shape)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Never if all middle nodes are processed one by one."""
        return self.config.pairs.branch == "gated" and super().is_small(observed, num_targets)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of edges and walks; or of all middle nodes of the targets, or of a table of all pairs."""
        pairs, width, n, targets = self.config.pairs, self.config.encoder.channels, observed.num_nodes, 2 * num_targets
        if pairs.branch == "gated":
            memory = FLOAT * KEPT * float(width + pairs.wide_channels) * (len(observed.col) + targets)
            work = pairs.wide_channels * width * (3.0 * len(observed.col) + targets * width)
            walks = walk_cost(observed.links, num_targets, rounds=pairs.rounds, channels=pairs.channels)
            return Cost(memory, PASSES * work) + walks
        tables = pairs.rounds if pairs.norm == "column" else pairs.rounds - 1
        memory = FLOAT * KEPT * float(n) * n * (pairs.channels * tables + width * (tables > 0))
        work = float(n) * n * pairs.channels * tables * (n + width)
        if tables < pairs.rounds:
            memory += FLOAT * KEPT * (BLOCK_ELEMENTS + (width + pairs.channels) * targets)
            work += 2.0 * n * pairs.channels * (2 * min(targets, n) * width + targets)
        return Cost(memory, PASSES * work)

    def describe(self, observed: Graph) -> str:
        """Rounds, branch and channels."""
        pairs = self.config.pairs
        if pairs.branch == "gated":
            return f"all middle nodes in closed form, walks of 2 to {pairs.rounds + 1} edges, {pairs.channels} channels"
        return f"all middle nodes one by one, rounds: {pairs.rounds}, {pairs.channels} channels"


class GatedEncoding(NamedTuple):
    """Node vectors at every depth, and the features of pairs."""

    nodes: list[Tensor]
    x: LabelledPairs


class GatedTwoFWLNetwork(PairNetwork):
    """Encoder, one :class:`TwoFWLConv` over all pairs and :class:`WalkRounds` over edges, readout.

    Both are rounds of 2-FWL: if a factor is zero off the edges, the sum over all middle nodes is a sum over walks.
    """

    encoder: NodeEncoder

    def __init__(self, config: TwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__(shape)
        pairs, width, is_directed = config.pairs, config.encoder.channels, bool(shape["is_directed"])
        self.encoder = config.encoder.build(shape)
        self.walks = WalkRounds(width, pairs.channels, pairs.rounds, is_directed=is_directed, dropout=pairs.dropout)
        self.conv = TwoFWLConv(
            GatedBranch(width, pairs.wide_channels),
            GatedBranch(width, pairs.wide_channels),
            Perceptron(width + 2 + pairs.wide_channels, pairs.channels, norm=True, dropout=pairs.dropout),
        )
        read_channels = (pairs.rounds + 1) * pairs.channels
        self.readout = config.readout.build(read_channels, config.encoder, is_directed=is_directed, product=False)

    def encode(self, graph: GraphInput) -> GatedEncoding:
        """Encodes the nodes; walks are found later for the pairs."""
        nodes = self.encoder(graph.adjacency, graph.features)
        return GatedEncoding(nodes, LabelledPairs.weighted(nodes[-1], graph.adjacency))

    def score(self, encoding: GatedEncoding, pairs: Tensor) -> Tensor:
        """All rounds on the pairs and those that they depend on, in both orientations."""
        nodes, x = encoding
        both = torch.cat([pairs, pairs.flip(1)])
        walks = [log_scale(heard) for heard in self.walks(x.h, x.adjacency, both)]
        z = torch.cat([self.conv(x, both), *walks], dim=1)
        return self.readout(*z.chunk(2), nodes, pairs)


class TableEncoding(NamedTuple):
    """Node vectors at every depth, and the features of pairs after all rounds, or all but the last."""

    nodes: list[Tensor]
    x: PairFeatures


class TableTwoFWLNetwork(PairNetwork):
    """Encoder, rounds of :class:`TwoFWLConv` with perceptrons on a table of all pairs, readout."""

    encoder: NodeEncoder

    def __init__(self, config: TwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__(shape)
        pairs, width, is_directed = config.pairs, config.encoder.channels, bool(shape["is_directed"])
        self.encoder = config.encoder.build(shape)
        self.is_last_a_table = pairs.norm == "column"
        self.convs = nn.ModuleList()
        for in_channels in [width + 2] + [pairs.channels] * (pairs.rounds - 1):
            left, right = (Perceptron(in_channels, pairs.channels, dropout=pairs.dropout) for _ in range(2))
            self.convs.append(TwoFWLConv(left, right, _update(pairs, in_channels + pairs.channels)))
        self.readout = config.readout.build(pairs.channels, config.encoder, is_directed=is_directed, product=False)

    def encode(self, graph: GraphInput) -> TableEncoding:
        """Encodes the nodes, and computes the rounds that need a table."""
        nodes = self.encoder(graph.adjacency, graph.features)
        x: PairFeatures = LabelledPairs.weighted(nodes[-1], graph.adjacency)
        for conv in self.convs if self.is_last_a_table else self.convs[:-1]:
            x = DensePairs(conv(x))
        return TableEncoding(nodes, x)

    def score(self, encoding: TableEncoding, pairs: Tensor) -> Tensor:
        """The last round on the pairs, in both orientations; or a look-up in its table."""
        nodes, x = encoding
        both = torch.cat([pairs, pairs.flip(1)])
        z = x.at(both) if self.is_last_a_table else self.convs[-1](x, both)
        return self.readout(*z.chunk(2), nodes, pairs)


class ColumnUpdate(nn.Module):
    """The published update: a linear map, a normalisation of every column of the table, dropout and ReLU.

    Args:
        in_channels: Width of a pair and its walks.
        channels: Width of the output.
        dropout: Dropout before the ReLU.
    """

    def __init__(self, in_channels: int, channels: int, dropout: float) -> None:
        super().__init__()
        self.linear = nn.Linear(in_channels, channels)
        self.norm = ColumnNorm(channels)
        self.dropout = dropout

    def forward(self, x: Tensor) -> Tensor:
        """Updates a table of all pairs."""
        return dropout(self.norm(self.linear(x)), self.dropout, self.training).relu()


def _update(pairs: TwoFWLPairs, in_channels: int) -> nn.Module:
    if pairs.norm == "column":
        return ColumnUpdate(in_channels, pairs.channels, pairs.dropout)
    return Perceptron(in_channels, pairs.channels, norm=pairs.norm == "layer", dropout=pairs.dropout)
