"""Negatives among the nodes that are known at the time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.graph import Graph, Observed
from linkwl.graph.among import among_nodes
from linkwl.splits.fold import Targets
from linkwl.splits.negatives import sample_negatives
from linkwl.splits.splitter import TEST, TRAIN, VALID, HeldOut
from linkwl.typing import Queries


@dataclass(frozen=True)
class KnownNegatives:
    """One negative per positive, uniform among the pairs that are never linked and whose two nodes are known by then.

    A node is known once it has an edge in the observed graph of the fold. A node that appears later has no neighbours
    to go by, and as a negative it could be recognised by that alone. Negatives are distinct and disjoint between folds.
    """

    text: str = "one uniform non-edge per positive among nodes with observed edges, distinct, disjoint between folds"

    def draw(self, graph: Observed, generator: np.random.Generator) -> Queries:
        """Nothing: which nodes are known depends on the folds."""
        return np.empty((0, len(graph.query_columns)), dtype=np.int32)

    def divide(
        self, drawn: Queries, graph: Observed, held_out: HeldOut, generator: np.random.Generator
    ) -> list[Targets]:
        """Draws the negatives of every fold, those of the test first.

        Raises:
            SplitError: If there are too few.
        """
        assert isinstance(graph, Graph)
        avoided, targets = graph, []
        for fold in (TEST, VALID, TRAIN):
            observed = held_out.test if fold == TEST else held_out.train
            assert isinstance(observed, Graph)
            positives = held_out.positives[fold]
            negatives = sample_negatives(among_nodes(avoided, np.unique(observed.edges)), len(positives), generator)
            avoided = avoided.reserve(negatives)
            targets.append(Targets(positives, negatives))
        return targets[::-1]
