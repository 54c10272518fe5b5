"""Near pairs: non-links with a common neighbour, the hardest to distinguish from links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.typing import FloatArray, IntArray, Pairs


class NearPairs(NamedTuple):
    """A weighted sample of near pairs."""

    pairs: Pairs
    weight: FloatArray
    """The number of near pairs of the graph that each sampled pair represents: the expectation of a weighted sum over
    the sample is the sum over all near pairs."""


def sample_near_pairs(observed: Graph, linked: Graph, count: int, generator: np.random.Generator) -> NearPairs:
    """Draws uniform paths of two observed edges, and keeps the pairs of their ends that are not links.

    A pair with c common neighbours is found c times as often as a pair with one, so its weight is 1 / c as large.

    Args:
        observed: The edges of the paths; without directions.
        linked: Pairs to exclude; the sample may be smaller than ``count``.
        count: Number of paths to draw.
        generator: The random generator.
    """
    degree = observed.degree.astype(np.int64)
    reached = np.cumsum(degree * (degree - 1))
    if reached[-1] == 0:
        return NearPairs(np.empty((0, 2), dtype=np.int32), np.empty(0))
    middle = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first = generator.integers(degree[middle])
    second = generator.integers(degree[middle] - 1)
    entries = observed.rowptr[middle][:, None] + np.stack([first, second + (second >= first)], axis=1)
    pairs = np.sort(observed.col[entries], axis=1)
    pairs = pairs[~linked.has_edges(pairs)]
    return NearPairs(pairs, reached[-1] / 2 / count / num_common(observed, pairs))


def num_common(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of common neighbours of each pair."""
    ones = np.ones((observed.num_nodes, 1))
    return common_neighbour_sums(observed.rowptr, observed.col, pairs, ones)[:, 0].astype(np.int64)
