"""The base of the models of triples that are graph convolutions over pairs, as published and as ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
import torch
from pydantic import Field
from torch import Tensor
from torch.nn.functional import softplus

from linkwl.graph import KnowledgeGraph, Observed
from linkwl.metrics.registry import Metric, TargetScores
from linkwl.models.base import GradientTrainer
from linkwl.models.batch import BatchSource
from linkwl.models.gradient import GradientConfig
from linkwl.models.history import History
from linkwl.models.triples.mixed_batches import MixedBatch, MixedBatches
from linkwl.models.triples.published_lines import PublishedLines, draw_lines
from linkwl.models.triples.running_sum import RunningSumAdam
from linkwl.models.triples.triple_model import TripleModel
from linkwl.models.triples.triple_network import Located
from linkwl.protocols import TrainingData
from linkwl.protocols.protocol import ScoreQueries
from linkwl.splits import Fold

Variant: TypeAlias = Literal["ours", "paper"]
Dropout = Annotated[float, Field(ge=0, lt=1)]


class StarConfig(GradientConfig):
    """The settings that the models share."""

    variant: Variant = "ours"
    """`ours`: predicted facts are hidden, reversed pairs have swapped halves, gradients are reset. `paper`: the
    published network and training, with their defects, see :class:`PublishedLines` and :class:`RunningSumAdam`."""
    uniform: int = Field(default=2, ge=1, le=10_000)
    """Uniform negatives for each fact, in `ours`."""
    corrupted: int = Field(default=3, ge=0, le=10_000)
    """Corruptions of each kind for each fact, in `ours`."""
    corrupted_weight: float = Field(default=1.0, ge=0, le=1e9)
    """Weight of the corruptions in the loss; positives and uniform negatives have weight 1 each."""


class PublishedBatch(NamedTuple):
    """All labelled lines and the graph that they are read in."""

    graph: Any
    located: Located
    labels: Tensor
    num_entries: int
    """Number of pairs times columns, which the published loss is divided by."""


class StarModel(TripleModel):
    """A model of pairs that hear from the pairs at their ends, with our training or the published one."""

    Config: ClassVar[type[StarConfig]] = StarConfig
    config: StarConfig
    has_loops: ClassVar[bool] = False
    """Whether the published network knows pairs of an entity with itself."""

    def __init__(self, config: StarConfig | None = None) -> None:
        super().__init__(config)
        self._lines: PublishedLines | None = None

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Finds the weights by the trainer's loop; in `paper`, on the published lines and selected by their F1."""
        self.check(data.train.observed)
        if self.config.variant == "ours":
            return trainer.descend(self, data)
        observed = data.train.observed
        assert isinstance(observed, KnowledgeGraph)
        self._lines = draw_lines(
            data.train.positives,
            data.valid.positives,
            observed.num_nodes,
            observed.num_relations,
            np.random.default_rng(trainer.seed),
            loops=self.has_loops,
        ).with_negatives(data.rejected, loops=self.has_loops)
        train, valid = (Fold(observed, targets) for targets in (self._lines.train, self._lines.valid))
        try:
            return trainer.descend(self, TrainingData(train, valid, data.reserved, _F1))
        finally:
            self._lines = None

    def batches(self, data: TrainingData, seed: int) -> BatchSource | None:
        """Facts that are hidden, with negatives of several kinds; in `paper`, all lines in every step."""
        if self.config.variant == "paper":
            lines, observed = self._lines, data.train.observed
            assert lines is not None and isinstance(observed, KnowledgeGraph)
            return _Repeated(lambda: self.published_batch(lines, observed))
        return MixedBatches(
            data.train,
            data.reserved,
            batch_size=self.training.batch_size(len(data.train.positives)),
            uniform=self.config.uniform,
            corrupted=self.config.corrupted,
            seed=seed,
            rejected=data.rejected,
        )

    def published_batch(self, lines: PublishedLines, observed: KnowledgeGraph) -> PublishedBatch:
        """The train lines, for :meth:`loss`."""
        graph = self._published_graph(lines, observed)
        distinct, place = np.unique(lines.train.queries, axis=0, return_index=True)
        labels = torch.from_numpy((place < len(lines.train.positives)).astype(np.float32)).to(self.device)
        located = self._triple_network.locate_members(graph, distinct)
        return PublishedBatch(graph, located, labels, located.entries.num_rows * located.entries.num_columns)

    def _published_graph(self, lines: PublishedLines, observed: KnowledgeGraph) -> Any:
        """The known facts, and every pair of a line."""
        return self._triple_network.read(lines.known, observed.num_nodes, lines.all[:, [0, 2]])

    def make_optimizer(self) -> torch.optim.Optimizer:
        """Adam; in `paper`, on the running sum of the gradients."""
        if self.config.variant == "ours":
            return super().make_optimizer()
        config = self.training
        parameters = self.trained.parameters()
        return RunningSumAdam(parameters, config.learning_rate, weight_decay=config.weight_decay, fused=True)

    def loss(self, batch: Any) -> Tensor:
        """The cross-entropy of positives and of each kind of negatives; in `paper`, of all lines alike."""
        network = self._triple_network
        if isinstance(batch, PublishedBatch):
            logits = network.logits(network.encode(batch.graph), batch.located)
            return (softplus(logits) - batch.labels.to(logits) * logits).sum() / batch.num_entries
        assert isinstance(batch, MixedBatch)
        logits = self.logits(batch.observed, batch.queries)
        return mixed_loss(logits, batch, self.config.corrupted_weight)

    def watch(self, observed: KnowledgeGraph) -> ScoreQueries:
        """In `paper`, scores in the graph of pairs that is being trained on."""
        if self._lines is None:
            return super().watch(observed)
        return self.watch_graph(
            observed, self._published_graph(self._lines, observed), self._triple_network.locate_members
        )

    def num_targets(self, observed: Observed) -> int:
        """Number of positives and negatives of one training step."""
        size = observed.num_facts
        if self.config.variant == "ours":
            size = self.training.batch_size(observed.num_facts)
        return size * (1 + self.config.uniform + self.config.corrupted)


class _Repeated(Iterator[PublishedBatch]):
    """The published lines, again in every step."""

    def __init__(self, make: Callable[[], PublishedBatch]) -> None:
        self._make = make
        self._batch: PublishedBatch | None = None

    def __next__(self) -> PublishedBatch:
        if self._batch is None:  # the network has to be there first
            self._batch = self._make()
        return self._batch

    def state(self) -> dict[str, Any]:
        """Nothing changes."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Nothing to restore."""


def mixed_loss(logits: Tensor, batch: MixedBatch, corrupted_weight: float) -> Tensor:
    """The mean cross-entropy of positives, plus that of uniform negatives, plus that of corruptions."""
    sizes = [len(batch.positives), len(batch.uniform), len(batch.corrupted)]
    positive, uniform, corrupted = logits.split(sizes)
    loss = softplus(-positive).mean() + softplus(uniform).mean()
    return loss + corrupted_weight * softplus(corrupted).mean() if len(corrupted) else loss


def f1_at_zero(scores: TargetScores) -> float:
    """F1 of the positives among the logits above 0, which are the probabilities above one half."""
    true, false = int((scores.positive > 0).sum()), int((scores.negative > 0).sum())
    return 2 * true / max(true + false + len(scores.positive), 1)


_F1 = Metric("f1", "F1", f1_at_zero, meaning="the harmonic mean of precision and recall at probability one half")
