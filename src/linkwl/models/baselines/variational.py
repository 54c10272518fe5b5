"""The base of variational graph autoencoders: every node has a distribution, and inner products give the links."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.errors import SplitError
from linkwl.graph import Graph, Observed
from linkwl.graph.features import Features
from linkwl.models.base import Needs
from linkwl.models.batch import Batch, BatchSource
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.loss import cross_entropy
from linkwl.models.pairs.config import EncodedConfig, EncoderConfig
from linkwl.models.pairs.pair_model import GraphInput, PairModel, PairNetwork, as_tensors
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import GCNConv, gcn_sum
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.protocols import TrainingData
from linkwl.splits import Fold, sample_negatives
from linkwl.typing import Pairs, Queries


class VariationalConfig(EncodedConfig):
    """The settings that variational autoencoders share."""

    variant: Literal["ours", "paper"] = "ours"
    """``paper``: the published training, and one hidden layer on raw features if there are any."""
    nodes: Literal["auto", "identities", "encoded"] = "auto"
    """The input of the nodes: a vector of its own for every node, or the encoder; ``auto`` is the encoder if there are
    features. Identities are better, but the model then knows only the nodes it was trained on."""
    encoder: EncoderConfig = EncoderConfig(channels=64, layers=1)
    """The hidden layers; a convolution for each parameter of the distribution follows."""
    latent: int = Field(default=32, ge=2, le=256)
    """Number of dimensions of a node's distribution."""
    divergence: float = Field(default=1.0, ge=0, le=1e9)
    """Weight of the divergence from the prior."""


class VariationalModel(PairModel):
    """A model whose network is a :class:`VariationalNetwork`."""

    Config: ClassVar[type[VariationalConfig]] = VariationalConfig
    config: VariationalConfig
    needs: ClassVar[Needs] = Needs()
    search_space: ClassVar[Space] = {
        "nodes": Choice("auto", "identities", "encoded"),
        "encoder.channels": Choice(32, 64, 128),
        "encoder.layers": Choice(1, 2),
        "encoder.norm": Choice("graph", "layer", "none"),
        "encoder.input": Choice("auto", "degree", "features"),
        "encoder.dropout": Uniform(0.0, 0.6),
        "encoder.feature_dropout": Uniform(0.0, 0.8),
        "latent": Choice(16, 32, 64),
        "divergence": LogUniform(0.01, 100.0),
        "training.learning_rate": LogUniform(1e-3, 2e-2),
    }

    @property
    def is_transductive(self) -> bool:
        """Whether its input is the nodes' identities."""
        return "num_nodes" in self.shape

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of the other models; with identities also the number of nodes."""
        shape, nodes = super().measure(observed), self.config.nodes
        if nodes == "identities" or (nodes == "auto" and observed.num_features == 0):
            shape["num_nodes"] = observed.num_nodes
        return shape

    def loss(self, batch: Batch) -> Tensor:
        """The cross-entropy of a sample from the distributions, and their mean divergence, divided by the nodes."""
        observed = batch.observed
        assert isinstance(observed, Graph)
        network = self._network_for(observed)
        posterior: Posterior = network.encode(self._read(observed))
        assert posterior.divergence is not None
        error = self.error(posterior, batch)
        return error + self.config.divergence * posterior.divergence.mean() / observed.num_nodes

    def error(self, posterior: Posterior, batch: Batch) -> Tensor:
        """How badly a sample of the distributions gives the labels."""
        pairs = torch.from_numpy(batch.queries.astype(np.int64)).to(self.device)
        return cross_entropy(self._pair_network.score(posterior, pairs), batch)

    def batches(self, data: TrainingData, seed: int) -> BatchSource | None:
        """The trainer's, which hide the positives; in `paper` all train links at once, visible as published."""
        if self.config.variant == "ours":
            return None
        per_positive = self.training.negatives_per_positive
        return VisibleBatches(data.train, data.reserved, per_positive, seed, rejected=data.rejected)

    def num_targets(self, observed: Observed) -> int:
        """All links in `paper`, else those of a batch; and the negatives."""
        if self.config.variant == "ours":
            return super().num_targets(observed)
        return observed.num_facts * (1 + self.training.negatives_per_positive)

    def read_features(self, features: Features) -> SparseRows | Tensor:
        """Raw features in `paper`."""
        return super().read_features(features) if self.config.variant == "ours" else as_tensors(features)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the distributions and the inner products."""
        c, latent, n = self.config.encoder.channels, self.config.latent, observed.num_nodes
        memory = FLOAT * KEPT * latent * (2 * n + num_targets)
        return Cost(float(memory), float(PASSES * latent * (2 * n * c + 2 * len(observed.col) + num_targets)))

    def describe(self, observed: Graph) -> str:
        """Hidden layers and dimensions."""
        config = self.config
        layers = config.encoder.layers if config.variant == "ours" else 1
        return f"{layers} hidden layers of {config.encoder.channels} channels, {config.latent} latent dimensions"


class Posterior(NamedTuple):
    """The nodes' distributions: in training a sample of each, else the means."""

    z: Tensor
    divergence: Tensor | None
    """Divergence of each node from the prior; only in training."""


