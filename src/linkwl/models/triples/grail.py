"""GraIL: a relational network on the subgraph around a pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.metrics import find_metric
from linkwl.models.base import GradientTrainer, Needs
from linkwl.models.batch import Batch, BatchSource
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.epochs import Epochs
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig
from linkwl.models.history import History
from linkwl.models.triples.star_model import Dropout
from linkwl.models.triples.triple_model import check_relations
from linkwl.nn.grail_conv import GrailConv, QueryGraph
from linkwl.nn.operators import segment_sum
from linkwl.protocols import TrainingData
from linkwl.ranges import range_entries
from linkwl.sparse.rows import starts
from linkwl.sparse.subgraphs import FactRows, Subgraphs, enclosing_subgraphs
from linkwl.splits import Fold, Targets
from linkwl.typing import IntArray, Queries

_EDGES = 1 << 18  # facts that are walked at a time
_MOST_WATCHED = 2000  # validation facts; each validation takes as long as many steps
_MARGIN = 10.0


class GrailConfig(GradientConfig):
    """Settings of GraIL."""

    hops: int = Field(default=3, ge=1, le=8)
    """Largest distance of an entity of the subgraph from either end."""
    max_nodes: int = Field(default=100, ge=2, lt=1 << 31)
    """Largest number of entities of a subgraph; the published one has no limit."""
    channels: int = Field(default=32, ge=1, le=1 << 16)
    layers: int = Field(default=3, ge=1, le=256)
    bases: int = Field(default=4, ge=1, le=1 << 16)
    edge_dropout: Dropout = 0.5
    training: TrainingConfig = TrainingConfig(
        learning_rate=0.01,
        weight_decay=5e-4,
        batch_ratio=1.0,
        max_batch=16,
        max_steps=4000,
        patience=1500,
        evaluate_every=250,
        average=0.0,
    )


class Grail(GradientModel):
    """GraIL: a relational network on the subgraph around a pair, its entities labelled by their distances to both ends.

    The subgraph of (h, r, t) holds the entities at most three hops from both ends, and the facts between them; the fact
    (h, r, t) itself is always in it, whether it is known or not, so that its score does not depend on that. Training
    compares each fact with one corrupted head or tail, by a hinge with margin 10, every fact of a batch with every
    negative. Scores have no natural threshold.

    One subgraph is walked for each query, which is slow. To stay affordable on a few cores, by default a subgraph has
    at most 100 entities, and training ends after a few thousand steps of 16 facts, instead of 100 epochs. Weights are
    selected by AUC on validation facts against uniform triples.
    """

    id = "grail"
    title = "GraIL"
    reference = "Teru et al., Inductive relation prediction by subgraph reasoning, ICML, 2020."
    task = "triples"
    needs: ClassVar[Needs] = Needs(directed=True)
    gives_logits: ClassVar[bool] = False
    block_size: ClassVar[int] = 1 << 13
    Config: ClassVar[type[GrailConfig]] = GrailConfig
    config: GrailConfig

    def measure(self, observed: KnowledgeGraph) -> dict[str, int]:
        """The number of relations."""
        return {"num_relations": observed.num_relations}

    def check(self, observed: Observed) -> None:
        """Raises InputError if the graph has other relations than those that the network was built for."""
        super().check(observed)
        check_relations(self, observed)

    def build_network(self, shape: Mapping[str, int]) -> GrailNetwork:
        """The network for graphs with that many relations."""
        return GrailNetwork(self.config, shape["num_relations"])

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Finds the weights by the trainer's loop; validation uses a part of the targets."""
        targets = data.valid.targets
        few = Targets(targets.positives, targets.negatives).sample(_MOST_WATCHED, np.random.default_rng(0))
        valid = Fold(data.valid.observed, few)
        return super().fit(replace(data, valid=valid, selection=find_metric("auc")), trainer)

    def batches(self, data: TrainingData, seed: int) -> BatchSource:
        """Facts with one fixed negative each."""
        return CorruptedBatches(data, self.training.batch_size(len(data.train.positives)), seed)

    def loss(self, batch: Any) -> Tensor:
        """The hinge of every fact with every negative, averaged over the facts."""
        positive, negative = self.logits(batch.observed, batch.queries).split(
            [len(batch.positives), len(batch.negatives)]
        )
        return (_MARGIN - positive[:, None] + negative).relu().sum() / len(positive)

    def logits(self, observed: KnowledgeGraph, queries: Queries) -> Tensor:
        """One differentiable score per triple; equal pairs share their subgraph."""
        network, n = self.trained, observed.num_nodes
        assert isinstance(network, GrailNetwork)
        heads, tails = queries[:, 0].astype(np.int64), queries[:, 2].astype(np.int64)
        keys, place = np.unique(heads * n + tails, return_inverse=True)
        pairs = np.stack(np.divmod(keys, n), axis=1)
        found = enclosing_subgraphs(_fact_rows(observed), pairs, self.config.hops, self.config.max_nodes)
        place = place.reshape(-1)
        total = np.cumsum(np.diff(found.edge_ptr)[place] + 1)
        cuts = np.unique(np.searchsorted(total, np.arange(_EDGES, total[-1] + _EDGES, _EDGES)) + 1)
        parts = np.split(np.arange(len(queries)), cuts[cuts < len(queries)])
        scores = [network(query_graph(found, place[part], queries[part, 1], self.config.hops)) for part in parts]
        return torch.cat(scores)

    def cost(self, observed: KnowledgeGraph, num_targets: int) -> Cost:
        """The cost of the subgraphs of one step, if all were as large as allowed."""
        config = self.config
        density = observed.num_facts / max(observed.num_nodes, 1)
        nodes = num_targets * min(config.max_nodes, observed.num_nodes)
        edges = min(nodes * density, num_targets * observed.num_facts)
        numbers = (nodes + edges * config.bases) * config.channels * config.layers
        return Cost(FLOAT * KEPT * numbers, PASSES * numbers * config.channels)

    def is_small(self, observed: KnowledgeGraph, num_targets: int) -> bool:
        """Whether a block of subgraphs is small; a training step always is."""
        return num_targets < 100

    def describe(self, observed: KnowledgeGraph) -> str:
        """Hops and layers."""
        return f"subgraphs of {self.config.hops} hops, {self.config.layers} layers, {self.config.channels} channels"


