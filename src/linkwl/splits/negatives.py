"""Clean negatives: distinct queries, uniform among those that are not observed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Observed
from linkwl.kernel import kernel
from linkwl.splits.fold import Targets
from linkwl.splits.splitter import TEST, TRAIN, VALID, HeldOut, divide
from linkwl.typing import IntArray, Queries


class NegativeSampler(Protocol):
    """Chooses the negatives of every fold."""

    @property
    def text(self) -> str:
        """The negatives in a few words, for records."""

    def draw(self, graph: Observed, generator: np.random.Generator) -> Queries:
        """Queries that are not facts of the whole graph; drawn in parallel with the held-out positives."""

    def divide(
        self, drawn: Queries, graph: Observed, held_out: HeldOut, generator: np.random.Generator
    ) -> list[Targets]:
        """The targets of each fold: its positives, with negatives from the drawn queries or others."""


@dataclass(frozen=True)
class UniformNegatives:
    """One negative per positive, uniform among all queries that are not facts, distinct and disjoint between folds.

    The training negatives avoid both held-out positives and held-out negatives, so they reveal nothing about the label
    of a held-out query.
    """

    text: str = "one uniform non-edge per positive, distinct, disjoint between folds"

    def draw(self, graph: Observed, generator: np.random.Generator) -> Queries:
        """As many negatives as there are facts."""
        return sample_negatives(graph, graph.num_facts, generator)

    def divide(
        self, drawn: Queries, graph: Observed, held_out: HeldOut, generator: np.random.Generator
    ) -> list[Targets]:
        """Assigns the negatives to the folds at random."""
        sizes = [len(positives) for positives in held_out.positives]
        fold = draw_folds(len(drawn), sizes[VALID], sizes[TEST], generator)
        return [Targets(*both) for both in zip(held_out.positives, divide(drawn, fold), strict=True)]


def sample_negatives(
    graph: Observed, count: int, generator: np.random.Generator, *, known: Queries | None = None
) -> Queries:
    """Draws ``count`` distinct queries that are not observed, every set of that size with the same probability.

    Nothing is rejected: distinct ranks are drawn among the non-edges, and the graph maps each rank to its pair. So it
    works up to the last non-edge of a dense graph. Time and memory grow with edges and ``count``.

    Args:
        graph: The queries to avoid.
        count: Number of negatives.
        generator: The source of randomness.
        known: Queries that are known to be negatives. They come first: all of them, or a random half of ``count`` if
            there are more; the others are drawn, and may be known as well.

    Returns:
        Queries, int32, shape ``(count, 2)`` or ``(count, 3)``; those that are drawn are in ascending order.

    Raises:
        SplitError: If there are fewer than ``count``.
    """
    if count > graph.num_absent:
        what, facts = ("node pairs", "edges") if graph.task == "pairs" else ("triples", "facts")
        raise SplitError(
            f"{graph.name}: the graph is too dense: {count} negatives are needed, but only {graph.num_absent} of "
            f"its {graph.num_absent + graph.num_facts} {what} are not {facts}; remove {facts} or add nodes."
        )
    if known is None or len(known) == 0:
        return graph.absent(distinct_integers(graph.num_absent, count, generator))
    chosen = known if len(known) <= count // 2 else known[distinct_integers(len(known), count // 2, generator)]
    drawn = graph.absent(distinct_integers(graph.num_absent, count - len(chosen), generator))
    return np.concatenate([chosen, drawn])


def draw_folds(count: int, num_valid: int, num_test: int, generator: np.random.Generator) -> IntArray:
    """A fold for each of ``count`` queries, uniform among the assignments with these sizes."""
    folds = np.full(count, TRAIN, dtype=np.int8)
    labels = np.repeat(np.array([VALID, TEST], dtype=np.int8), [num_valid, num_test])
    folds[distinct_integers(count, len(labels), generator)] = generator.permutation(labels)
    return folds


def distinct_integers(total: int, count: int, generator: np.random.Generator) -> IntArray:
    """A uniform ``count``-subset of 0 .. total-1, ascending.

    Sparse subsets come from sorted uniform variates, computed without a sort as normalised sums of exponential gaps; a
    few too many are drawn, duplicates are merged, and the surplus is dropped at random, which keeps the draw uniform.
    """
    if 4 * count >= total:
        return np.sort(generator.permutation(total)[:count])
    draws = count + int(count * count / total) + 4 * int(np.sqrt(count)) + 16
    while True:
        gaps = generator.standard_exponential(draws + 1)
        distinct = _distinct_places(gaps, total / gaps.sum(), total)
        surplus = len(distinct) - count
        if surplus >= 0:
            return np.delete(distinct, generator.choice(len(distinct), surplus, replace=False, shuffle=False))
        draws += draws // 4


@kernel
def _distinct_places(gaps, scale, total):  # type: ignore[no-untyped-def]
    """The distinct running sums of all gaps except the last, scaled and rounded down."""
    places = np.empty(len(gaps), dtype=np.int64)
    count, reached = 0, 0.0
    for gap in gaps[:-1]:
        reached += gap
        place = min(int(reached * scale), total - 1)  # the last product may round up
        if count == 0 or place != places[count - 1]:
            places[count] = place
            count += 1
    return places[:count]