class VariationalNetwork(PairNetwork):
    """Hidden layers, distributions, and inner products of samples or means.

    A subclass overrides :meth:`distribute` and, for another decoder, :meth:`score`.
    """

    def __init__(self, config: VariationalConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        width, is_published = config.encoder.channels, config.variant == "paper"
        is_plain = is_published or "num_nodes" in shape
        self.encoder = None if is_plain else config.encoder.build(shape)
        self.plain = PlainLayer(shape, width) if is_plain else None
        self.mean = GCNConv(width, config.latent, bias=not is_published)

    @property
    def reads_features(self) -> bool:
        """Whether scores depend on the nodes' features."""
        return super().reads_features or (self.plain is not None and self.plain.features is not None)

    def encode(self, graph: GraphInput) -> Posterior:
        """The distributions of all nodes."""
        if self.plain is not None:
            hidden = self.plain(graph.adjacency, graph.features)
        else:
            assert self.encoder is not None
            hidden = self.encoder(graph.adjacency, graph.features)[-1]
        return self.distribute(hidden, graph.adjacency)

    @abstractmethod
    def distribute(self, hidden: Tensor, adjacency: Adjacency) -> Posterior:
        """The distributions from the last hidden vectors."""

    def score(self, encoding: Posterior, pairs: Tensor) -> Tensor:
        """Inner products."""
        first, second = (encoding.z.index_select(0, end) for end in pairs.T)
        return (first * second).sum(1)


class PlainLayer(nn.Module):
    r"""The hidden layer of the published autoencoders: :math:`\operatorname{ReLU}(\hat{A} X W)`, without a bias.

    :math:`X` has the features, or is the identity: then :math:`W` has a row for every node.

    Args:
        shape: The number of features; and the number of nodes, if the input is their identities.
        channels: Width of the result.
    """

    def __init__(self, shape: Mapping[str, int], channels: int) -> None:
        super().__init__()
        has_identities = "num_nodes" in shape
        self.identities = nn.Parameter(torch.empty(shape["num_nodes"], channels)) if has_identities else None
        self.features = None if has_identities else SparseLinear(shape["num_features"], channels, bias=False)
        if self.identities is not None:
            nn.init.xavier_uniform_(self.identities)

    def forward(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Tensor:
        """The hidden vectors."""
        if self.identities is not None:
            first: Tensor = self.identities
        else:
            assert self.features is not None
            if isinstance(features, Tensor):
                first = features.to(self.features.weight) @ self.features.weight
            else:
                first = self.features(features)
        return gcn_sum(first, adjacency).relu()


class VisibleBatches(Iterator[Batch]):
    """All train links in every batch, visible to the network that predicts them, and new negatives.

    Args:
        train: The train fold.
        reserved: Pairs that negatives must avoid; see :attr:`linkwl.splits.Split.reserved`.
        negatives_per_positive: Number of negatives for each link.
        seed: The same seed gives the same negatives.
        rejected: Known negatives, some of which are in every batch; see :func:`linkwl.splits.sample_negatives`.

    Raises:
        SplitError: If there are no train links, or too few pairs to draw the negatives from.
    """

    def __init__(
        self,
        train: Fold,
        reserved: Observed,
        negatives_per_positive: int,
        seed: int,
        *,
        rejected: Queries | None = None,
    ) -> None:
        self._observed, self._positives = train.observed, train.positives
        self._reserved, self._rejected = reserved, rejected
        if len(self._positives) == 0:
            raise SplitError(f"{train.observed.name}: there is no edge to train on.")
        self._count = min(len(self._positives) * negatives_per_positive, reserved.num_absent)
        self._generator = np.random.default_rng(seed)

    def __next__(self) -> Batch:
        negatives: Pairs = sample_negatives(self._reserved, self._count, self._generator, known=self._rejected)
        return Batch(self._observed, self._positives, negatives, self._reserved.num_absent)

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return {"negatives": self._generator.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._generator.bit_generator.state = state["negatives"]