class GrailNetwork(nn.Module):
    """Labels, layers of :class:`GrailConv`, readout."""

    def __init__(self, config: GrailConfig, num_relations: int) -> None:
        super().__init__()
        width, labels = config.channels, config.hops + 1
        self.num_labels = labels
        widths = [2 * labels, *[width] * config.layers]
        self.convs = nn.ModuleList(
            GrailConv(
                before,
                width,
                num_relations,
                num_bases=config.bases,
                attention_channels=width,
                edge_dropout=config.edge_dropout,
            )
            for before in widths[:-1]
        )
        self.attention = nn.Embedding(num_relations, width)
        self.relations = nn.Embedding(num_relations, width)
        self.readout = nn.Linear(3 * config.layers * width + width, 1)

    def forward(self, graph: QueryGraph) -> Tensor:
        """One score per query."""
        first, second = graph.label // self.num_labels, graph.label % self.num_labels
        x = torch.cat([nn.functional.one_hot(d, self.num_labels) for d in (first, second)], dim=1)
        x, layers = x.to(self.readout.weight), []
        for conv in self.convs:
            x = conv(x, graph, self.attention.weight)
            layers.append(x)
        every = torch.cat(layers, dim=1)
        mean = segment_sum(every, graph.node_ptr) / graph.node_ptr.diff().to(every)[:, None]
        parts = every.index_select(0, graph.first), every.index_select(0, graph.second), mean
        scores: Tensor = self.readout(torch.cat([*parts, self.relations(graph.target)], dim=1))
        return scores[:, 0]


