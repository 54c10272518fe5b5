"""The base of the models of triples that give a pair of entities one vector, and a relation another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import softplus

from linkwl.errors import InputError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.metrics.registry import Metric, TargetScores
from linkwl.models.base import GradientTrainer, Needs, Scorer
from linkwl.models.batch import BatchSource
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.gradient import GradientConfig, GradientModel, as_scores, torch_threads
from linkwl.models.history import History
from linkwl.models.triples.mixed_batches import MixedBatches, TripleBatch
from linkwl.models.triples.published_lines import PublishedLines, draw_lines
from linkwl.models.triples.running_sum import RunningSumAdam
from linkwl.nn.entry_products import Entries, entry_products
from linkwl.protocols import TrainingData
from linkwl.protocols.protocol import ScoreQueries
from linkwl.splits import Fold
from linkwl.typing import FloatArray, IntArray, Pairs, Queries, Scores

Variant: TypeAlias = Literal["ours", "paper"]
Dropout = Annotated[float, Field(ge=0, lt=1)]
_FEW_NUMBERS = 1 << 20  # for arrays smaller than this, waking a second thread does not pay
_BLOCK = 1 << 23  # scores of relations that are computed at a time


class TripleConfig(GradientConfig):
    """The settings that the models share."""

    variant: Variant = "ours"
    """`ours`: predicted facts are hidden, reversed pairs have swapped halves, gradients are reset. `paper`: the
    published network and training, with their defects, see :class:`PublishedLines` and :class:`RunningSumAdam`."""
    uniform: int = Field(default=2, ge=1)
    """Uniform negatives for each fact, in `ours`."""
    corrupted: int = Field(default=3, ge=0)
    """Corruptions of each kind for each fact, in `ours`."""
    corrupted_weight: float = Field(default=1.0, ge=0)
    """Weight of the corruptions in the loss; positives and uniform negatives have weight 1 each."""


class Located(NamedTuple):
    """Triples in a graph that was read: what their logits need, independent of the weights."""

    queries: Queries
    placed: Any
    """The distinct pairs; see :meth:`TripleNetwork.place`."""
    entries: Entries
    """Pair and column of each triple."""
    column: Tensor
    features: Tensor | None
    """The input of :meth:`TripleNetwork.shared`."""


class TripleNetwork(nn.Module, ABC):
    """A network that reads a graph of triples by :meth:`read` and :meth:`encode`, and then gives any pair a vector.

    The logit of a triple is the product of its pair's vector with the vector of a column, plus what :meth:`shared`
    adds. An ordered network has a column for each relation; others know unordered pairs and have 2R columns, R + r for
    the relation r from the larger to the smaller entity.

    Args:
        num_relations: Number of relations.
        is_ordered: Whether (a, b) and (b, a) are two pairs.
    """

    def __init__(self, num_relations: int, *, is_ordered: bool) -> None:
        super().__init__()
        self.num_relations = num_relations
        self.is_ordered = is_ordered
        self.num_columns = num_relations * (1 if is_ordered else 2)

    @abstractmethod
    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> Any:
        """The input from facts, independent of the weights.

        Args:
            triples: The facts.
            num_nodes: Number of entities.
            also: Further pairs that take part in the graph of pairs, for the published training.
        """

    @abstractmethod
    def place(self, graph: Any, pairs: Pairs) -> Any:
        """Finds distinct pairs in a graph that was read; int64."""

    @abstractmethod
    def find(self, graph: Any, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of pairs among the members of the graph of pairs, and the number of members."""

    @abstractmethod
    def encode(self, graph: Any) -> Any:
        """The encoding of a graph, independent of the pairs to score."""

    @abstractmethod
    def states(self, encoding: Any, placed: Any) -> Tensor:
        """One vector per pair, independent of the other pairs; of all members if ``placed`` is None."""

    @abstractmethod
    def columns(self, encoding: Any) -> tuple[Tensor, Tensor]:
        """The vector and the bias of every column."""

    def features(self, graph: Any, queries: Queries) -> FloatArray | None:
        """Features of triples for :meth:`shared`, float32; independent of the weights."""
        return None

    def relation_features(self, graph: Any, pairs: Pairs) -> FloatArray | None:
        """The features of every relation of pairs, shape ``(num_pairs, num_relations, num_features)``."""
        return None

    def shared(self, features: Tensor) -> Tensor:
        """A further part of each logit, from weights that all relations share."""
        raise NotImplementedError

    def locate(self, graph: Any, queries: Queries) -> Located:
        """Finds triples in a graph that was read."""
        pairs, col = self.slots(queries)
        distinct, place = _distinct(pairs)
        entries = Entries(place, col, len(distinct), self.num_columns)
        features = self._tensor(self.features(graph, queries))
        return Located(queries, self.place(graph, distinct), entries, self._index(col), features)

    def locate_members(self, graph: Any, queries: Queries) -> Located:
        """Finds triples whose pairs are members of the graph, most of its members at once."""
        pairs, col = self.slots(queries)
        row, num_members = self.find(graph, pairs)
        return Located(queries, None, Entries(row, col, num_members, self.num_columns), self._index(col), None)

    def logits(self, encoding: Any, located: Located) -> Tensor:
        """One logit per triple."""
        weight, bias = self.columns(encoding)
        logits = entry_products(self.states(encoding, located.placed), weight, located.entries) + bias[located.column]
        return logits if located.features is None else logits + self.shared(located.features)

    def relation_logits(self, graph: Any, encoding: Any, pairs: Pairs) -> Tensor:
        """The logits of every relation from head to tail, shape ``(num_pairs, num_relations)``."""
        pairs = pairs.astype(np.int64)
        distinct, place = _distinct(pairs if self.is_ordered else np.sort(pairs, axis=1))
        weight, bias = self.columns(encoding)
        states = self.states(encoding, self.place(graph, distinct))
        rows = (states @ weight.T + bias)[self._index(place)]
        if not self.is_ordered:
            ahead = torch.from_numpy(pairs[:, 0] <= pairs[:, 1]).to(bias.device)[:, None]
            rows = torch.where(ahead, rows[:, : self.num_relations], rows[:, self.num_relations :])
        features = self._tensor(self.relation_features(graph, pairs))
        return rows if features is None else rows + self.shared(features)

    def _tensor(self, features: FloatArray | None) -> Tensor | None:
        return None if features is None else torch.from_numpy(features).to(next(self.parameters()))

    def _index(self, index: IntArray) -> Tensor:
        return torch.from_numpy(index).to(next(self.parameters()).device)

    def slots(self, queries: Queries) -> tuple[Pairs, IntArray]:
        """Pair and column of each triple."""
        head, relation, tail = queries.astype(np.int64).T
        if self.is_ordered:
            return np.stack([head, tail], axis=1), relation
        pairs = np.stack([np.minimum(head, tail), np.maximum(head, tail)], axis=1)
        return pairs, np.where(head <= tail, relation, self.num_relations + relation)


