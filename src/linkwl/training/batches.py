"""Batches: train edges taken out of the observed graph, and as many pairs that are no edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.models.learned import TrainingConfig
from linkwl.splits import Fold, sample_negatives
from linkwl.typing import FloatArray, IntArray, Pairs


@dataclass(frozen=True, eq=False)
class Batch:
    """The targets of one step, and the graph without them."""

    observed: Graph
    """The train edges but for the batch's positives: they carry no message and add no degree."""
    positives: Pairs
    negatives: Pairs

    @property
    def pairs(self) -> Pairs:
        """All targets, positives first."""
        return np.concatenate([self.positives, self.negatives])

    @property
    def labels(self) -> FloatArray:
        """1 for every positive, 0 for every negative; float32."""
        return np.repeat(np.array([1, 0], dtype=np.float32), [len(self.positives), len(self.negatives)])


class BatchStream(Iterator[Batch]):
    """An endless, seeded stream of batches.

    Each epoch goes through the train positives in a new random order, a batch at a time; what is left over at its end
    and fills no batch waits for another epoch. Negatives are drawn afresh for every batch, among all pairs that are
    neither train edges nor held out.

    Args:
        train: The train fold.
        reserved: Pairs that no negative may be; see :attr:`linkwl.splits.Split.reserved`.
        config: How large a batch is.
        seed: The same seed gives the same batches.

    Raises:
        SplitError: If there are no train edges, or too few pairs to draw the negatives of a batch from.
    """

    def __init__(self, train: Fold, reserved: Graph, config: TrainingConfig, seed: int) -> None:
        self._train = train
        self._reserved = reserved
        count = len(train.positives)
        self.batch_size = max(1, min(int(config.batch_ratio * count), config.max_batch))
        self.num_negatives = self.batch_size * config.negatives_per_positive
        if count == 0:
            raise SplitError(f"{train.observed.name}: there is no edge to train on.")
        if self.num_negatives > reserved.num_non_edges:
            raise SplitError(
                f"{train.observed.name}: a training step needs {self.num_negatives} negatives, but only "
                f"{reserved.num_non_edges} pairs are neither edges nor held out; lower 'training.batch_ratio'."
            )
        self._place = _places(train)
        # The order of positives and the negatives have a stream each.
        self._for_order, self._for_negatives = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        self._begin_epoch()

    def __next__(self) -> Batch:
        if self._position + self.batch_size > len(self._order):
            self._begin_epoch()
        chosen = self._order[self._position : self._position + self.batch_size]
        self._position += self.batch_size
        observed = self._train.observed
        keep = np.ones(observed.num_edges, dtype=np.bool_)
        place = self._place[chosen]
        keep[place[place >= 0]] = False
        negatives = sample_negatives(self._reserved, self.num_negatives, self._for_negatives)
        return Batch(observed.select(keep), self._train.positives[chosen], negatives)

    def _begin_epoch(self) -> None:
        # The order itself need not be saved: the generator before it was drawn says it all.
        self._before_epoch = self._for_order.bit_generator.state
        self._order = self._for_order.permutation(len(self._train.positives))
        self._position = 0

    def state(self) -> dict[str, Any]:
        """Where the stream stands, as values for JSON."""
        return {
            "order": self._before_epoch,
            "position": self._position,
            "negatives": self._for_negatives.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a state of a stream over the same folds."""
        self._for_order.bit_generator.state = state["order"]
        self._begin_epoch()
        self._position = state["position"]
        self._for_negatives.bit_generator.state = state["negatives"]


def _places(train: Fold) -> IntArray:
    """Where each positive stands among the observed edges; -1 if it is not observed."""
    edges, positives = train.observed.edges, train.positives
    if not train.observed.is_directed:
        positives = np.sort(positives, axis=1)
    keys, wanted = (pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1] for pairs in (edges, positives))
    place = np.searchsorted(keys, wanted)  # edges are in ascending order
    is_found = np.append(keys, -1)[place] == wanted
    return np.where(is_found, place, -1)
