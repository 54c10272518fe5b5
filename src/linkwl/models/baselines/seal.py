"""SEAL: a graph network on the subgraph around a pair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.features import Features
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost, some_pairs
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig
from linkwl.models.pairs.pair_model import scaled_tensors
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.dgcnn import DGCNN, MIN_LENGTH
from linkwl.nn.encoder import NodeInput
from linkwl.nn.sparse_linear import SparseRows
from linkwl.sparse.pair_subgraphs import PairSubgraphs, pair_subgraphs
from linkwl.typing import Pairs

_SAMPLE = 500  # links, and as many other pairs, whose subgraphs are measured
_QUANTILE = 0.6  # of the subgraphs have no more nodes than the network reads
_INDEX = 8


class SealConfig(GradientConfig):
    """Settings of SEAL."""

    hops: int = Field(default=2, ge=1, le=8)
    """Largest distance of a node of the subgraph from the nearer end."""
    max_per_hop: int = Field(default=100, ge=1, lt=1 << 31)
    """Largest number of nodes at one distance; the published one has no limit."""
    features: bool = True
    """Whether the features of the nodes are read, if there are any."""
    feature_dropout: float = Field(default=0.0, ge=0, lt=1)
    """Probability that an entry of the features is dropped in a training step."""
    channels: int = Field(default=32, ge=1)
    layers: int = Field(default=4, ge=2)
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


class Seal(GradientModel):
    """SEAL: DGCNN on the enclosing subgraph of a pair, its nodes labelled by their distances to both ends.

    The subgraph holds the nodes at most two hops from either end and the edges between them, without that of the pair
    itself. The labels are those of :func:`linkwl.sparse.pair_subgraphs.pair_subgraphs`; :class:`linkwl.nn.dgcnn.DGCNN`
    reads them, and the features of the nodes, if there are any. Links that are predicted in the same step do not see
    each other either, and negatives are drawn anew in every step; the published ones are fixed.

    By default a subgraph has at most 100 nodes at each distance, so that two hops are affordable around hubs. Time and
    memory grow with the subgraphs of a step; they are found so fast that none is stored.
    """

    id = "seal"
    title = "SEAL"
    reference = "Zhang and Chen, Link prediction based on graph neural networks, NeurIPS, 2018."
    block_size: ClassVar[int] = 256
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

    def __init__(self, config: SealConfig | None = None) -> None:
        super().__init__(config)
        self._read: tuple[Features | None, SparseRows | Tensor | None] = (None, None)

    def measure(self, observed: Graph) -> dict[str, int]:
        """The width of the features, the largest label, and the number of nodes to read: most subgraphs have fewer."""
        found = self._subgraphs(observed, some_pairs(observed, _SAMPLE))
        sizes = np.sort(np.diff(found.node_ptr))
        quantile = sizes[int(np.ceil(_QUANTILE * len(sizes))) - 1] if len(sizes) else 0
        has_features = self.config.features and observed.features is not None
        return {
            "num_features": observed.num_features if has_features else 0,
            "is_sparse": int(has_features and sp.issparse(observed.features)),
            "max_label": int(found.label.max(initial=1)),
            "length": max(int(quantile), MIN_LENGTH),
        }

    def build_network(self, shape: Mapping[str, int]) -> SealNetwork:
        """The network for labels and features of these numbers."""
        return SealNetwork(self.config, shape["max_label"], shape["length"], shape["num_features"])

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights; those of features by the principal axes of the training graph's."""
        super().start(observed, seed)
        node_input, features = self._network.features, self._features(observed)
        if node_input is not None and isinstance(features, Tensor):
            node_input.standardise(features)
        elif node_input is not None and node_input.features is not None and isinstance(features, SparseRows):
            node_input.features.start_at_principal_axes(features, seed)

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        network, features = self._network, self._features(observed)
        found = self._subgraphs(observed, np.sort(queries, axis=1))
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
        found, channels = self._subgraphs(observed, pairs), self.config.channels
        nodes, entries = (len(array) * num_targets / len(pairs) for array in (found.node, found.col))
        numbers = nodes * channels * self.config.layers
        operations = PASSES * (numbers * channels + entries * channels * self.config.layers)
        return Cost(FLOAT * KEPT * numbers + 2 * _INDEX * entries, operations)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether a block of subgraphs is small; a training step always is."""
        return num_targets <= 2 * self.block_size

    def describe(self, observed: Graph) -> str:
        """Hops, layers and channels."""
        return f"subgraphs of {self.config.hops} hops, {self.config.layers} layers, {self.config.channels} channels"

    @property
    def remedy(self) -> str:
        """Smaller subgraphs."""
        return "lower max_per_hop, hops or training.max_batch"

    @property
    def _network(self) -> SealNetwork:
        network = self.trained
        assert isinstance(network, SealNetwork)
        return network

    def _subgraphs(self, observed: Graph, pairs: Pairs) -> PairSubgraphs:
        return pair_subgraphs(observed.rowptr, observed.col, pairs, self.config.hops, self.config.max_per_hop)

    def _features(self, observed: Graph) -> SparseRows | Tensor | None:
        """The features in the network's form; those that were read last are kept."""
        width = self.shape["num_features"]
        if width == 0:
            return None
        if observed.num_features != width:
            raise InputError(
                f"{self.id} was trained with {width} features per node, and {observed.name} has "
                f"{observed.num_features or 'none'}; give it the same features."
            )
        source, ready = self._read
        if source is observed.features:
            return ready
        assert observed.features is not None
        features = scaled_tensors(observed.features)
        features = features.to(self.device) if isinstance(features, Tensor) else features
        self._read = (observed.features, features)
        return features


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