class PublishedBatch(NamedTuple):
    """All labelled lines and the graph that they are read in."""

    graph: Any
    located: Located
    labels: Tensor
    num_entries: int
    """Number of pairs times columns, which the published loss is divided by."""


class TripleModel(GradientModel):
    """A model whose network is a :class:`TripleNetwork`."""

    task = "triples"
    needs: ClassVar[Needs] = Needs(directed=True)
    Config: ClassVar[type[TripleConfig]] = TripleConfig
    config: TripleConfig

    def __init__(self, config: TripleConfig | None = None) -> None:
        super().__init__(config)
        self._lines: PublishedLines | None = None

    @abstractmethod
    def width(self) -> int:
        """Number of channels of a pair, for the estimate of the cost."""

    def measure(self, observed: KnowledgeGraph) -> dict[str, int]:
        """The number of relations."""
        return {"num_relations": observed.num_relations}

    def check(self, observed: Observed) -> None:
        """Raises InputError if the graph has other relations than those that the network was built for."""
        super().check(observed)
        assert isinstance(observed, KnowledgeGraph)
        known = self.shape.get("num_relations", observed.num_relations)
        if known != observed.num_relations:
            raise InputError(
                f"{self.id} was trained on {known} relations, and {observed.name} has {observed.num_relations}; give "
                "it a graph with the same relations."
            )

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
        )
        train, valid = (Fold(observed, targets) for targets in (self._lines.train, self._lines.valid))
        try:
            return trainer.descend(self, TrainingData(train, valid, data.reserved, _F1))
        finally:
            self._lines = None

    def batches(self, data: TrainingData, seed: int) -> BatchSource | None:
        """Facts that are hidden, with negatives of several kinds; in `paper`, all lines in every step."""
        if self.config.variant == "paper":
            return _Repeated(lambda: self._published_batch(data.train.observed))
        return MixedBatches(
            data.train,
            data.reserved,
            batch_size=self.training.batch_size(len(data.train.positives)),
            uniform=self.config.uniform,
            corrupted=self.config.corrupted,
            seed=seed,
        )

    def _published_batch(self, observed: Any) -> PublishedBatch:
        """The train lines."""
        assert self._lines is not None
        graph, lines = self._published_graph(observed), self._lines.train
        distinct, place = np.unique(lines.queries, axis=0, return_index=True)
        labels = torch.from_numpy((place < len(lines.positives)).astype(np.float32)).to(self.device)
        located = self._triple_network.locate_members(graph, distinct)
        return PublishedBatch(graph, located, labels, located.entries.num_rows * located.entries.num_columns)

    def _published_graph(self, observed: KnowledgeGraph) -> Any:
        """The known facts, and every pair of a line."""
        assert self._lines is not None
        return self._triple_network.read(self._lines.known, observed.num_nodes, self._lines.all[:, [0, 2]])

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
        assert isinstance(batch, TripleBatch)
        logits = self.logits(batch.observed, batch.queries)
        return mixed_loss(logits, batch, self.config.corrupted_weight)

    def logits(self, observed: KnowledgeGraph, queries: Queries) -> Tensor:
        """One differentiable logit per triple."""
        network, graph = self._triple_network, self._read(observed)
        return network.logits(network.encode(graph), network.locate(graph, queries))

    def make_scorer(self, observed: KnowledgeGraph) -> TripleScorer:
        """Encodes the graph once."""
        graph = self._read(observed)
        with torch.no_grad(), torch_threads(self.num_threads(observed, 0)):
            return TripleScorer(self, observed, graph, self._triple_network.encode(graph))

    def watch(self, observed: KnowledgeGraph) -> ScoreQueries:
        """Reads the graph once; every call encodes it with the current weights."""
        network = self._triple_network
        graph = self._read(observed) if self._lines is None else self._published_graph(observed)
        locate = network.locate if self._lines is None else network.locate_members
        known: list[Located] = []  # the same queries come again and again

        def look(queries: Queries) -> Scores:
            if not known or not np.array_equal(known[0].queries, queries):
                known[:] = [locate(graph, queries)]
            with torch.no_grad(), self.evaluating(), torch_threads(self.num_threads(observed, len(queries))):
                return as_scores(network.logits(network.encode(graph), known[0]))

        return look

    def score_triples(self, graph: Any, encoding: Any, queries: Queries) -> Scores:
        """The scores of triples on an encoded graph, in blocks."""
        network = self._triple_network
        blocks = [queries[start : start + self.block_size] for start in range(0, len(queries), self.block_size)]
        return as_scores(torch.cat([network.logits(encoding, network.locate(graph, block)) for block in blocks]))

    def score_relations(self, graph: Any, encoding: Any, pairs: Pairs) -> FloatArray:
        """The scores of every relation of pairs on an encoded graph, in blocks."""
        network, count = self._triple_network, max(1, self.shape["num_relations"])
        size = max(1, _BLOCK // count)
        blocks = [pairs[start : start + size] for start in range(0, len(pairs), size)]
        rows = (as_scores(network.relation_logits(graph, encoding, block)) for block in blocks)
        return np.concatenate([np.empty((0, count)), *rows])

    def is_small(self, observed: KnowledgeGraph, num_targets: int) -> bool:
        """Whether the vectors of entities and pairs are few."""
        return (observed.num_nodes + 2 * observed.num_facts + num_targets) * self.width() < _FEW_NUMBERS

    def num_targets(self, observed: Observed) -> int:
        """Number of positives and negatives of one training step."""
        size = observed.num_facts
        if self.config.variant == "ours":
            size = self.training.batch_size(observed.num_facts)
        return size * (1 + self.config.uniform + self.config.corrupted)

    def cost(self, observed: KnowledgeGraph, num_targets: int) -> Cost:
        """The cost of the weights, of the vectors of entities and pairs, and of the targets."""
        channels, columns = self.width(), 2 * observed.num_relations
        rows = observed.num_nodes + 2 * observed.num_facts + num_targets
        weights = 6.0 * FLOAT * 4 * channels * (columns + channels)
        return Cost(weights + 2.0 * FLOAT * KEPT * rows * channels, PASSES * rows * channels * (channels + KEPT))

    @property
    def _triple_network(self) -> TripleNetwork:
        network = self.trained
        assert isinstance(network, TripleNetwork)
        return network

    def _read(self, observed: KnowledgeGraph) -> Any:
        return self._triple_network.read(observed.triples, observed.num_nodes)


class TripleScorer(Scorer):
    """A network of triples and a graph that it has encoded.

    Args:
        model: A frozen model.
        observed: The graph.
        read: The graph as the network has read it.
        encoding: The network's encoding of the graph.
    """

    def __init__(self, model: TripleModel, observed: KnowledgeGraph, read: Any, encoding: Any) -> None:
        super().__init__(observed)
        self._model, self._graph, self._read, self._encoding = model, observed, read, encoding
        self._threads = torch.get_num_threads()

    def relations(self, pairs: Pairs) -> FloatArray:
        """The scores of every relation from a head to a tail, from one vector for each pair."""
        pairs = np.asarray(pairs).reshape(-1, 2)
        self._graph.check_queries(np.stack([pairs[:, 0], np.zeros(len(pairs), dtype=np.int64), pairs[:, 1]], axis=1))
        with torch.no_grad(), torch_threads(self._num_threads(len(pairs) * self._graph.num_relations)):
            return self._model.score_relations(self._read, self._encoding, pairs)

    def _score(self, queries: Queries) -> Scores:
        with torch.no_grad(), torch_threads(self._num_threads(len(queries))):
            return self._model.score_triples(self._read, self._encoding, queries)

    def _num_threads(self, num_queries: int) -> int:
        return 1 if self._model.is_small(self._graph, num_queries) else self._threads


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


def mixed_loss(logits: Tensor, batch: TripleBatch, corrupted_weight: float) -> Tensor:
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


def _distinct(pairs: Pairs) -> tuple[Pairs, IntArray]:
    """The distinct pairs, and the position of each pair among them."""
    if len(pairs) == 0:
        return pairs, np.empty(0, dtype=np.int64)
    base = int(pairs.max()) + 1
    keys, place = np.unique(pairs[:, 0] * base + pairs[:, 1], return_inverse=True)
    return np.stack(np.divmod(keys, base), axis=1), place.reshape(-1)
