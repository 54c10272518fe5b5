"""The 2-FWL model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.graph import Graph
from linkwl.models.cost import Cost
from linkwl.models.encoder_cost import FLOAT, KEPT, PASSES
from linkwl.models.pair_config import Dropout, PairConfig, Settings
from linkwl.models.pair_model import PairModel, PairNetwork
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.edge_weight import edge_weight
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.log_scale import log_scale
from linkwl.nn.norms import ColumnNorm
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.two_fwl_conv import BLOCK_ELEMENTS, TwoFWLConv


class TwoFWLPairs(Settings):
    """The pair layers of 2-FWL; see :class:`linkwl.nn.TwoFWLConv`."""

    channels: int = Field(default=24, ge=1)
    local_share: float = Field(default=0.67, ge=0, le=1)
    """Share of a gated branch's channels on which only edges speak; those are read on a logarithmic scale."""
    rounds: int = Field(default=1, ge=1)
    """More than one needs a table of all pairs."""
    branch: Literal["gated", "perceptron"] = "gated"
    """What is multiplied: functions with a closed form, in the first round, or any perceptrons."""
    norm: Literal["layer", "column", "none"] = "layer"
    """In the updates of perceptron rounds; ``column`` is the published one, see :class:`linkwl.nn.ColumnNorm`."""
    dropout: Dropout = 0.1

    @property
    def needs_table(self) -> bool:
        """Whether the last round, too, is computed for all pairs."""
        return self.norm == "column"


class TwoFWLConfig(PairConfig):
    """Settings of the 2-FWL model."""

    pairs: TwoFWLPairs = TwoFWLPairs()


class TwoFWL(PairModel):
    """2-FWL: pairs hear from every two-step walk between their ends, along edges or not.

    The last round is computed at the pairs that are scored only, in closed form or streamed, see
    :class:`linkwl.nn.TwoFWLConv`; rounds before it need a table of all pairs.
    """

    id = "2fwl"
    title = "2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[TwoFWLConfig]] = TwoFWLConfig
    config: TwoFWLConfig
    remedy = "use one round with a closed form (pairs.rounds=1, pairs.branch=gated), or the model local-2fwl"

    def build_network(self, shape: Mapping[str, int]) -> TwoFWLNetwork:
        """The network for graphs of that shape."""
        return TwoFWLNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The edges and walks, all middle nodes of the targets, or a table of all pairs."""
        pairs, width, n, targets = self.config.pairs, self.config.encoder.channels, observed.num_nodes, 2 * num_targets
        tables = pairs.rounds if pairs.needs_table else pairs.rounds - 1
        memory = FLOAT * KEPT * float(n) * n * (pairs.channels * tables + width * (tables > 0))
        work = float(n) * n * pairs.channels * tables * (n + width)
        if tables < pairs.rounds and (pairs.branch == "gated" and pairs.rounds == 1):
            memory += FLOAT * KEPT * (width + pairs.channels) * (len(observed.col) + targets)
            work += len(observed.col) * width * pairs.channels * 4 + targets * pairs.channels * width * width
        elif tables < pairs.rounds:
            memory += FLOAT * KEPT * (BLOCK_ELEMENTS + (width + pairs.channels) * targets)
            work += 2.0 * n * (min(targets, n) * width * pairs.channels * 2 + targets * pairs.channels)
        return Cost(memory, PASSES * work)

    def describe(self, observed: Graph) -> str:
        """Rounds, branch and channels."""
        pairs = self.config.pairs
        way = "in closed form" if pairs.branch == "gated" and pairs.rounds == 1 else "computed"
        return f"{pairs.rounds} rounds over all middle nodes, {way}, {pairs.channels} channels"


class Encoding(NamedTuple):
    """Node vectors at every depth, and the pairs that the last round reads."""

    nodes: list[Tensor]
    x: PairFeatures


class WalkUpdate(nn.Module):
    """The update of a gated round: walks of edges on a logarithmic scale, then a perceptron.

    Args:
        in_channels: Width of a pair before the round.
        channels: Width of the walks, and of the output.
        local_channels: How many of the walks' channels are walks of edges only.
        dropout: Dropout in the perceptron.
    """

    def __init__(self, in_channels: int, channels: int, local_channels: int, dropout: float) -> None:
        super().__init__()
        self.widths = [in_channels, local_channels, channels - local_channels]
        self.perceptron = Perceptron(in_channels + channels, channels, dropout=dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Updates pairs of any leading shape, given their features and walks side by side."""
        own, local, wide = x.split(self.widths, dim=-1)
        return self.perceptron(torch.cat([own, log_scale(local), wide], dim=-1))


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
        return F.dropout(self.norm(self.linear(x)), self.dropout, self.training).relu()


class TwoFWLNetwork(PairNetwork):
    """Encoder, labelled products of the ends, rounds of :class:`TwoFWLConv`, readout."""

    def __init__(self, config: TwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.pairs = pairs = config.pairs
        width, is_directed = config.encoder.channels, bool(shape["is_directed"])
        self.encoder = config.encoder.build(
            num_features=shape["num_features"], max_degree=shape["max_degree"], is_directed=is_directed
        )
        self.convs = nn.ModuleList()
        for number in range(pairs.rounds):
            in_channels = width + 2 if number == 0 else pairs.channels
            if number == 0 and pairs.branch == "gated":
                local = round(pairs.local_share * pairs.channels)
                left, right = (GatedBranch(width, pairs.channels, local) for _ in range(2))
                update: nn.Module = WalkUpdate(in_channels, pairs.channels, local, pairs.dropout)
                self.convs.append(TwoFWLConv(left, right, update))
            else:
                first, second = (Perceptron(in_channels, pairs.channels, dropout=pairs.dropout) for _ in range(2))
                update = (
                    ColumnUpdate(in_channels + pairs.channels, pairs.channels, pairs.dropout)
                    if pairs.norm == "column"
                    else Perceptron(
                        in_channels + pairs.channels, pairs.channels, norm=pairs.norm == "layer", dropout=pairs.dropout
                    )
                )
                self.convs.append(TwoFWLConv(first, second, update))
        self.readout = config.readout.build(pairs.channels, config.encoder, is_directed=is_directed, product=False)

    def encode(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Encoding:
        """The nodes, and all rounds but the last on all pairs."""
        nodes = self.encoder(adjacency, features)
        h = nodes[-1]
        x: PairFeatures = LabelledPairs(h, adjacency, edge_weight(adjacency, adjacency.pairs, h.dtype))
        for conv in self.convs if self.pairs.needs_table else self.convs[:-1]:
            x = DensePairs(conv(x))
        return Encoding(nodes, x)

    def score(self, encoding: Encoding, pairs: Tensor) -> Tensor:
        """The last round on the pairs, both ways round."""
        nodes, x = encoding
        both = torch.cat([pairs, pairs.flip(1)])
        z = x.at(both) if self.pairs.needs_table else self.convs[-1](x, both)
        return self.readout(*z.chunk(2), nodes, pairs)
