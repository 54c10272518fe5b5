"""The stream of batches for forecasts: windows of time, predicted from what came before them."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwl.graph import Graph
from linkwl.graph.among import among_nodes
from linkwl.models.batch import Batch
from linkwl.models.gradient import TrainingConfig
from linkwl.models.time_windows import TimeWindows
from linkwl.protocols import TrainingData
from linkwl.splits import sample_negatives
from linkwl.training.batches import BatchStream


class TimeBatches(BatchStream):
    """An endless, seeded stream of batches: the edges of a random window of time, and the graph before it.

    Negatives are pairs of nodes that are known by then; see :class:`~linkwl.models.time_windows.TimeWindows`.

    Args:
        data: The folds; the edges of the train fold have times.
        config: The settings of training.
        seed: The same seed gives the same batches.

    Raises:
        SplitError: As :class:`BatchStream` has it.
    """

    def __init__(self, data: TrainingData, config: TrainingConfig, seed: int) -> None:
        super().__init__(data.train, data.reserved, config, seed, rejected=data.rejected)
        assert isinstance(data.train.observed, Graph)
        self._windows = TimeWindows(data.train.observed, self.batch_size)

    def __next__(self) -> Batch:
        observed, chosen = self._windows.window(int(self._for_order.integers(self._windows.num_starts)))
        assert isinstance(self._reserved, Graph)
        reserved = among_nodes(self._reserved, np.unique(observed.edges))
        share = len(chosen) / self.batch_size
        num_negatives = min(max(1, round(share * self.num_negatives)), reserved.num_absent)
        negatives = sample_negatives(reserved, num_negatives, self._for_negatives, known=self._rejected)
        positives = self._windows.graph.edges[chosen]
        near = self._near_pairs(observed, reserved, positives, round(share * self.num_near)) if self.num_near else None
        return Batch(observed, positives, negatives, reserved.num_absent, near)

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""
        return super().state() | {"order": self._for_order.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
        super().restore(state)
        self._for_order.bit_generator.state = state["order"]


def batch_stream(data: TrainingData, config: TrainingConfig, seed: int) -> BatchStream:
    """The batches of a fold: windows of time if its targets come after the train edges, else random ones."""
    if data.is_in_time:
        return TimeBatches(data, config, seed)
    return BatchStream(data.train, data.reserved, config, seed, rejected=data.rejected)
