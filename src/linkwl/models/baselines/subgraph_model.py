"""The base of networks that read the subgraph around a pair."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Self

import scipy.sparse as sp
import torch
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.graph.features import Features
from linkwl.models.gradient import GradientConfig, GradientModel
from linkwl.models.pairs.pair_model import check_features, scaled_tensors
from linkwl.nn.encoder import NodeInput
from linkwl.nn.sparse_linear import SparseRows
from linkwl.sparse.pair_subgraphs import PairSubgraphs, pair_subgraphs
from linkwl.typing import Pairs


class SubgraphConfig(GradientConfig):
    """The subgraphs, and the features of their nodes."""

    hops: int = Field(default=2, ge=1, le=8)
    """Largest distance of a node of the subgraph from the nearer end."""
    max_per_hop: int = Field(default=100, ge=1, lt=1 << 31)
    """Largest number of nodes at one distance; the published one has no limit."""
    features: bool = True
    """Whether the features of the nodes are read, if there are any."""
    feature_dropout: float = Field(default=0.0, ge=0, lt=1)
    """Probability that an entry of the features is dropped in a training step."""


class SubgraphModel(GradientModel):
    """A model that scores a pair by the subgraph around it, and by the features of its nodes."""

    block_size: ClassVar[int] = 256
    Config: ClassVar[type[SubgraphConfig]] = SubgraphConfig
    config: SubgraphConfig

    def __init__(self, config: SubgraphConfig | None = None) -> None:
        super().__init__(config)
        self._read: tuple[Features | None, SparseRows | Tensor | None] = (None, None)

    @property
    @abstractmethod
    def feature_input(self) -> NodeInput | None:
        """The part of the network that reads features, if there is one."""

    def measure(self, observed: Graph) -> dict[str, int]:
        """The width of the features that are read."""
        has_features = self.config.features and observed.features is not None
        return {
            "num_features": observed.num_features if has_features else 0,
            "is_sparse": int(has_features and sp.issparse(observed.features)),
        }

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights; those of features by the principal axes of the training graph's."""
        super().start(observed, seed)
        node_input, features = self.feature_input, self.read_features(observed)
        if node_input is not None and isinstance(features, Tensor):
            node_input.standardise(features)
        elif node_input is not None and node_input.features is not None and isinstance(features, SparseRows):
            node_input.features.start_at_principal_axes(features, seed)

    def to(self, device: torch.device | str) -> Self:
        """Moves the model, without the features that were read, to another device."""
        self._read = (None, None)
        return super().to(device)

    def subgraphs(self, observed: Graph, pairs: Pairs) -> PairSubgraphs:
        """The subgraphs of pairs, each without the edge of its pair."""
        return pair_subgraphs(observed.rowptr, observed.col, pairs, self.config.hops, self.config.max_per_hop)

    def read_features(self, observed: Graph) -> SparseRows | Tensor | None:
        """The features in the network's form; those that were read last are kept.

        Raises:
            InputError: If the network needs others.
        """
        if self.shape["num_features"] == 0:
            return None
        check_features(self.id, self.shape, observed)
        source, ready = self._read
        if source is observed.features:
            return ready
        assert observed.features is not None
        features = scaled_tensors(observed.features)
        features = features.to(self.device) if isinstance(features, Tensor) else features
        self._read = (observed.features, features)
        return features

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether a block of subgraphs is small; a training step always is."""
        return num_targets <= 2 * self.block_size

    @property
    def remedy(self) -> str:
        """Smaller subgraphs."""
        return "lower max_per_hop, hops or training.max_batch"
