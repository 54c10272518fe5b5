"""INDIGO: a graph convolution over pairs of entities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.graph import KnowledgeGraph
from linkwl.models.gradient import TrainingConfig
from linkwl.models.triples.pair_graph import PairGraph, Placed, place_pairs, read_pairs
from linkwl.models.triples.star_model import Dropout, StarConfig, StarModel
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.norms import dropout
from linkwl.nn.sparse_linear import SparseLinear
from linkwl.nn.star_conv import hear, star_totals, take_rows
from linkwl.typing import IntArray, Pairs, Queries


class IndigoConfig(StarConfig):
    """Settings of INDIGO."""

    channels: int = Field(default=64, ge=1, le=1 << 16)
    dropout: Dropout = 0.5
    training: TrainingConfig = TrainingConfig(learning_rate=0.01, max_steps=600, patience=200)


class Indigo(StarModel):
    r"""INDIGO: two graph convolutions over pairs of entities, adjacent if they share an entity.

    .. math::
        H = \mathrm{ReLU}(\hat A X W_1 + \mathbf{b}_1), \qquad
        \mathrm{logits} = \hat A H W_2 + \mathbf{b}_2

    with a row of X for each pair: which relations it has in the graph, in either direction. Every entity also has a
    pair with itself. The graph of pairs is never built, see :func:`linkwl.nn.star_conv.hear`.

    The published variant knows unordered pairs, whose order is that of the entities' numbers. In ours, a pair is there
    in both orders, with swapped halves, and meets those with the same first or the same second entity.
    """

    id = "indigo"
    title = "INDIGO"
    reference = "Liu et al., INDIGO: GNN-based inductive knowledge graph completion, NeurIPS, 2021."
    Config: ClassVar[type[IndigoConfig]] = IndigoConfig
    config: IndigoConfig
    has_loops = True

    def build_network(self, shape: Mapping[str, int]) -> IndigoNetwork:
        """The network for graphs with that many relations."""
        return IndigoNetwork(self.config, shape["num_relations"])

    def width(self) -> int:
        """Hidden channels."""
        return self.config.channels

    def describe(self, observed: KnowledgeGraph) -> str:
        """Convolutions and channels."""
        return f"two convolutions over pairs that share an entity, {self.config.channels} channels"


class IndigoEncoding(NamedTuple):
    """The stars of both convolutions; enough to score any pair."""

    u: Tensor
    first: Tensor
    hidden: Tensor
    """The members after the first convolution."""
    second: Tensor
    graph: PairGraph


class IndigoNetwork(TripleNetwork):
    """Both convolutions."""

    def __init__(self, config: IndigoConfig, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=config.variant == "ours")
        self.dropout = config.dropout
        self.inner = SparseLinear(2 * num_relations, config.channels, bias=False)
        self.bias = nn.Parameter(torch.empty(config.channels))
        self.outer = nn.Linear(config.channels, self.num_columns)
        for weight in (self.inner.weight, self.bias, self.outer.weight, self.outer.bias):
            bound = 1 / math.sqrt(self.num_columns if weight is self.outer.weight else weight.shape[-1])
            nn.init.uniform_(weight, -bound, bound)

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> PairGraph:
        """The graph of pairs."""
        return read_pairs(triples, num_nodes, self.num_relations, is_ordered=self.is_ordered, loops=True, also=also)

    def place(self, graph: PairGraph, pairs: Pairs) -> Placed:
        """Finds pairs."""
        return place_pairs(graph, pairs)

    def find(self, graph: PairGraph, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of members, and their number."""
        return graph.pairs.find(pairs), len(graph.pairs.pairs)

    def encode(self, graph: PairGraph) -> IndigoEncoding:
        """Both convolutions up to the sums at every entity."""
        u = self.inner(graph.rows)
        first = star_totals(u, graph.members, "row")
        hidden = self._finish(hear(first, u, graph.members, "row"))
        return IndigoEncoding(u, first, hidden, star_totals(hidden, graph.members, "row"), graph)

    def states(self, encoding: IndigoEncoding, placed: Placed | None) -> Tensor:
        """What pairs hear in the second convolution."""
        if placed is None:
            return hear(encoding.second, encoding.hidden, encoding.graph.members, "row")
        u = take_rows(encoding.u, placed.index)
        hidden = self._finish(hear(encoding.first, u, placed.places, "row"))
        return hear(encoding.second, hidden, placed.places, "row")

    def columns(self, encoding: IndigoEncoding) -> tuple[Tensor, Tensor]:
        """The second convolution's weights."""
        return self.outer.weight, self.outer.bias

    def _finish(self, heard: Tensor) -> Tensor:
        return dropout((heard + self.bias).relu(), self.dropout, self.training)
