"""Batches of triples: a fold of the facts is hidden and predicted, beside false triples near and far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.models.triples.corruptions import Corruptions
from linkwl.splits import Fold, sample_negatives
from linkwl.typing import Queries

_FACTS_PER_LOOP = 8


@dataclass(frozen=True, eq=False)
class MixedBatch:
    """The targets of one step, and the graph without them."""

    observed: KnowledgeGraph
    """The train facts without the positives."""
    positives: Queries
    uniform: Queries
    """Negatives drawn from all triples; most join entities that nothing else joins."""
    corrupted: Queries
    """Negatives near the positives, see :class:`Corruptions`, and some that join an entity with itself."""

    @property
    def queries(self) -> Queries:
        """Positives, uniform negatives, corrupted ones."""
        return np.concatenate([self.positives, self.uniform, self.corrupted])


class MixedBatches(Iterator[MixedBatch]):
    """An endless, seeded stream of batches.

    Each epoch goes through the train facts in a new random order, a batch at a time; an incomplete last batch is
    skipped. All negatives are drawn anew for every batch, and none is a train fact or held out.

    Args:
        train: The train fold, of a knowledge graph.
        reserved: Triples that negatives must avoid; see :attr:`linkwl.splits.Split.reserved`.
        batch_size: Number of facts that are hidden in one batch.
        uniform: Number of uniform negatives for each fact.
        corrupted: Number of corruptions of each kind for each fact.
        seed: The same seed gives the same batches.
        rejected: Known negatives, some of which are among the uniform ones of every batch.

    Raises:
        SplitError: If there are no train facts, or too few triples to draw the negatives from.
    """

    def __init__(
        self,
        train: Fold,
        reserved: Observed,
        *,
        batch_size: int,
        uniform: int,
        corrupted: int,
        seed: int,
        rejected: Queries | None = None,
    ) -> None:
        observed, self._facts, self._reserved, self._rejected = train.observed, train.positives, reserved, rejected
        assert isinstance(observed, KnowledgeGraph)
        self.batch_size, self.corrupted = batch_size, corrupted
        self.num_uniform = uniform * batch_size
        if len(self._facts) == 0:
            raise SplitError(f"{observed.name}: there is no fact to train on.")
        if self.num_uniform > reserved.num_absent:
            raise SplitError(
                f"{observed.name}: a training step needs {self.num_uniform} negatives, but only {reserved.num_absent} "
                "triples are neither facts nor held out; lower 'training.batch_ratio'."
            )
        self._without = observed.hider(self._facts)
        self._corruptions = Corruptions(self._facts, observed.num_nodes, observed.num_relations)
        streams = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        self._for_order, self._for_negatives = streams
        self._begin_epoch()

    def __next__(self) -> MixedBatch:
        if self._position + self.batch_size > len(self._order):
            self._begin_epoch()
        chosen = self._order[self._position : self._position + self.batch_size]
        self._position += self.batch_size
        positives = self._facts[chosen]
        uniform = sample_negatives(self._reserved, self.num_uniform, self._for_negatives, known=self._rejected)
        loops = positives[: max(1, self.batch_size // _FACTS_PER_LOOP)].copy()  # their order is random
        loops[:, 2] = loops[:, 0]
        corrupted = np.concatenate([self._corruptions.all(positives, self.corrupted, self._for_negatives), loops])
        corrupted = corrupted[~self._reserved.contains(corrupted)]
        observed = self._without(chosen)
        assert isinstance(observed, KnowledgeGraph)
        return MixedBatch(observed, positives, uniform, corrupted)

    def _begin_epoch(self) -> None:
        # The order itself need not be saved: the state of the generator before the draw determines it.
        self._before_epoch = self._for_order.bit_generator.state
        self._order = self._for_order.permutation(len(self._facts))
        self._position = 0

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        negatives = self._for_negatives.bit_generator.state
        return {"order": self._before_epoch, "position": self._position, "negatives": negatives}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._for_order.bit_generator.state = state["order"]
        self._begin_epoch()
        self._position = state["position"]
        self._for_negatives.bit_generator.state = state["negatives"]
