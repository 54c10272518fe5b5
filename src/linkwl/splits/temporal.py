"""The split by time: the past is observed, the future predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph, Observed
from linkwl.splits.splitter import TEST, TRAIN, VALID, HeldOut, check_ratios, divide, held_out_counts
from linkwl.typing import BoolArray, Pairs

_BEYOND = 3
"""The label of edges beyond the horizon."""


@dataclass(frozen=True)
class TemporalSplit:
    """Trains on the past, validates on the near future, tests on the later future.

    By default the boundaries are quantiles of the edges' times. With a moment given, the test fold has the edges after
    it, up to a horizon if there is one, and validation those of as long a time before it; what lies beyond the horizon
    is left out. Edges with equal times stay together, on the earlier side, so the folds may be somewhat smaller than
    their ratios. Targets are edges between nodes that have observed edges by then: of a node that appears later nothing
    is known, and as the only nodes without edges such ones would give their links away.
    """

    valid_ratio: float = 0.05
    test_ratio: float = 0.10
    until: float | None = None
    """The last moment of the past that is observed at test time."""
    horizon: float | None = None
    """How far the test fold reaches beyond it."""

    def __post_init__(self) -> None:
        check_ratios(self.valid_ratio, self.test_ratio)
        if self.horizon is not None and not self.horizon > 0:
            raise ValueError(f"`horizon` must be positive, got {self.horizon}.")

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """Divides the edges by their times; nothing is drawn at random.

        Raises:
            SplitError: If the edges have no times, or a fold would have none of them.
        """
        if not isinstance(graph, Graph) or graph.edge_time is None:
            raise SplitError(
                f"{graph.name}: the edges have no times; name the column that holds them, with --time or "
                'load_graph(..., time="column"), or use another protocol.'
            )
        time = graph.edge_time
        near, far, end = self._boundaries(graph, np.sort(time))
        fold = np.select([time <= near, time <= far, time <= end], [TRAIN, VALID, TEST], _BEYOND).astype(np.int8)
        train, test = graph.subgraphs(fold, [(TRAIN,), (TRAIN, VALID)])
        is_near, is_far = (fold == label for label in (VALID, TEST))
        is_target = (
            (fold == TRAIN) | (is_near & _are_known(train, graph.edges)) | (is_far & _are_known(test, graph.edges))
        )
        sizes = np.bincount(fold, minlength=3)[:3]
        if not sizes.all():
            words = {TRAIN: "before", VALID: "in the time before", TEST: "after"}
            if self.until is None and self.horizon is None:
                raise SplitError(
                    f"{graph.name}: the times of the edges are too few to divide into past, near future and future; "
                    "use another protocol."
                )
            raise SplitError(
                f"{graph.name}: no edge is {words[int(np.argmin(sizes))]} the chosen moment ({far:g}, from {near:g} to "
                f"{end:g}); the times of the edges run from {time.min()} to {time.max()}."
            )
        positives = divide(graph.facts[is_target], fold[is_target])
        if not all(map(len, positives)):
            raise SplitError(
                f"{graph.name}: every edge after the chosen moment joins a node that has none before it, and nothing "
                "is known of such nodes; choose another moment or another protocol."
            )
        return HeldOut(train, test, positives, is_in_time=True)

    def _boundaries(self, graph: Graph, ordered: Any) -> tuple[float, float, float]:
        """The last moments of training, of validation and of the test."""
        if self.until is None and self.horizon is None:
            num_valid, num_test = held_out_counts(graph, self.valid_ratio, self.test_ratio)
            return ordered[-num_test - num_valid - 1], ordered[-num_test - 1], ordered[-1]
        far = float(ordered[-1] - self.horizon) if self.until is None else self.until
        if self.horizon is not None:
            return far - self.horizon, far, far + self.horizon
        past = ordered[ordered <= far]
        near = past[-1 - int(self.valid_ratio * len(past))] if len(past) else far
        return near, far, ordered[-1]

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""
        moments = {"until": self.until, "horizon": self.horizon}
        given = {name: value for name, value in moments.items() if value is not None}
        return {"split": "temporal", "valid_ratio": self.valid_ratio, "test_ratio": self.test_ratio} | given


def _are_known(observed: Graph, pairs: Pairs) -> BoolArray:
    """Whether both nodes of each pair have observed edges."""
    is_known = np.zeros(observed.num_nodes, dtype=np.bool_)
    is_known[observed.edges] = True
    return np.asarray(is_known[pairs].all(axis=1))
