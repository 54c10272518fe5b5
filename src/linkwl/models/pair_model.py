"""What the models of pairs share: nodes are encoded once, then any pairs are scored."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.features import Features
from linkwl.models.base import Needs
from linkwl.models.cost import FLOAT, Cost
from linkwl.models.encoder_cost import encoder_cost
from linkwl.models.learned import LearnedModel
from linkwl.models.pair_config import PairConfig
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.sparse_linear import SparseRows
from linkwl.typing import Pairs, Scores

FEW_NUMBERS = 1 << 20
"""An array of fewer than this is done before a second thread is awake."""


class PairNetwork(nn.Module, ABC):
    """A network that scores pairs: the graph is read by :meth:`encode`, the pairs by :meth:`score`."""

    encoder: NodeEncoder | None
    """What reads the nodes, if anything does."""

    @property
    def reads_features(self) -> bool:
        """Whether scores depend on the nodes' features."""
        return self.encoder is not None and self.encoder.input.features is not None

    @abstractmethod
    def encode(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Any:
        """What the pairs' scores need of the observed graph; it does not depend on the pairs."""

    @abstractmethod
    def score(self, encoding: Any, pairs: Tensor) -> Tensor:
        """One logit per pair, each by itself; or a row of them for each of several members."""

    def forward(self, adjacency: Adjacency, features: SparseRows | Tensor | None, pairs: Tensor) -> Tensor:
        """Encodes and scores."""
        return self.score(self.encode(adjacency, features), pairs)


@dataclass
class _Read:
    """What was read of the graph that was scored last."""

    network: PairNetwork
    observed: Graph
    adjacency: Adjacency
    encoding: Any = None


class PairModel(LearnedModel):
    """A model whose network is a :class:`PairNetwork`."""

    Config: ClassVar[type[PairConfig]] = PairConfig
    config: PairConfig
    needs: ClassVar[Needs] = Needs(directed=True)

    def __init__(self, config: PairConfig | None = None) -> None:
        super().__init__(config)
        self._prepared: tuple[Features | None, SparseRows | Tensor | None] = (None, None)
        self._read: _Read | None = None

    def measure(self, observed: Graph) -> dict[str, int]:
        """Feature width, largest degree of either direction, and which kinds of edges and features there are."""
        arriving = int(np.bincount(observed.col, minlength=1).max())
        shape = super().measure(observed)
        return shape | {
            "max_degree": max(shape["max_degree"], arriving),
            "is_directed": int(observed.is_directed),
            "is_sparse": int(sp.issparse(observed.features)),
        }

    def start(self, observed: Graph, seed: int) -> None:
        """Gives the model fresh weights for graphs like this one."""
        super().start(observed, seed)
        features, encoder = self._features(observed), self._pair_network.encoder
        if encoder is None:
            return
        node_input = encoder.input
        if isinstance(features, Tensor):
            node_input.standardise(features)
        elif features is not None and node_input.features is not None:
            node_input.features.start_at_principal_axes(features, seed)

    def to(self, device: torch.device | str) -> Self:
        """Moves the model to another device; features that were prepared on the one before are forgotten."""
        self._prepared, self._read = (None, None), None
        return super().to(device)

    def logits(self, observed: Graph, pairs: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        network = self._network_for(observed)
        return network(
            self._adjacency(observed),
            self._features(observed),
            torch.from_numpy(self._ordered(observed, pairs)).to(self.device),
        )

    def _score(self, observed: Graph, pairs: Pairs) -> Scores:
        """Encodes the graph once, then scores every different pair once, in blocks."""
        network = self._network_for(observed)
        first, second = self._ordered(observed, pairs).T
        keys, place = np.unique(first * observed.num_nodes + second, return_inverse=True)
        different = np.stack(np.divmod(keys, observed.num_nodes), axis=1)
        with torch.no_grad(), self.evaluating(), self.threads_for(observed, len(different)):
            encoding = self._encode(network, observed)
            blocks = torch.from_numpy(different).to(self.device).split(self.block_size)
            logits = torch.cat([network.score(encoding, block).reshape(-1, len(block)).mean(0) for block in blocks])
        return logits.cpu().numpy().astype(np.float64)[place.reshape(-1)]

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether the node and pair vectors are few."""
        return (observed.num_nodes + num_targets) * self.config.encoder.channels < FEW_NUMBERS

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The weights, the encoder on the graph, and the pair layers on the targets, both ways round."""
        encoder = encoder_cost(self.config.encoder, observed)
        return self.weights_cost(observed) + encoder + self.pair_cost(observed, num_targets)

    def weights_cost(self, observed: Graph) -> Cost:
        """Each weight has a gradient, the two moments of Adam, a running mean and the best so far."""
        try:
            weights = sum(weight.numel() for weight in self.expected_state(self.measure(observed)).values())
        except RuntimeError:  # more than torch can count
            return Cost(math.inf)
        return Cost(FLOAT * 6.0 * weights)

    @abstractmethod
    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """What the pair layers take for the targets of one training step."""

    def _encode(self, network: PairNetwork, observed: Graph) -> Any:
        """What the network reads of a graph; of the same network and graph as before, what does not change is kept."""
        read = self._read
        if read is None or read.network is not network or read.observed is not observed:
            read = self._read = _Read(network, observed, self._adjacency(observed))
        if read.encoding is not None:
            return read.encoding
        encoding = network.encode(read.adjacency, self._features(observed))
        if self.is_frozen:
            read.encoding = encoding
        return encoding

    @property
    def _pair_network(self) -> PairNetwork:
        network = self.trained
        assert isinstance(network, PairNetwork)
        return network

    def _network_for(self, observed: Graph) -> PairNetwork:
        """The network, once the graph is known to be of the kind that it was built for."""
        network, num_features = self._pair_network, self.shape["num_features"]
        if network.reads_features and observed.num_features != num_features:
            raise InputError(
                f"{self.id} was trained with {num_features} features per node, and {observed.name} has "
                f"{observed.num_features or 'none'}; give it the same features."
            )
        if network.reads_features and sp.issparse(observed.features) != self.shape["is_sparse"]:
            was, is_now = ("dense", "sparse") if sp.issparse(observed.features) else ("sparse", "dense")
            raise InputError(
                f"{self.id} was trained with {was} features, and those of {observed.name} are {is_now}; "
                "give it the same kind."
            )
        if observed.is_directed != bool(self.shape["is_directed"]):
            was, is_now = ("undirected", "directed") if observed.is_directed else ("directed", "undirected")
            raise InputError(f"{self.id} was trained on {was} edges, and {observed.name} is {is_now}; train it anew.")
        return network

    def _ordered(self, observed: Graph, pairs: Pairs) -> Pairs:
        """The pairs as int64, undirected ones with the smaller node first: either way round is the same pair."""
        return (pairs if observed.is_directed else np.sort(pairs, axis=1)).astype(np.int64)

    def _adjacency(self, observed: Graph) -> Adjacency:
        adjacency = Adjacency.from_csr(observed.rowptr, observed.col, is_symmetric=not observed.is_directed)
        return adjacency.to(self.device)

    def _features(self, observed: Graph) -> SparseRows | Tensor | None:
        """The features as the encoder takes them, kept as long as the same ones are asked for."""
        if observed.features is None or self.config.encoder.input == "degree":
            return None
        if self._prepared[0] is not observed.features:
            self._prepared = (observed.features, self._prepare(observed.features))
        return self._prepared[1]

    def _prepare(self, features: Features) -> SparseRows | Tensor:
        """Sparse rows are scaled to a sum of one, so that no node shouts; dense ones stay as they are."""
        if isinstance(features, np.ndarray):
            return torch.from_numpy(features.copy()).to(self.device)
        total = np.abs(features).sum(axis=1)
        scale = np.divide(1.0, total, where=total > 0, out=np.zeros(len(total), dtype=np.float32))
        value = features.data * np.repeat(scale, np.diff(features.indptr))
        return SparseRows(features.indptr.astype(np.int64), features.indices.astype(np.int32), value, features.shape[1])
