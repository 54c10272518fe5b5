"""The local 2-FWL model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import numpy as np
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
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.log_scale import log_scale
from linkwl.nn.pair_linear import PairLinear
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.walk_tensors import walk_tensors
from linkwl.sparse import Triples, plan_walks
from linkwl.typing import IntArray


class LocalTwoFWLPairs(Settings):
    """The pair layers of local 2-FWL; see :class:`linkwl.nn.LocalTwoFWLConv`."""

    channels: int = Field(default=16, ge=1)
    rounds: int = Field(default=2, ge=1)
    dropout: Dropout = 0.1
    """Dropout on the edges' factors."""
    normalise: bool = True
    """Whether an edge's factor is divided by the root of the degrees of its ends."""
    factor: Literal["softplus", "relu"] = "softplus"
    """What makes the factors positive."""
    bias: bool = False
    """Whether the updates have one; pairs that no walk reaches then do not stay zero."""
    norm: Literal["layer", "none"] = "none"
    """In the updates."""
    update_dropout: Dropout = 0.0
    """In the updates."""
    read: Literal["every", "last"] = "every"
    """Every round on a logarithmic scale, or the last round as it is."""


class LocalTwoFWLConfig(PairConfig):
    """Settings of the local 2-FWL model."""

    pairs: LocalTwoFWLPairs = LocalTwoFWLPairs()


class LocalTwoFWL(PairModel):
    """Local 2-FWL: pairs hear from the walks of observed edges between their ends, one edge longer with every round.

    An edge's factor is positive, learned from its two ends, and divided by the root of their degrees, so that a walk
    through a hub counts for little. Every round is read out, on a logarithmic scale.
    """

    id = "local-2fwl"
    title = "local 2-FWL"
    reference = "Hu et al., Two-dimensional Weisfeiler-Lehman graph neural networks for link prediction, 2022."
    Config: ClassVar[type[LocalTwoFWLConfig]] = LocalTwoFWLConfig
    config: LocalTwoFWLConfig
    remedy = "use fewer rounds (pairs.rounds), a smaller batch (training.max_batch), or the model local-2wl"

    def build_network(self, shape: Mapping[str, int]) -> LocalTwoFWLNetwork:
        """The network for graphs of that shape."""
        return LocalTwoFWLNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The walks of the targets, counted on a sample of edges, which have more of them than other pairs."""
        c, rounds = self.config.pairs.channels, self.config.pairs.rounds
        sample = observed.edges[:: max(1, observed.num_edges // 64)][:64]
        if len(sample) == 0:
            return Cost()
        plan = plan_walks(observed.rowptr, observed.col, sample, rounds, transposed=_transposed(observed))
        share = 2 * num_targets / len(sample)
        terms = share * sum(triples.num_terms for triples in plan.joins)
        pairs = share * sum(triples.num_out for triples in plan.joins)
        edges = min(share * len(plan.edges), len(observed.col))
        memory = 30.0 * terms + FLOAT * KEPT * c * (pairs + edges * (rounds + 1))
        return Cost(memory, 2.0 * PASSES * (terms * c + pairs * c * c))

    def describe(self, observed: Graph) -> str:
        """Length of walks and channels."""
        return f"walks of 2 to {self.config.pairs.rounds + 1} edges, {self.config.pairs.channels} channels"


class Encoding(NamedTuple):
    """Node vectors at every depth, and the edges to walk on."""

    nodes: list[Tensor]
    adjacency: Adjacency


class LocalTwoFWLNetwork(PairNetwork):
    """Encoder, factors of the edges, rounds of :class:`LocalTwoFWLConv`, readout."""

    def __init__(self, config: LocalTwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.pairs = config.pairs
        is_directed, channels, rounds = bool(shape["is_directed"]), self.pairs.channels, self.pairs.rounds
        self.encoder = config.encoder.build(
            num_features=shape["num_features"], max_degree=shape["max_degree"], is_directed=is_directed
        )
        width = config.encoder.channels
        self.factors = nn.ModuleList(PairLinear(width, channels) for _ in range(rounds + 1))
        self.convs = nn.ModuleList(
            LocalTwoFWLConv(
                channels, channels, bias=self.pairs.bias, norm=self.pairs.norm, dropout=self.pairs.update_dropout
            )
            for _ in range(rounds)
        )
        read_channels = rounds * channels if self.pairs.read == "every" else channels
        self.readout = config.readout.build(read_channels, config.encoder, is_directed=is_directed, product=False)

    def encode(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Encoding:
        """The nodes; walks are found for the pairs."""
        return Encoding(self.encoder(adjacency, features), adjacency)

    def score(self, encoding: Encoding, pairs: Tensor) -> Tensor:
        """Every round on the pairs and what they depend on, both ways round."""
        adjacency, h = encoding.adjacency, encoding.nodes[-1]
        plan = walk_tensors(adjacency, torch.cat([pairs, pairs.flip(1)]), self.pairs.rounds)
        ends = adjacency.ends(plan.edges)
        weight = edge_weight(adjacency, ends, h.dtype) if self.pairs.normalise else h.new_ones(len(ends))
        first, *later = (self._factor(factor, h, ends, weight) for factor in self.factors)
        labels = F.pad(weight, (0, 1))  # the last one is for -1, no edge
        x, heard = first.index_select(0, plan.first), []
        for conv, factor, triples, adjacent, targets in zip(
            self.convs, later, plan.joins, plan.adjacent, plan.targets, strict=True
        ):
            x = conv(x, factor, triples, labels[adjacent][:, None])
            if self.pairs.bias:
                x = x * _is_reached(triples, adjacent)[:, None]
            heard.append(x.index_select(0, targets))
        z = torch.cat([log_scale(y) for y in heard], dim=1) if self.pairs.read == "every" else heard[-1]
        return self.readout(*z.chunk(2), encoding.nodes, pairs)

    def _factor(self, linear: nn.Module, h: Tensor, ends: Tensor, weight: Tensor) -> Tensor:
        told = F.dropout(linear(h, ends), self.pairs.dropout, self.training)
        return (F.softplus(told) if self.pairs.factor == "softplus" else told.relu()) * weight[:, None]


def _transposed(graph: Graph) -> tuple[IntArray, IntArray] | None:
    """The rows of the turned edges, where they are other edges."""
    if not graph.is_directed:
        return None
    turned = graph.to_scipy().T.tocsr()
    return turned.indptr.astype(np.int64), turned.indices.astype(np.int32)


def _is_reached(triples: Triples, adjacent: Tensor) -> Tensor:
    """Whether a walk or an edge leads from the first node of a pair to its second."""
    return torch.from_numpy(triples.ptr[1:] > triples.ptr[:-1]).to(adjacent.device) | (adjacent >= 0)
