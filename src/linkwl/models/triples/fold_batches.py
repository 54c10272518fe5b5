"""Batches for our model of triples: facts are hidden a fold at a time, and statistics are read from the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph
from linkwl.models.triples.reading import PAIR_CHANNELS, QUERY_CHANNELS, TripleReading
from linkwl.nn.triple_ensemble import PairInputs
from linkwl.typing import BoolArray, FloatArray, IntArray, Queries

_LOOP_SHARE = 0.25
"""Share of the random pairs that are an entity with itself, for facts of a relation that has such facts."""


class FoldConfig(BaseModel):
    """How facts are hidden, and what they are compared with."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    folds: int = Field(default=8, ge=2, le=1000)
    """Number of folds; the facts of a fold are predicted from the others."""
    rounds: int = Field(default=2, ge=1, le=256)
    """How often folds and negatives are drawn anew during training."""
    drop: float = Field(default=0.5, ge=0, lt=1)
    """For each fold, a random share of the other facts up to this one is hidden as well: the model must not rely on
    the density of its training graph."""
    relations: int = Field(default=32, ge=1, lt=1 << 31)
    """Number of other relations that a fact's relation is compared with; all if there are no more."""
    corruptions: int = Field(default=8, ge=0, le=10_000)
    """Number of facts with another tail, and with another head, that a fact is compared with, together."""
    near_share: float = Field(default=0.5, ge=0, le=1)
    """Share of them whose new entity already has the role."""
    uniform_relations: int = Field(default=4, ge=1, lt=1 << 31)
    """For each fact a pair of random entities is drawn, with this many random relations."""
    most_facts: int = Field(default=60_000, ge=1, lt=1 << 31)
    """Maximum number of facts to learn from in a round; a sample of larger graphs."""


@dataclass(frozen=True, eq=False)
class FoldBatch:
    """The hidden facts of one step, and the triples that they are compared with.

    The triples are, for each fact: itself and other relations; then random triples; then other tails and heads. A
    triple that must be avoided has no part in the loss.
    """

    inputs: PairInputs
    queries: Tensor
    """The features of the triples."""
    place: Tensor
    """The pair of each triple."""
    relation: Tensor
    relations: Tensor
    """Which of the other relations take part; ``(num_facts, num_others)``."""
    uniform: Tensor
    """Which of the random triples take part; ``(num_facts, num_random)``."""
    corruptions: Tensor
    """Which of the other tails, and of the other heads, take part; ``(num_facts, 2, num_others)``."""
    correction: float
    """The logarithm by which a sample of other relations falls short of all."""


@dataclass(frozen=True, eq=False)
class _Group:
    """Pairs with the relations that are asked of each, and their features."""

    pairs: IntArray
    relations: IntArray
    is_used: BoolArray
    pair_features: FloatArray
    query_features: FloatArray

    @classmethod
    def read(
        cls,
        reading: TripleReading,
        avoided: KnowledgeGraph,
        loop_relations: BoolArray,
        pairs: IntArray,
        relations: IntArray,
    ) -> _Group:
        heads, tails = (np.repeat(end, relations.shape[1]) for end in pairs.T)
        asked = relations.reshape(-1)
        # Loops of a relation that has none are ruled out without learning.
        is_open = (heads != tails) | loop_relations[asked]
        is_used = ~avoided.contains(np.stack([heads, asked, tails], axis=1)) & is_open
        features = reading.query_features(pairs, relations)
        return cls(pairs, relations, is_used.reshape(relations.shape), reading.pair_features(pairs), features)

    def take(self, rows: IntArray) -> _Group:
        return _Group(
            self.pairs[rows],
            self.relations[rows],
            self.is_used[rows],
            self.pair_features[rows],
            self.query_features[rows],
        )


@dataclass(frozen=True, eq=False)
class _FoldData:
    """A fold: statistics of the graph without it, and three groups of pairs, in the order of its facts."""

    reading: TripleReading
    facts: _Group
    uniform: _Group
    corrupted: _Group | None


