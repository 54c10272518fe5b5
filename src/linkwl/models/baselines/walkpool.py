"""WalkPool: how random walks around a pair change with its link."""

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
from linkwl.nn.encoder import GCNConv, NodeInput
from linkwl.nn.encodings import DegreeEncoding
from linkwl.nn.norms import dropout
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.walk_pool import Subgraphs, WalkPool
from linkwl.typing import Pairs

_SAMPLE = 200  # links, and as many other pairs, whose subgraphs are measured
_SMALLEST = 1e-4  # deviation of a number that is worth scaling
_INDEX = 8


class WalkPoolConfig(SubgraphConfig):
    """Settings of WalkPool."""

    max_per_hop: int = Field(default=40, ge=1, lt=1 << 31)
    """Largest number of nodes at one distance; the published one has no limit on most graphs."""
    feature_dropout: float = Field(default=0.5, ge=0, lt=1)
    """Probability that an entry of the features is dropped in a training step."""
    channels: int = Field(default=32, ge=1, le=1 << 16)
    """Width of the vectors of nodes, and of queries and keys."""
    layers: int = Field(default=2, ge=0, le=256)
    """Number of graph convolutions."""
    labels: bool = True
    """Whether the distances of a node to both ends are encoded, as in SEAL."""
    heads: int = Field(default=2, ge=1, le=256)
    """Number of transition matrices."""
    walk_length: int = Field(default=8, ge=2, le=64)
    """Number of steps of the longest walk."""
    hidden: int = Field(default=128, ge=1, le=1 << 16)
    """Width of the classifier."""
    classifier_layers: int = Field(default=2, ge=1, le=256)
    """Number of hidden layers of the classifier."""
    dropout: float = Field(default=0.2, ge=0, lt=1)
    """Dropout in the convolutions, in the attention and in the classifier."""
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.002,
        batch_ratio=1.0,
        max_batch=32,
        max_steps=1000,
        patience=400,
        evaluate_every=50,
        average=0.98,
    )


