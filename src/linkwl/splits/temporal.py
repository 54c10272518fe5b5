"""The split by time: the past is observed, the future predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph, Observed
from linkwl.splits.splitter import TEST, TRAIN, VALID, HeldOut, check_ratios, divide, held_out_counts


@dataclass(frozen=True)
class TemporalSplit:
    """Trains on the past, validates on the near future, tests on the later future.

    The boundaries are quantiles of the edges' times. Edges with equal times stay together, on the earlier side, so the
    folds may be somewhat smaller than their ratios.
    """

    valid_ratio: float = 0.05
    test_ratio: float = 0.10

    def __post_init__(self) -> None:
        check_ratios(self.valid_ratio, self.test_ratio)

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """Divides the edges by their times; nothing is drawn at random.

        Raises:
            SplitError: If the edges have no times, or too few different ones.
        """
        if not isinstance(graph, Graph) or graph.edge_time is None:
            raise SplitError(
                f"{graph.name}: the edges have no times; name the column that holds them, with --time or "
                'load_graph(..., time="column"), or use another protocol.'
            )
        num_valid, num_test = held_out_counts(graph, self.valid_ratio, self.test_ratio)
        time = graph.edge_time
        ordered = np.sort(time)
        near, far = ordered[len(time) - num_test - num_valid - 1], ordered[len(time) - num_test - 1]
        fold = np.where(time <= near, TRAIN, np.where(time <= far, VALID, TEST)).astype(np.int8)
        if len(np.unique(fold)) < 3:
            raise SplitError(
                f"{graph.name}: the times of the edges are too few to divide into past, near future and future; "
                "use another protocol."
            )
        train, test = graph.subgraphs(fold, [(TRAIN,), (TRAIN, VALID)])
        return HeldOut(train, test, divide(graph.facts, fold))

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""
        return {"split": "temporal", "valid_ratio": self.valid_ratio, "test_ratio": self.test_ratio}
