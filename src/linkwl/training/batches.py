"""The stream of batches: train facts removed from the observed graph, and negatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from linkwl.errors import InputError, SplitError
from linkwl.graph import Graph, Observed
from linkwl.models.batch import Batch
from linkwl.models.gradient import TrainingConfig
from linkwl.models.near_pairs import NearPairs, sample_near_ordered_pairs, sample_near_pairs
from linkwl.splits import Fold, sample_negatives
from linkwl.typing import Queries


class BatchStream(Iterator[Batch]):
    """An endless, seeded stream of batches.

    Each epoch goes through the train positives in a new random order, a batch at a time; an incomplete last batch is
    skipped. Negatives are drawn anew for every batch from all pairs that are neither train edges nor held out; with
    near pairs, some of them are drawn from such pairs with a common neighbour.

    Args:
        train: The train fold.
        reserved: Pairs that negatives must avoid; see :attr:`linkwl.splits.Split.reserved`.
        config: The settings of training.
        seed: The same seed gives the same batches.
        rejected: Known negatives, some of which are in every batch; see :func:`linkwl.splits.sample_negatives`.

    Raises:
        SplitError: If there are no train edges, or too few pairs to draw the negatives of a batch from.
    """

    def __init__(
        self, train: Fold, reserved: Observed, config: TrainingConfig, seed: int, *, rejected: Queries | None = None
    ) -> None:
        self._train = train
        self._reserved, self._rejected = reserved, rejected
        count = len(train.positives)
        self.batch_size = config.batch_size(count)
        self.num_near, self.num_negatives = config.negatives(self.batch_size)
        if count == 0:
            raise SplitError(f"{train.observed.name}: there is no edge to train on.")
        if self.num_negatives > reserved.num_absent:
            raise SplitError(
                f"{train.observed.name}: a training step needs {self.num_negatives} negatives, but only "
                f"{reserved.num_absent} pairs are neither edges nor held out; lower 'training.batch_ratio'."
            )
        if self.num_near and not isinstance(train.observed, Graph):
            raise InputError("'training.near_share' is for graphs of pairs; omit it.")
        self._without = train.observed.hider(train.positives)
        # The order of positives, the negatives and the near pairs have a stream each.
        streams = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(3))
        self._for_order, self._for_negatives, self._for_near = streams
        self._begin_epoch()

    def __next__(self) -> Batch:
        if self._position + self.batch_size > len(self._order):
            self._begin_epoch()
        chosen = self._order[self._position : self._position + self.batch_size]
        self._position += self.batch_size
        negatives = sample_negatives(self._reserved, self.num_negatives, self._for_negatives, known=self._rejected)
        observed, near = self._without(chosen), None
        if self.num_near:
            assert isinstance(observed, Graph)
            assert isinstance(self._reserved, Graph)
            near = self._near_pairs(observed, self._reserved, self._train.positives[chosen], self.num_near)
        return Batch(observed, self._train.positives[chosen], negatives, self._reserved.num_absent, near)

    def _near_pairs(self, observed: Graph, reserved: Graph, hidden: Queries, count: int) -> NearPairs:
        if observed.is_directed:
            return sample_near_ordered_pairs(observed, reserved, hidden, count, self._for_near)
        return sample_near_pairs(observed, reserved, count, self._for_near)

    def _begin_epoch(self) -> None:
        # The order itself need not be saved: the state of the generator before the draw determines it.
        self._before_epoch = self._for_order.bit_generator.state
        self._order = self._for_order.permutation(len(self._train.positives))
        self._position = 0

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return {
            "order": self._before_epoch,
            "position": self._position,
            "negatives": self._for_negatives.bit_generator.state,
            "near": self._for_near.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        self._for_order.bit_generator.state = state["order"]
        self._begin_epoch()
        self._position = state["position"]
        self._for_negatives.bit_generator.state = state["negatives"]
        self._for_near.bit_generator.state = state["near"]
