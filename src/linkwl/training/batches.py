"""Batches: train edges taken out of the observed graph, and as many pairs that are no edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numba
import numpy as np

from linkwl.errors import InputError, SplitError
from linkwl.graph import Graph, csr
from linkwl.models.learned import TrainingConfig
from linkwl.splits import Fold, sample_negatives
from linkwl.threads import run_ranges
from linkwl.training.near_pairs import NearPairs, sample_near_pairs
from linkwl.typing import FloatArray, IntArray, Pairs


@dataclass(frozen=True, eq=False)
class Batch:
    """The targets of one step, and the graph without them."""

    observed: Graph
    """The train edges but for the batch's positives: they carry no message and add no degree."""
    positives: Pairs
    negatives: Pairs
    num_non_edges: int
    """How many pairs the negatives were drawn from."""
    near: NearPairs | None = None
    """Further pairs, which two observed edges join and which are no links."""

    @property
    def pairs(self) -> Pairs:
        """All of them: positives, negatives, near pairs."""
        near = () if self.near is None else (self.near.pairs,)
        return np.concatenate([self.positives, self.negatives, *near])

    @property
    def labels(self) -> FloatArray:
        """1 for every positive, 0 for every negative, none for near pairs; float32."""
        return np.repeat(np.array([1, 0], dtype=np.float32), [len(self.positives), len(self.negatives)])


class BatchStream(Iterator[Batch]):
    """An endless, seeded stream of batches.

    Each epoch goes through the train positives in a new random order, a batch at a time; what is left over at its end
    and fills no batch waits for another epoch. Negatives are drawn afresh for every batch, among all pairs that are
    neither train edges nor held out; some of them, if asked for, among those of these pairs that two edges join.

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
        self.batch_size = config.batch_size(count)
        num_pairs = self.batch_size * config.negatives_per_positive
        self.num_near = int(config.near_share * num_pairs)
        self.num_negatives = num_pairs - self.num_near
        if count == 0:
            raise SplitError(f"{train.observed.name}: there is no edge to train on.")
        if self.num_negatives > reserved.num_non_edges:
            raise SplitError(
                f"{train.observed.name}: a training step needs {self.num_negatives} negatives, but only "
                f"{reserved.num_non_edges} pairs are neither edges nor held out; lower 'training.batch_ratio'."
            )
        if self.num_near and train.observed.is_directed:
            raise InputError("'training.near_share' is for links without directions; leave it out.")
        self._entries = _entries(train)
        # The order of positives, the negatives and the near pairs have a stream each.
        streams = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(3))
        self._for_order, self._for_negatives, self._for_near = streams
        self._begin_epoch()

    def __next__(self) -> Batch:
        if self._position + self.batch_size > len(self._order):
            self._begin_epoch()
        chosen = self._order[self._position : self._position + self.batch_size]
        self._position += self.batch_size
        negatives = sample_negatives(self._reserved, self.num_negatives, self._for_negatives)
        observed, near = self._without(chosen), None
        if self.num_near:
            near = sample_near_pairs(observed, self._reserved, self.num_near, self._for_near)
        return Batch(observed, self._train.positives[chosen], negatives, self._reserved.num_non_edges, near)

    def _without(self, chosen: IntArray) -> Graph:
        """The observed graph without the chosen positives, by the places of their entries: no edge is looked up."""
        observed = self._train.observed
        entries = self._entries[chosen]
        is_taken = np.zeros(len(observed.col), dtype=np.int8)
        is_taken[entries[entries >= 0]] = 1
        rowptr, col = csr.filter_rows(observed.rowptr, observed.col, is_taken, np.array([True, False]))
        return replace(observed, rowptr=rowptr, col=col, intake=None)

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
            "near": self._for_near.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a state of a stream over the same folds."""
        self._for_order.bit_generator.state = state["order"]
        self._begin_epoch()
        self._position = state["position"]
        self._for_negatives.bit_generator.state = state["negatives"]
        self._for_near.bit_generator.state = state["near"]


def _entries(train: Fold) -> IntArray:
    """Where each positive stands in the rows of the observed graph, both ways round if it has no direction; else -1."""
    observed, pairs = train.observed, train.positives
    ways = [pairs] if observed.is_directed else [pairs, pairs[:, ::-1]]
    entries = np.empty((len(pairs), len(ways)), dtype=np.int64)

    def find(start: int, stop: int) -> None:
        for k, way in enumerate(ways):
            _find(observed.rowptr, observed.col, way[start:stop], entries[start:stop, k])

    run_ranges(find, len(pairs))
    return entries


@numba.njit(nogil=True, cache=True)
def _find(rowptr, col, pairs, entry):  # type: ignore[no-untyped-def]
    for k in range(len(pairs)):
        p, q = pairs[k, 0], pairs[k, 1]
        row = col[rowptr[p] : rowptr[p + 1]]
        place = np.searchsorted(row, q)
        entry[k] = rowptr[p] + place if place < len(row) and row[place] == q else -1
