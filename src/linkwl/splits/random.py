"""The uniform random split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.graph import Observed
from linkwl.splits.draw import draw_split
from linkwl.splits.fold import Split
from linkwl.splits.negatives import UniformNegatives, draw_folds
from linkwl.splits.splitter import TRAIN, VALID, HeldOut, check_ratios, divide, held_out_counts


@dataclass(frozen=True)
class RandomSplit:
    """Holds out edges, or facts, uniformly at random.

    ``floor(valid_ratio * m)`` go to validation, ``floor(test_ratio * m)`` to test, the rest to training, which need not
    stay connected.

    Reference: Hu et al., 2022, arXiv:2206.09567, experiments.

    Example:
        >>> import linkwl
        >>> split = RandomSplit(valid_ratio=0.1, test_ratio=0.2).apply(linkwl.load_dataset("airports"), seed=0)
        >>> len(split.valid.positives), len(split.test.positives)
        (301, 603)
    """

    valid_ratio: float = 0.05
    test_ratio: float = 0.10

    def __post_init__(self) -> None:
        check_ratios(self.valid_ratio, self.test_ratio)

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """Divides the facts of a graph between the folds.

        Raises:
            SplitError: If there are too few.
        """
        counts = held_out_counts(graph, self.valid_ratio, self.test_ratio)
        fold = draw_folds(graph.num_facts, *counts, generator)
        train, test = graph.subgraphs(fold, [(TRAIN,), (TRAIN, VALID)])
        return HeldOut(train, test, divide(graph.facts, fold))

    def apply(self, graph: Observed, seed: int) -> Split:
        """Splits a graph, with uniform negatives; the same graph and seed give the same split.

        Raises:
            SplitError: If there are too few edges, or the graph is too dense for clean negatives.
        """
        return draw_split(graph, self, UniformNegatives(), seed, protocol="random")

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""
        return {"valid_ratio": self.valid_ratio, "test_ratio": self.test_ratio}
