"""Queries that a user has rejected, and that are not recommended again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from linkwl.graph import Observed
from linkwl.typing import BoolArray, Queries, Scores


@dataclass(frozen=True, eq=False)
class Rejected:
    """The rejected queries of a graph.

    Args:
        queries: The queries, by index of the graph.
        graph: The graph.
    """

    queries: Queries
    graph: Observed

    @classmethod
    def of(cls, queries: Queries, fitted: Observed, observed: Observed) -> Rejected | None:
        """The rejected queries of the fitted graph that another graph has as well, by name; None if there are none."""
        if observed is not fitted and len(queries):
            columns = zip(fitted.query_columns.values(), observed.query_columns.values(), queries.T, strict=True)
            found = [theirs.find(ours.to_arrow().take(pa.array(places))) for ours, theirs, places in columns]
            queries = np.stack(found, axis=1)
            queries = queries[(queries >= 0).all(axis=1)].astype(np.int32)
        return cls(queries, observed) if len(queries) else None

    @cached_property
    def _known(self) -> Observed:
        return self.graph.without(self.graph.facts).reserve(self.queries)

    def contains(self, queries: Queries) -> BoolArray:
        """Whether each query is rejected."""
        return self._known.contains(queries)

    def more(self, k: int) -> int:
        """Number of the best queries of which at least ``k`` are not rejected."""
        return k + len(self.queries)

    def left_out(self, queries: Queries, scores: Scores, k: int) -> tuple[Queries, Scores]:
        """The first ``k`` queries that are not rejected, with their scores; nothing is approximated."""
        kept = np.flatnonzero(~self.contains(queries))[:k]
        return queries[kept], scores[kept]

    def more_of_node(self, k: int) -> int:
        """Number of the best pairs of a node of which at least ``k`` are not rejected."""
        return k + int(np.bincount(self.queries.reshape(-1)).max())

    def left_out_of_nodes(self, pairs: Queries, scores: Scores, k: int, column: int) -> tuple[Queries, Scores]:
        """The first ``k`` pairs of every node that are not rejected; the pairs of a node, in a column, are together."""
        kept = np.flatnonzero(~self.contains(pairs))
        begins = np.flatnonzero(np.diff(pairs[kept, column], prepend=-1))
        first = np.repeat(begins, np.diff(np.append(begins, len(kept))))
        kept = kept[np.arange(len(kept)) - first < k]
        return pairs[kept], scores[kept]
