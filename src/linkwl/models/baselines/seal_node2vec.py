"""SEAL with node2vec: the nodes of a subgraph also have vectors from random walks."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.errors import InputError, SplitError
from linkwl.graph import Graph
from linkwl.models.base import GradientTrainer, Needs
from linkwl.models.baselines.seal import Seal, SealConfig, SealNetwork
from linkwl.models.baselines.walk_vectors import WalkVectorsConfig, walk_memory, walk_vectors
from linkwl.models.batch import Batch
from linkwl.models.cost import FLOAT, Cost
from linkwl.models.epochs import Epochs
from linkwl.models.gradient import TrainingConfig
from linkwl.models.history import History
from linkwl.models.space import Choice, LogUniform, Space
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.sparse_linear import SparseRows
from linkwl.protocols import TrainingData
from linkwl.splits import Fold, sample_negatives
from linkwl.typing import Pairs

_COPIES = 3  # of the vectors in training: the network's, those of the best step, and one on its way to a file


class SealNode2VecConfig(SealConfig):
    """Settings of SEAL with node2vec."""

    vectors: WalkVectorsConfig = WalkVectorsConfig()
    """The vectors of the nodes."""


class SealNode2Vec(Seal):
    r"""SEAL whose nodes have node2vec vectors beside their labels: :math:`\mathbf{x}_v = W_1 e(l_v) + W_2 z_v`.

    This is the linear map of DGCNN's first layer, applied to the one-hot label :math:`e(l_v)` with the vector
    :math:`z_v` appended. :func:`linkwl.models.baselines.walk_vectors.walk_vectors` finds the vectors once, before the
    first step, and they do not change afterwards.

    Vectors of the train edges alone would give the answers away: the ends of a train edge have met in walks, those of
    a negative have not, and the network would learn just that. So the negatives are fixed, as many as the positives,
    and the walks cross both (negative injection): in the graph of the walks, every pair that the network learns from is
    an edge, and no edge of it is a held-out pair. What can still be seen in :math:`z` is which edges fit the rest, as
    for a test pair. This is weaker than hiding an edge: its own walks remain in the vectors, like those of every
    negative. In the subgraphs, links are hidden as in :class:`Seal`.

    Edges that are added for scoring change the subgraphs, and not the vectors. The model knows only its own nodes.
    Besides the time of SEAL it takes O(n walks length window channels) once.
    """

    id = "seal-node2vec"
    title = "SEAL with node2vec"
    needs = Needs(same_nodes=True)
    search_space: ClassVar[Space] = {
        **Seal.search_space,
        "vectors.channels": Choice(32, 64, 128),
        "vectors.window": Choice(3, 5, 10),
        "vectors.p": LogUniform(0.25, 4.0),
        "vectors.q": LogUniform(0.25, 4.0),
    }
    Config: ClassVar[type[SealNode2VecConfig]] = SealNode2VecConfig
    config: SealNode2VecConfig

    def __init__(self, config: SealNode2VecConfig | None = None) -> None:
        super().__init__(config)
        self._injected: Pairs | None = None
        self._seconds_of_vectors = 0.0

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Draws the negatives, finds the vectors and then the weights."""
        count = self.training.negatives_per_positive * len(data.train.positives)
        generator = np.random.default_rng(trainer.seed)
        count = min(count, data.reserved.num_absent)
        self._injected = sample_negatives(data.reserved, count, generator, known=data.rejected)
        try:
            history = super().fit(data, trainer)
        finally:
            self._injected = None
        history.seconds += self._seconds_of_vectors
        return history

    def batches(self, data: TrainingData, seed: int) -> InjectedBatches:
        """Train edges, hidden, with some of the fixed negatives."""
        assert self._injected is not None
        return InjectedBatches(data.train, self._injected, self.training, seed)

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of SEAL, and the number of nodes."""
        return {**super().measure(observed), "num_nodes": observed.num_nodes}

    def build_network(self, shape: Mapping[str, int]) -> SealNode2VecNetwork:
        """The network for labels, features and nodes of these numbers; the vectors are zero."""
        return SealNode2VecNetwork(self.config, shape)

    def start(self, observed: Graph, seed: int) -> None:
        """Finds the vectors and initialises the weights; before training, other pairs stand for the negatives."""
        super().start(observed, seed)
        begin = time.perf_counter()
        generator = np.random.default_rng(seed)
        injected = self._injected
        if injected is None:
            injected = sample_negatives(observed, min(observed.num_edges, observed.num_absent), generator)
        z = walk_vectors(observed.with_(injected), self.config.vectors, generator)
        network = self._network
        assert isinstance(network, SealNode2VecNetwork)
        network.vectors.copy_(torch.from_numpy(z))
        self._seconds_of_vectors = time.perf_counter() - begin

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of SEAL, and the memory of walks and vectors."""
        n, vectors = observed.num_nodes, self.config.vectors
        memory = walk_memory(n, vectors) + FLOAT * _COPIES * n * vectors.channels
        return super().cost(observed, num_targets) + Cost(memory)

    def describe(self, observed: Graph) -> str:
        """Hops, layers, channels and vectors."""
        config = self.config
        return f"subgraphs of {config.hops} hops, {config.layers} layers, vectors of {config.vectors.channels} channels"

    @property
    def remedy(self) -> str:
        """Smaller subgraphs or vectors."""
        return f"{super().remedy}, or vectors.walks and vectors.channels"