class CorruptedBatches(Iterator[Batch]):
    """An endless, seeded stream of facts, each with one fixed negative: another head or another tail.

    The graph is the same in every batch: a fact is in its own subgraph in any case.

    Args:
        data: The folds.
        batch_size: Number of facts in a batch.
        seed: The same seed gives the same batches.

    Raises:
        SplitError: If there are no train facts, or no triple to corrupt them to.
    """

    def __init__(self, data: TrainingData, batch_size: int, seed: int) -> None:
        self._train, self._reserved = data.train, data.reserved
        if len(data.train.positives) == 0:
            raise SplitError(f"{data.train.observed.name}: there is no fact to train on.")
        for_negatives, for_order = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        self._negatives = _corrupt(data.train.positives, data.reserved, for_negatives)
        if data.rejected is not None:
            known = data.rejected[for_negatives.permutation(len(data.rejected))[: len(self._negatives) // 2]]
            self._negatives[for_negatives.permutation(len(self._negatives))[: len(known)]] = known
        self._epochs = Epochs(len(self._negatives), batch_size, for_order)

    def __next__(self) -> Batch:
        chosen = next(self._epochs)
        positives, negatives = self._train.positives[chosen], self._negatives[chosen]
        return Batch(self._train.observed, positives, negatives, self._reserved.num_absent)

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return self._epochs.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._epochs.restore(state)


def query_graph(found: Subgraphs, place: IntArray, relations: IntArray, hops: int) -> QueryGraph:
    """The subgraphs of queries as one graph, each with the fact that is asked for.

    Args:
        found: The subgraphs of the distinct pairs.
        place: The pair of each query.
        relations: The relation of each query.
        hops: The largest label.
    """
    _, nodes = range_entries(found.node_ptr[place], found.node_ptr[place + 1])
    owner, edges = range_entries(found.edge_ptr[place], found.edge_ptr[place + 1])
    node_ptr = starts(np.diff(found.node_ptr)[place])
    offset = node_ptr[:-1][owner]
    asked = relations.astype(np.int64)
    is_loop = found.first[found.node_ptr[place]] == found.second[found.node_ptr[place]]  # one node with both ends
    first, second = node_ptr[:-1], node_ptr[:-1] + np.where(is_loop, 0, 1)
    head, tail, relation = found.head[edges] + offset, found.tail[edges] + offset, found.relation[edges]
    other = ~((head == first[owner]) & (tail == second[owner]) & (relation == asked[owner]))
    head, tail = np.concatenate([head[other], first]), np.concatenate([tail[other], second])
    relation, query = np.concatenate([relation[other], asked]), np.concatenate([asked[owner][other], asked])
    order = np.lexsort((relation, head, tail))
    label = found.first[nodes].astype(np.int64) * (hops + 1) + found.second[nodes]
    ptr = starts(np.bincount(tail, minlength=len(nodes)))
    arrays = label, ptr, head[order], relation[order], tail[order], query[order], node_ptr, first, second, asked
    return QueryGraph(*(torch.from_numpy(np.ascontiguousarray(array, dtype=np.int64)) for array in arrays))


def _fact_rows(graph: KnowledgeGraph) -> FactRows:
    links = graph.links
    relation, tail = (np.ascontiguousarray(graph.triples[:, k]) for k in (1, 2))
    return FactRows(links.rowptr, links.col, graph.head_ptr, relation, tail)


def _corrupt(facts: Queries, reserved: Observed, generator: np.random.Generator) -> Queries:
    """Each fact with another head or another tail, never one of the reserved triples."""
    drawn = facts.copy()
    open_ = np.arange(len(facts))
    for _ in range(100):
        column = np.where(generator.random(len(open_)) < 0.5, 0, 2)
        drawn[open_] = facts[open_]
        drawn[open_, column] = generator.integers(reserved.num_nodes, size=len(open_))
        open_ = open_[reserved.contains(drawn[open_])]
        if len(open_) == 0:
            return drawn
    raise SplitError(f"{reserved.name}: nearly every triple is a fact or held out, so none is left to compare with.")