class WalkPoolModel(SubgraphModel):
    """WalkPool: a classifier on the random walks around a pair, with its link and without.

    The subgraph holds the nodes at most two hops from either end. Graph convolutions encode its nodes, from their
    degrees, from their distances to both ends, and from features if there are any. Attention turns the vectors into two
    transition matrices, with the link of the pair and without it; :class:`linkwl.nn.walk_pool.WalkPool` pools the
    entries of their powers, and a perceptron gives the logit. The link is added and removed for links and other pairs
    alike, so nothing can be read off its presence.

    Differences to the published form: the convolutions see the subgraph without the link, where the public code has it
    with the link. Nodes start from their degree instead of a constant, which a convolution turns into degrees as well;
    ``labels = false`` leaves the distances out, as published. The numbers are standardised once, by pairs of the
    training graph, instead of over each batch, and the classifier is smaller. The loss is the cross-entropy instead of
    a squared error. Citation networks have their own features instead of those of a pretrained autoencoder. Negatives
    are drawn anew in every step and are not added to the graph as edges; links that are predicted in the same step do
    not see each other. The number of nodes at each distance is limited; where nodes of equal rank compete for the last
    places, their numbers decide.

    Time and memory grow with the edges of the subgraphs, since no matrix power is computed.
    """

    id = "walkpool"
    title = "WalkPool"
    reference = "Pan, Shi and Dokmanic, Neural link prediction with walk pooling, ICLR, 2022."
    Config: ClassVar[type[WalkPoolConfig]] = WalkPoolConfig
    config: WalkPoolConfig
    search_space: ClassVar[Space] = {
        "hops": Choice(1, 2, 3),
        "max_per_hop": Choice(20, 40, 80),
        "channels": Choice(16, 32, 64),
        "layers": Choice(1, 2, 3),
        "labels": Choice(False, True),
        "heads": Choice(1, 2, 4),
        "walk_length": Choice(4, 6, 8, 12),
        "hidden": Choice(64, 128, 256),
        "dropout": Uniform(0.0, 0.6),
        "feature_dropout": Uniform(0.0, 0.8),
        "training.learning_rate": LogUniform(1e-4, 5e-3),
        "training.max_batch": Choice(16, 32, 64),
    }

    def measure(self, observed: Graph) -> dict[str, int]:
        """The width of the features, and the largest label and degree of the subgraphs."""
        found = self.subgraphs(observed, some_pairs(observed, _SAMPLE))
        return {
            **super().measure(observed),
            "max_label": int(found.label.max(initial=1)),
            "max_degree": int(np.diff(found.rowptr).max(initial=0)),
        }

    def build_network(self, shape: Mapping[str, int]) -> WalkPoolNetwork:
        """The network for labels, degrees and features of these numbers."""
        return WalkPoolNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights; the pooled numbers of some pairs, without their edges, set the scale of all."""
        super().start(observed, seed)
        pairs = np.sort(some_pairs(observed, _SAMPLE), axis=1)
        if len(pairs):
            with torch.no_grad(), self.evaluating():
                blocks = [pairs[start : start + self.block_size] for start in range(0, len(pairs), self.block_size)]
                self._network.standardise(torch.cat([self._pool(observed, block) for block in blocks]))

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        return self._network.classify(self._pool(observed, np.sort(queries, axis=1)))

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the subgraphs of one step, as large as those of some pairs."""
        pairs = some_pairs(observed, _SAMPLE // 4)
        if len(pairs) == 0:
            return Cost()
        found, config = self.subgraphs(observed, pairs), self.config
        nodes, entries = (len(array) * num_targets / len(pairs) for array in (found.node, found.col))
        width = config.channels * (config.layers + 1 + 2 * (1 + config.heads))
        memory = FLOAT * KEPT * (nodes * width + entries * config.heads) + 4 * _INDEX * entries
        steps = config.layers * config.channels + config.heads * (config.channels + 2 * config.walk_length)
        return Cost(memory, PASSES * (nodes * width * config.channels + entries * steps))

    def describe(self, observed: Graph) -> str:
        """Hops, heads and walks."""
        config = self.config
        return f"subgraphs of {config.hops} hops, walks of {config.walk_length} steps, {config.heads} heads"

    @property
    def feature_input(self) -> NodeInput | None:
        """The part of the network that reads features, if there is one."""
        return self._network.features

    @property
    def _network(self) -> WalkPoolNetwork:
        network = self.trained
        assert isinstance(network, WalkPoolNetwork)
        return network

    def _pool(self, observed: Graph, pairs: Pairs) -> Tensor:
        """The pooled numbers of pairs whose smaller node is first."""
        features = self.read_features(observed)
        found = self.subgraphs(observed, pairs)
        first = found.node_ptr[:-1]
        ends = np.stack([first, first + (pairs[:, 0] != pairs[:, 1])], axis=1)
        rowptr, col, node, label, node_ptr, at = (
            torch.from_numpy(array).to(self.device)
            for array in (found.rowptr, found.col, found.node, found.label, found.node_ptr, ends)
        )
        graph = Subgraphs(Adjacency(rowptr, col, is_symmetric=True), node_ptr, at)
        numbers: Tensor = self._network(graph, label, node, features)
        return numbers


class WalkPoolNetwork(nn.Module):
    """Vectors of nodes, convolutions, walk pooling, and a classifier of the pooled numbers."""

    center: Tensor
    spread: Tensor

    def __init__(self, config: WalkPoolConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        channels, num_features = config.channels, shape["num_features"]
        self.dropout, self.max_label = config.dropout, shape["max_label"]
        self.degree = DegreeEncoding(channels, shape["max_degree"])
        self.labels = nn.Embedding(self.max_label + 1, channels) if config.labels else None
        self.features = None
        if num_features:
            self.features = NodeInput(
                channels, num_features=num_features, max_degree=None, feature_dropout=config.feature_dropout
            )
        self.convs = nn.ModuleList(GCNConv(channels, channels) for _ in range(config.layers))
        self.pool = WalkPool(
            (config.layers + 1) * channels,
            channels,
            heads=config.heads,
            walk_length=config.walk_length,
            dropout=config.dropout,
        )
        self.classifier = Perceptron(
            self.pool.out_channels, config.hidden, layers=config.classifier_layers, dropout=config.dropout
        )
        self.out = nn.Linear(config.hidden, 1)
        self.register_buffer("center", torch.zeros(self.pool.out_channels))
        self.register_buffer("spread", torch.ones(self.pool.out_channels))

    def standardise(self, numbers: Tensor) -> None:
        """Takes mean and deviation of the pooled numbers; one that hardly varies is not enlarged much."""
        deviation, mean = torch.std_mean(numbers, dim=0, correction=0)
        self.center.copy_(mean)
        self.spread.copy_(deviation.clamp(min=_SMALLEST))

    def forward(self, graph: Subgraphs, label: Tensor, node: Tensor, features: SparseRows | Tensor | None) -> Tensor:
        """The pooled numbers of every subgraph; labels that training did not have count as its largest."""
        adjacency = graph.adjacency
        x = self.degree(adjacency.degree)
        if self.labels is not None:
            x = x + self.labels(label.clamp(max=self.max_label))
        if self.features is not None:
            x = x + self.features(adjacency, features).index_select(0, node)
        depths = [x]
        for conv in self.convs:
            depths.append(conv(dropout(depths[-1].relu(), self.dropout, self.training), adjacency))
        numbers: Tensor = self.pool(torch.cat(depths, dim=1), graph)
        return numbers

    def classify(self, numbers: Tensor) -> Tensor:
        """One logit per row of pooled numbers."""
        logits: Tensor = self.out(self.classifier((numbers - self.center) / self.spread))
        return logits[:, 0]