class SealNode2VecNetwork(SealNetwork):
    """Vectors of labels, features and nodes, then DGCNN."""

    vectors: Tensor

    def __init__(self, config: SealNode2VecConfig, shape: Mapping[str, int]) -> None:
        super().__init__(config, shape["max_label"], shape["length"], shape["num_features"])
        self.of_vectors = nn.Linear(config.vectors.channels, config.channels, bias=False)
        nn.init.xavier_uniform_(self.of_vectors.weight)
        self.register_buffer("vectors", torch.zeros(shape["num_nodes"], config.vectors.channels))

    def inputs(self, adjacency: Adjacency, label: Tensor, node: Tensor, features: SparseRows | Tensor | None) -> Tensor:
        """The inputs of SEAL plus the mapped vectors."""
        mapped: Tensor = self.of_vectors(self.vectors.index_select(0, node))
        return super().inputs(adjacency, label, node, features) + mapped


class InjectedBatches(Iterator[Batch]):
    """An endless, seeded stream of batches of train edges and of fixed negatives, each in epochs of its own.

    Args:
        train: The train fold.
        negatives: The negatives.
        config: The settings of training.
        seed: The same seed gives the same batches.

    Raises:
        SplitError: If there are no train edges or no negatives.
        InputError: If near pairs are asked for, which the walks would not have crossed.
    """

    def __init__(self, train: Fold, negatives: Pairs, config: TrainingConfig, seed: int) -> None:
        count = len(train.positives)
        if count == 0:
            raise SplitError(f"{train.observed.name}: there is no edge to train on.")
        if len(negatives) == 0:
            raise SplitError(f"{train.observed.name}: there is no pair that is neither an edge nor held out.")
        if config.near_share:
            raise InputError("'training.near_share' is for models that draw their negatives anew; omit it.")
        self._train, self._negatives = train, negatives
        self._without = train.observed.hider(train.positives)
        for_positives, for_negatives = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        size = config.batch_size(count)
        self._positive = Epochs(count, size, for_positives)
        self._negative = Epochs(len(negatives), size * config.negatives_per_positive, for_negatives)

    def __next__(self) -> Batch:
        chosen, others = next(self._positive), next(self._negative)
        return Batch(
            self._without(chosen), self._train.positives[chosen], self._negatives[others], len(self._negatives)
        )

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return {"positives": self._positive.state(), "negatives": self._negative.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._positive.restore(state["positives"])
        self._negative.restore(state["negatives"])
