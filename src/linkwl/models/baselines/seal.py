"""SEAL: a graph network on the subgraph around a pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.models.baselines.subgraph_model import SubgraphConfig, SubgraphModel
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost, some_pairs
from linkwl.models.gradient import TrainingConfig
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.dgcnn import DGCNN, MIN_LENGTH
from linkwl.nn.encoder import NodeInput
from linkwl.nn.sparse_linear import SparseRows
from linkwl.typing import Pairs

_SAMPLE = 500  # links, and as many other pairs, whose subgraphs are measured
_QUANTILE = 0.6  # of the subgraphs have no more nodes than the network reads
_INDEX = 8


class SealConfig(SubgraphConfig):
    """Settings of SEAL."""

    channels: int = Field(default=32, ge=1, le=1 << 16)
    layers: int = Field(default=4, ge=2, le=256)
    dropout: float = Field(default=0.5, ge=0, lt=1)
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.001,
        batch_ratio=1.0,
        max_batch=32,
        max_steps=1500,
        patience=600,
        evaluate_every=50,
        average=0.98,
    )


class Seal(SubgraphModel):
    """SEAL: DGCNN on the enclosing subgraph of a pair, its nodes labelled by their distances to both ends.

    The subgraph holds the nodes at most two hops from either end and the edges between them, without that of the pair
    itself. The labels are those of :func:`linkwl.sparse.pair_subgraphs.pair_subgraphs`; :class:`linkwl.nn.dgcnn.DGCNN`
    reads them, and the features of the nodes, if there are any. Links that are predicted in the same step do not see
    each other either, and negatives are drawn anew in every step; the published ones are fixed.

    By default a subgraph has at most 100 nodes at each distance, so that two hops are affordable around hubs; where
    nodes of equal rank compete for the last places, their numbers decide, and so relabelling may matter. Time and
    memory grow with the subgraphs of a step; they are found so fast that none is stored.
    """

    id = "seal"
    title = "SEAL"
    reference = "Zhang and Chen, Link prediction based on graph neural networks, NeurIPS, 2018."
    search_space: ClassVar[Space] = {
        "hops": Choice(1, 2),
        "channels": Choice(16, 32, 64),
        "dropout": Uniform(0.0, 0.7),
        "feature_dropout": Uniform(0.0, 0.8),
        "training.learning_rate": LogUniform(1e-4, 5e-3),
        "training.max_batch": Choice(16, 32, 64),
    }
    Config: ClassVar[type[SealConfig]] = SealConfig
    config: SealConfig

    def measure(self, observed: Graph) -> dict[str, int]:
        """The width of the features, the largest label, and the number of nodes to read: most subgraphs have fewer."""
        found = self.subgraphs(observed, some_pairs(observed, _SAMPLE))
        sizes = np.sort(np.diff(found.node_ptr))
        quantile = sizes[int(np.ceil(_QUANTILE * len(sizes))) - 1] if len(sizes) else 0
        return {
            **super().measure(observed),
            "max_label": int(found.label.max(initial=1)),
            "length": max(int(quantile), MIN_LENGTH),
        }

    def build_network(self, shape: Mapping[str, int]) -> SealNetwork:
        """The network for labels and features of these numbers."""
        return SealNetwork(self.config, shape["max_label"], shape["length"], shape["num_features"])

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        network, features = self._network, self.read_features(observed)
        found = self.subgraphs(observed, np.sort(queries, axis=1))
        rowptr, col, node, label, node_ptr = (
            torch.from_numpy(array).to(self.device)
            for array in (found.rowptr, found.col, found.node, found.label, found.node_ptr)
        )
        logits: Tensor = network(Adjacency(rowptr, col, is_symmetric=True), label, node_ptr, node, features)
        return logits

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the subgraphs of one step, as large as those of some pairs."""
        pairs = some_pairs(observed, _SAMPLE // 10)
        if len(pairs) == 0:
            return Cost()
        found, channels = self.subgraphs(observed, pairs), self.config.channels
        nodes, entries = (len(array) * num_targets / len(pairs) for array in (found.node, found.col))
        numbers = nodes * channels * self.config.layers
        operations = PASSES * (numbers * channels + entries * channels * self.config.layers)
        return Cost(FLOAT * KEPT * numbers + 2 * _INDEX * entries, operations)

    def describe(self, observed: Graph) -> str:
        """Hops, layers and channels."""
        return f"subgraphs of {self.config.hops} hops, {self.config.layers} layers, {self.config.channels} channels"

    @property
    def feature_input(self) -> NodeInput | None:
        """The part of the network that reads features, if there is one."""
        return self._network.features

    @property
    def _network(self) -> SealNetwork:
        network = self.trained
        assert isinstance(network, SealNetwork)
        return network


class SealNetwork(nn.Module):
    """Vectors of labels and features, then DGCNN."""

    def __init__(self, config: SealConfig, max_label: int, length: int, num_features: int) -> None:
        super().__init__()
        self.max_label = max_label
        self.labels = nn.Embedding(max_label + 1, config.channels)  # the map of one-hot labels
        nn.init.xavier_uniform_(self.labels.weight)
        self.features = None
        if num_features:
            self.features = NodeInput(
                config.channels, num_features=num_features, max_degree=None, feature_dropout=config.feature_dropout
            )
        self.dgcnn = DGCNN(config.channels, config.layers, length, dropout=config.dropout)

    def forward(
        self,
        adjacency: Adjacency,
        label: Tensor,
        node_ptr: Tensor,
        node: Tensor,
        features: SparseRows | Tensor | None,
    ) -> Tensor:
        """One logit per subgraph."""
        logits: Tensor = self.dgcnn(self.inputs(adjacency, label, node, features), adjacency, node_ptr)
        return logits

    def inputs(self, adjacency: Adjacency, label: Tensor, node: Tensor, features: SparseRows | Tensor | None) -> Tensor:
        """The first vector of each node; labels that training did not have count as its largest."""
        x: Tensor = self.labels(label.clamp(max=self.max_label))
        if self.features is not None:
            x = x + self.features(adjacency, features).index_select(0, node)
        return x
