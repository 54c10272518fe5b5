"""Batches: the targets of one training step, and the graph without them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from linkwl.graph import Graph, Observed
from linkwl.models.near_pairs import NearPairs, are_near
from linkwl.typing import BoolArray, FloatArray, Queries


@dataclass(frozen=True, eq=False)
class Batch:
    """The targets of one step, and the graph without them."""

    observed: Observed
    """The train fold without the batch's positives: they carry no message and add no degree."""
    positives: Queries
    negatives: Queries
    num_absent: int
    """Number of queries that the negatives were drawn from."""
    near: NearPairs | None = None
    """Further pairs: non-links with a common neighbour; in a directed graph, links the wrong way round as well."""

    @property
    def queries(self) -> Queries:
        """All queries: positives, negatives, near pairs."""
        near = () if self.near is None else (self.near.pairs,)
        return np.concatenate([self.positives, self.negatives, *near])

    @property
    def labels(self) -> FloatArray:
        """1 for every positive, 0 for every negative, no label for near pairs; float32."""
        return np.repeat(np.array([1, 0], dtype=np.float32), [len(self.positives), len(self.negatives)])

    def are_positives_near(self) -> BoolArray:
        """Whether each positive is near; only graphs of pairs have near pairs."""
        assert isinstance(self.observed, Graph)
        return are_near(self.observed, self.positives)


class BatchSource(Iterator[Any], Protocol):
    """An endless, seeded stream of batches that a killed run can continue.

    Its batches are what the model's ``loss`` takes.
    """

    def state(self) -> dict[str, Any]:
        """The position of the stream, as values for JSON."""

    def restore(self, state: dict[str, Any]) -> None:
        """Continues from the state of a stream over the same folds."""