class FoldBatches(Iterator[FoldBatch]):
    """An endless, seeded stream of batches of hidden facts.

    In each round the facts are divided into folds at random. The statistics that predict the facts of a fold are read
    from the graph without them, so nothing about a fact can be read off its own traces. The features of facts and
    negatives are computed once a round.

    Args:
        observed: The training graph.
        facts: The facts to learn from.
        avoided: The triples that negatives must avoid.
        config: How facts are hidden.
        batch_size: Approximate number of facts in a batch.
        epochs_per_round: How often each fact is used before folds are drawn anew.
        seed: The same seed gives the same batches.
        rejected: Known negatives; each fold has them, or a sample, among its random triples.
    """

    def __init__(
        self,
        observed: KnowledgeGraph,
        facts: Queries,
        avoided: KnowledgeGraph,
        config: FoldConfig,
        batch_size: int,
        epochs_per_round: int,
        seed: int,
        *,
        rejected: Queries | None = None,
    ) -> None:
        if len(facts) < 2:
            raise SplitError(f"{observed.name}: there are too few facts to train on.")
        self._observed, self._facts, self._avoided, self._rejected = observed, facts, avoided, rejected
        self._config, self._batch_size, self._seed = config, batch_size, seed
        self._epochs_per_round, self._round = epochs_per_round, -1
        self._begin(0, 0)

    def __next__(self) -> FoldBatch:
        if self._position == len(self._order):
            epoch = self._epoch + 1
            self._begin(epoch, self._round + (epoch % self._epochs_per_round == 0))
        fold, rows = self._order[self._position]
        self._position += 1
        return self._batch(self._data[fold], rows)

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return {"epoch": self._epoch, "round": self._round, "position": self._position}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._begin(int(state["epoch"]), int(state["round"]))
        self._position = int(state["position"])

    def _begin(self, epoch: int, number: int) -> None:
        """Begins an epoch; everything that is drawn depends on the seed and the numbers alone."""
        if number != self._round:
            self._round = number
            self._data = self._read_folds(np.random.default_rng([self._seed, 0, number]))
        self._epoch, self._position = epoch, 0
        generator = np.random.default_rng([self._seed, 1, epoch])
        batches = []
        for fold, data in enumerate(self._data):
            rows = generator.permutation(len(data.facts.pairs))
            parts = max(1, round(len(rows) / self._batch_size))
            batches += [(fold, part) for part in np.array_split(rows, parts) if len(part)]
        self._order = [batches[k] for k in generator.permutation(len(batches))]

    def _read_folds(self, generator: np.random.Generator) -> list[_FoldData]:
        chosen = generator.permutation(len(self._facts))[: self._config.most_facts]
        parts = np.array_split(chosen, min(self._config.folds, len(chosen)))
        return [self._read_fold(self._facts[np.sort(part)], generator) for part in parts]

    def _read_fold(self, facts: Queries, generator: np.random.Generator) -> _FoldData:
        config = self._config
        graph = self._observed.without(facts)
        share = generator.random() * config.drop
        graph = graph.select(generator.random(graph.num_facts) >= share)
        reading = TripleReading(graph, graph.num_relations)
        head, relation, tail = facts.T
        count = graph.num_relations
        if count - 1 <= config.relations:  # all others: the shifts 1 .. R - 1
            others = (relation[:, None] + np.arange(1, max(count, 2))) % count
        else:
            others = generator.integers(count, size=(len(facts), config.relations))
        asked = np.concatenate([relation[:, None], others], axis=1).astype(np.int32)
        pairs = generator.integers(graph.num_nodes, size=(len(facts), 2), dtype=np.int32)
        random = generator.integers(count, size=(len(facts), config.uniform_relations), dtype=np.int32)
        loops = self._observed.loop_relations
        if loops.any():
            is_loop = loops[relation] & (generator.random(len(facts)) < _LOOP_SHARE)
            pairs[is_loop, 1], random[is_loop, 0] = pairs[is_loop, 0], relation[is_loop]
        if self._rejected is not None:
            known = self._rejected[generator.permutation(len(self._rejected))[: len(facts) // 2]]
            places = generator.permutation(len(facts))[: len(known)]
            pairs[places], random[places, 0] = known[:, [0, 2]], known[:, 1]
        read = partial(_Group.read, reading, self._avoided, loops)
        corrupted = None
        if config.corruptions:
            triples = self._corrupt(reading, facts, generator)
            corrupted = read(triples[:, [0, 2]], triples[:, [1]])
        return _FoldData(
            reading,
            read(facts[:, [0, 2]], asked),
            read(pairs, random),
            corrupted,
        )

    def _corrupt(self, reading: TripleReading, facts: Queries, generator: np.random.Generator) -> Queries:
        """For each fact, some with another tail and then as many with another head."""
        graph, number = reading.graph, max(1, self._config.corruptions // 2)
        triples = np.repeat(facts, 2 * number, axis=0)
        entities = generator.integers(graph.num_nodes, size=len(triples), dtype=np.int32)
        is_tail = np.tile(np.arange(2 * number) < number, len(facts))
        role = triples[:, 1] + np.where(is_tail, graph.num_relations, 0)
        order = np.argsort(reading.roles.role, kind="stable")
        players = np.repeat(np.arange(graph.num_nodes, dtype=np.int32), np.diff(reading.roles.ptr))[order]
        bounds = np.searchsorted(reading.roles.role[order], np.arange(2 * graph.num_relations + 1))
        size = (bounds[1:] - bounds[:-1])[role]
        is_near = (generator.random(len(triples)) < self._config.near_share) & (size > 0)
        place = bounds[role] + (generator.random(len(triples)) * size).astype(np.int64)
        entities[is_near] = players[place[is_near]]
        triples[is_tail, 2], triples[~is_tail, 0] = entities[is_tail], entities[~is_tail]
        return triples

    def _batch(self, data: _FoldData, rows: IntArray) -> FoldBatch:
        groups = [data.facts.take(rows), data.uniform.take(rows)]
        number = 0
        if data.corrupted is not None:
            number = len(data.corrupted.pairs) // len(data.facts.pairs)
            groups.append(data.corrupted.take((rows[:, None] * number + np.arange(number)).reshape(-1)))
        starts = np.cumsum([0, *(len(group.pairs) for group in groups)])
        place = [
            np.repeat(np.arange(start, start + len(group.pairs)), group.relations.shape[1])
            for start, group in zip(starts, groups, strict=False)
        ]
        pairs, features = (
            np.concatenate([getattr(group, name) for group in groups]) for name in ("pairs", "pair_features")
        )
        queries = np.concatenate([group.query_features.reshape(-1, QUERY_CHANNELS) for group in groups])
        relation = np.concatenate([group.relations.reshape(-1) for group in groups])
        is_other = groups[0].is_used[:, 1:] & (groups[0].relations[:, 1:] != groups[0].relations[:, :1])
        used = groups[2].is_used if number else np.empty((0, 1), dtype=np.bool_)
        count = self._observed.num_relations
        return FoldBatch(
            inputs=data.reading.pair_inputs(pairs, features),
            queries=torch.from_numpy(queries),
            place=torch.from_numpy(np.concatenate(place)),
            relation=torch.from_numpy(relation.astype(np.int64)),
            relations=torch.from_numpy(is_other),
            uniform=torch.from_numpy(groups[1].is_used),
            corruptions=torch.from_numpy(used.reshape(len(rows), 2, -1)),
            correction=float(np.log(max(count - 1, 1) / is_other.shape[1])),
        )


def cached_bytes(config: FoldConfig, num_facts: int, num_relations: int) -> float:
    """The memory that the features of a round take."""
    facts = min(num_facts, config.most_facts)
    triples = 1 + min(config.relations, num_relations) + config.uniform_relations + config.corruptions
    return 4.0 * facts * (triples * QUERY_CHANNELS + (2 + config.corruptions) * PAIR_CHANNELS)
