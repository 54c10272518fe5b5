"""WLNM: a perceptron on the ordered neighbourhood of a pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.models.batch import BatchSource
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.epochs import Epochs
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig, as_scores, torch_threads
from linkwl.models.space import Choice, LogUniform, Space
from linkwl.protocols import TrainingData
from linkwl.protocols.protocol import ScoreQueries
from linkwl.sparse.link_vectors import MOST_NODES, link_vectors
from linkwl.splits import sample_negatives
from linkwl.typing import FloatArray, Pairs, Scores

_WIDTHS = (32, 32, 16)


class WLNMConfig(GradientConfig):
    """Settings of WLNM."""

    nodes: int = Field(default=10, ge=2, le=MOST_NODES)
    """Number of nodes of a neighbourhood."""
    max_per_hop: int = Field(default=500, ge=1, le=1 << 20)
    """Largest number of nodes collected at one distance; the published one has no limit."""
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.001,
        weight_decay=1e-3,
        batch_ratio=1.0,
        max_batch=64,
        max_steps=5000,
        patience=1500,
        evaluate_every=50,
        average=0.98,
    )


class WLNM(GradientModel):
    """WLNM: a perceptron on the adjacency matrix of the ten nodes around a pair, in the order of palette-WL.

    The vectors are those of :func:`linkwl.sparse.link_vectors.link_vectors`. That of a link does not see its own edge,
    and sees all other edges. As it does not depend on the weights, the vectors of all train edges and of the negatives
    are found once: a few microseconds to a millisecond per pair, by the size of its neighbourhood.
    """

    id = "wlnm"
    title = "WLNM"
    reference = "Zhang and Chen, Weisfeiler-Lehman neural machine for link prediction, KDD, 2017."
    block_size: ClassVar[int] = 1 << 12
    search_space: ClassVar[Space] = {
        "nodes": Choice(8, 10, 15),
        "training.learning_rate": LogUniform(3e-4, 1e-2),
        "training.weight_decay": LogUniform(1e-5, 1e-2),
        "training.max_batch": Choice(32, 64, 256),
        "training.negatives_per_positive": Choice(1, 5, 10),
    }
    Config: ClassVar[type[WLNMConfig]] = WLNMConfig
    config: WLNMConfig

    def measure(self, observed: Graph) -> dict[str, int]:
        """Nothing: vectors have one length on every graph."""
        return {}

    def build_network(self, shape: Mapping[str, int]) -> nn.Sequential:
        """Three hidden layers."""
        widths = [self.config.nodes * (self.config.nodes - 1) // 2, *_WIDTHS]
        hidden = [(nn.Linear(before, after), nn.ReLU()) for before, after in zip(widths, widths[1:], strict=False)]
        return nn.Sequential(*(layer for pair in hidden for layer in pair), nn.Linear(widths[-1], 1))

    def batches(self, data: TrainingData, seed: int) -> BatchSource:
        """Train edges, each with its fixed negatives, as vectors."""
        return VectorBatches(self, data, seed)

    def loss(self, batch: Any) -> Tensor:
        """The cross-entropy of labelled vectors."""
        logits = self._logits(batch.vectors)
        return nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(batch.labels).to(logits))

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        return self._logits(self.vectors(observed, queries))

    def vectors(self, observed: Graph, pairs: Pairs) -> FloatArray:
        """The neighbourhood of each pair."""
        ordered = np.sort(pairs, axis=1)
        return link_vectors(observed.rowptr, observed.col, ordered, self.config.nodes, self.config.max_per_hop)

    def watch(self, observed: Graph) -> ScoreQueries:
        """Finds the vectors of the same queries once."""
        known: dict[bytes, FloatArray] = {}

        def look(queries: Pairs) -> Scores:
            key = queries.tobytes()
            if key not in known:
                known.clear()
                known[key] = self.vectors(observed, queries)
            with torch.no_grad(), self.evaluating(), torch_threads(1):
                return as_scores(self._logits(known[key]))

        return look

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of one step, and the memory of the vectors of all train edges and negatives."""
        length = self.config.nodes * (self.config.nodes - 1) // 2
        stored = FLOAT * length * (1 + self.training.negatives_per_positive) * observed.num_edges
        numbers = num_targets * (length + sum(_WIDTHS))
        return Cost(stored + FLOAT * KEPT * numbers, PASSES * numbers * _WIDTHS[0])

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """The perceptron is small for any number of targets."""
        return True

    def describe(self, observed: Graph) -> str:
        """The number of nodes."""
        return f"neighbourhoods of {self.config.nodes} nodes in the order of palette-WL"

    def _logits(self, vectors: FloatArray) -> Tensor:
        network = self.trained
        weight = next(network.parameters())
        logits: Tensor = network(torch.from_numpy(vectors).to(weight))
        return logits[:, 0]


@dataclass(frozen=True, eq=False)
class VectorBatch:
    """The vectors of one step with their labels."""

    vectors: FloatArray
    labels: FloatArray


class VectorBatches(Iterator[VectorBatch]):
    """An endless, seeded stream of the vectors of train edges and their fixed negatives.

    Args:
        model: Finds the vectors.
        data: The folds.
        seed: The same seed gives the same batches.

    Raises:
        SplitError: If there are no train edges, or no pairs to draw negatives from.
    """

    def __init__(self, model: WLNM, data: TrainingData, seed: int) -> None:
        observed, positives = data.train.observed, data.train.positives
        assert isinstance(observed, Graph)
        if len(positives) == 0:
            raise SplitError(f"{observed.name}: there is no edge to train on.")
        self._ratio = model.training.negatives_per_positive
        for_negatives, for_order = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        count = self._ratio * len(positives)
        wanted = min(count, max(data.reserved.num_absent, 1))
        drawn = sample_negatives(data.reserved, wanted, for_negatives, known=data.rejected)
        negatives = np.resize(for_negatives.permutation(drawn), (count, 2))  # in a dense graph some several times
        self._positives = model.vectors(observed, positives)
        self._negatives = model.vectors(observed, negatives).reshape(len(positives), self._ratio, -1)
        self._epochs = Epochs(len(positives), model.training.batch_size(len(positives)), for_order)

    def __next__(self) -> VectorBatch:
        chosen = next(self._epochs)
        negatives = self._negatives[chosen].reshape(-1, self._positives.shape[1])
        labels = np.repeat(np.array([1, 0], dtype=np.float32), [len(chosen), len(negatives)])
        return VectorBatch(np.concatenate([self._positives[chosen], negatives]), labels)

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return self._epochs.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._epochs.restore(state)
