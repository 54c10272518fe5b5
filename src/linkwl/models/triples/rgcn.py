"""R-GCN with a DistMult decoder."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.errors import LinkwlWarning
from linkwl.graph import KnowledgeGraph
from linkwl.models.gradient import GradientConfig, TrainingConfig, seeded
from linkwl.models.triples.role_counts import RoleCounts
from linkwl.models.triples.star_model import Dropout
from linkwl.models.triples.triple_model import TripleModel
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.relational_conv import RelationalConv, RelationalEdges
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.typing import Pairs, Queries


class RGCNConfig(GradientConfig):
    """Settings of R-GCN."""

    variant: Literal["structural", "embedding"] = "structural"
    """The first state of an entity: how often it is head and tail of each relation, or a vector of its own."""
    channels: int = Field(default=64, ge=1, le=1 << 16)
    layers: int = Field(default=2, ge=1, le=256)
    bases: int = Field(default=4, ge=1, le=1 << 16)
    edge_dropout: Dropout = 0.4
    self_dropout: Dropout = 0.2
    decay: float = Field(default=0.01, ge=0, le=1e9)
    """Penalty on the squared weights of the decoder."""
    training: TrainingConfig = TrainingConfig(learning_rate=0.01, max_steps=600, patience=200)


class RGCN(TripleModel):
    r"""R-GCN: entities hear from their neighbours, with weights for each relation; DistMult scores the triples.

    .. math::
        s(h, r, t) = \sum_c e_{hc}\, w_{rc}\, e_{tc}

    with entity vectors from :class:`linkwl.nn.RelationalConv`. In the published model each entity starts from a vector
    of its own (`embedding`). Entities that were not trained on get untrained vectors, and a warning says so: what is
    left is what messages show of the structure, with one layer hardly anything. The default, `structural`, starts from
    the counts of an entity's relations and needs no training on the entities themselves. Facts are hidden while they
    are predicted, and negatives are uniform.
    """

    id = "rgcn"
    title = "R-GCN"
    reference = "Schlichtkrull et al., Modeling relational data with graph convolutional networks, ESWC, 2018."
    Config: ClassVar[type[RGCNConfig]] = RGCNConfig
    config: RGCNConfig

    def measure(self, observed: KnowledgeGraph) -> dict[str, int]:
        """The number of relations; with embeddings also the entities and a number that stands for their names."""
        shape = super().measure(observed)
        if self.config.variant == "embedding":
            shape |= {"num_nodes": observed.num_nodes, "entities": _fingerprint(observed)}
        return shape

    def build_network(self, shape: Mapping[str, int]) -> RGCNNetwork:
        """The network for graphs of that shape."""
        return RGCNNetwork(self.config, shape)

    def width(self) -> int:
        """Channels of an entity, for every basis."""
        return self.config.channels * (self.config.bases + 1)

    def loss(self, batch: Any) -> Tensor:
        """The cross-entropy of the labels, and the penalty on the decoder."""
        network = self.trained
        assert isinstance(network, RGCNNetwork)
        return super().loss(batch) + self.config.decay * network.relations.square().mean()

    def read(self, observed: KnowledgeGraph) -> RGCNInput:
        """The graph, and whether its entities are those of training."""
        network = self._triple_network
        assert isinstance(network, RGCNNetwork)
        is_known = self.config.variant == "structural" or self.shape["entities"] == _fingerprint(observed)
        if not is_known:
            warnings.warn(
                f"{self.id} has embeddings of the entities that it was trained on, and {observed.name} has others: "
                "they get untrained embeddings, and scores are poor; use variant=structural.",
                LinkwlWarning,
                stacklevel=2,
            )
        return network.read(observed.triples, observed.num_nodes, is_known=is_known)

    def describe(self, observed: KnowledgeGraph) -> str:
        """Variant, layers and channels."""
        return f"{self.config.variant}, {self.config.layers} layers, {self.config.channels} channels"


@dataclass(frozen=True, eq=False)
class RGCNInput:
    """A graph as the network reads it."""

    edges: RelationalEdges
    roles: SparseRows
    is_known: bool
    """Whether the entities have embeddings."""


class RGCNNetwork(TripleNetwork):
    """Encoder and decoder."""

    def __init__(self, config: RGCNConfig, shape: Mapping[str, int]) -> None:
        num_relations = shape["num_relations"]
        super().__init__(num_relations, is_ordered=True)
        width = config.channels
        self.embedding = nn.Embedding(shape["num_nodes"], width) if config.variant == "embedding" else None
        self.start = SparseLinear(2 * num_relations, width) if config.variant == "structural" else None
        self.convs = nn.ModuleList(
            RelationalConv(
                width,
                width,
                2 * num_relations,
                config.bases,
                edge_dropout=config.edge_dropout,
                self_dropout=config.self_dropout,
            )
            for _ in range(config.layers)
        )
        self.relations = nn.Parameter(torch.empty(num_relations, width))
        nn.init.xavier_uniform_(self.relations)

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None, *, is_known: bool = True) -> RGCNInput:
        """Edges and roles."""
        roles = RoleCounts.of(triples, num_nodes, self.num_relations)
        rows = SparseRows(roles.rowptr, roles.col, np.log1p(roles.count), 2 * self.num_relations)
        return RGCNInput(RelationalEdges.of(triples, num_nodes, self.num_relations), rows, is_known)

    def place(self, graph: RGCNInput, pairs: Pairs) -> Tensor:
        """The pairs."""
        return torch.from_numpy(pairs)

    def encode(self, graph: RGCNInput) -> Tensor:
        """The vectors of the entities."""
        x = self._first(graph)
        for k, conv in enumerate(self.convs):
            x = conv(x, graph.edges)
            x = x.relu() if k + 1 < len(self.convs) else x
        return x

    def states(self, encoding: Tensor, placed: Tensor) -> Tensor:
        """Products of both ends."""
        first, second = placed.T
        return encoding.index_select(0, first) * encoding.index_select(0, second)

    def columns(self, encoding: Tensor) -> tuple[Tensor, Tensor]:
        """The vectors of the relations."""
        return self.relations, self.relations.new_zeros(self.num_relations)

    def _first(self, graph: RGCNInput) -> Tensor:
        """The entities' vectors before the first layer."""
        if self.start is not None:
            first: Tensor = self.start(graph.roles).relu()
            return first
        assert self.embedding is not None
        weight = self.embedding.weight
        if graph.is_known:
            return weight
        with seeded(0):
            return torch.randn(graph.roles.num_rows, weight.shape[1]).to(weight)


def _fingerprint(graph: KnowledgeGraph) -> int:
    """A number below 2**47 for the names of the entities."""
    digest = hashlib.sha256(str(graph.num_nodes).encode())
    graph.ids.update_digest(digest)
    return int.from_bytes(digest.digest()[:6], "big") >> 1
