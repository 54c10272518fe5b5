"""Clean negatives: distinct pairs, uniform over the non-edges of a graph."""

from __future__ import annotations

import numba
import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.typing import IntArray, Pairs


def sample_negatives(graph: Graph, count: int, generator: np.random.Generator) -> Pairs:
    """Draws ``count`` distinct non-edges of ``graph``, every set of that size with the same probability.

    Nothing is drawn and thrown away: distinct ranks are drawn among the non-edges, and the graph knows the pair of each
    rank. So it works up to the last non-edge of a dense graph. Time and memory grow with edges and ``count``.

    Returns:
        Pairs in ascending order, int32, shape ``(count, 2)``.

    Raises:
        SplitError: If there are fewer non-edges than asked for.
    """
    if count > graph.num_non_edges:
        raise SplitError(
            f"{graph.name}: the graph is too dense: {count} negatives are needed, but only {graph.num_non_edges} of "
            f"its {graph.num_pairs} node pairs are not edges; remove edges or add nodes."
        )
    return graph.non_edges(distinct_integers(graph.num_non_edges, count, generator))


def distinct_integers(total: int, count: int, generator: np.random.Generator) -> IntArray:
    """A uniform ``count``-subset of 0 .. total-1, ascending.

    Sparse subsets come from sorted uniform variates, made without a sort as normalised sums of exponential gaps; a few
    too many are drawn, copies merged, and the surplus dropped at random, which treats all numbers alike.
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


@numba.njit(nogil=True, cache=True)
def _distinct_places(gaps, scale, total):  # type: ignore[no-untyped-def]
    """The running sums of all gaps but the last, scaled and rounded down, each once."""
    places = np.empty(len(gaps), dtype=np.int64)
    count, reached = 0, 0.0
    for gap in gaps[:-1]:
        reached += gap
        place = min(int(reached * scale), total - 1)  # the last product may round up
        if count == 0 or place != places[count - 1]:
            places[count] = place
            count += 1
    return places[:count]
