"""Near pairs: non-links that a short path joins, the hardest to distinguish from links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph, csr
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.short_walks import short_walks
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs


class NearPairs(NamedTuple):
    """A weighted sample of near pairs."""

    pairs: Pairs
    weight: FloatArray
    """The number of near pairs of the graph that each sampled pair represents: the expectation of a weighted sum over
    the sample is the sum over all near pairs."""


def sample_near_pairs(observed: Graph, linked: Graph, count: int, generator: np.random.Generator) -> NearPairs:
    """Draws uniform paths of two observed edges, and keeps the pairs of their ends that are not links.

    A pair with c common neighbours is found c times as often as a pair with one, so its weight is 1 / c as large. In a
    bipartite graph the paths have three edges: two would lead back to the same side.

    Args:
        observed: The edges of the paths; without directions.
        linked: Pairs to exclude; the sample may be smaller than ``count``.
        count: Number of paths to draw.
        generator: The random generator.
    """
    if observed.part is not None:
        return _sample_across(observed, linked, count, generator)
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


def _sample_across(observed: Graph, linked: Graph, count: int, generator: np.random.Generator) -> NearPairs:
    """The ends of uniform paths of three edges that are not links; a pair with c such paths has weight 1 / c."""
    # An edge is the middle one of as many paths as its two ends have pairs of other neighbours.
    others = (observed.degree - 1).astype(np.int64)
    reached = np.cumsum(others[observed.edges].prod(axis=1))
    if len(reached) == 0 or reached[-1] == 0:
        return NearPairs(np.empty((0, 2), dtype=np.int32), np.empty(0))
    middle = observed.edges[np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")]
    first, second = middle.T
    ends = [_other_neighbour(observed, *nodes, generator) for nodes in ((first, second), (second, first))]
    pairs = np.sort(np.stack(ends, axis=1), axis=1)
    pairs = pairs[~linked.has_edges(pairs)]
    return NearPairs(pairs, reached[-1] / count / num_paths_across(observed, pairs))


def _other_neighbour(observed: Graph, node: IntArray, not_this: IntArray, generator: np.random.Generator) -> IntArray:
    """A random neighbour of each node, other than a given neighbour."""
    place = csr.find(observed.rowptr, observed.col, np.stack([node, not_this], axis=1)) - observed.rowptr[node]
    drawn = generator.integers(observed.degree[node] - 1)
    return observed.col[observed.rowptr[node] + drawn + (drawn >= place)]


def num_paths_across(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of paths of three edges that join each pair of nodes on different sides, if it is not an edge."""
    ones = np.ones((observed.num_nodes, 1))
    return short_walks(observed.rowptr, observed.col, pairs, ones)[:, 1, 0].astype(np.int64)


def are_near(observed: Graph, pairs: Pairs) -> BoolArray:
    """Whether a path of two edges joins each pair; three, across the sides of a bipartite graph."""
    return (num_common if observed.part is None else num_paths_across)(observed, pairs) > 0


def num_common(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of common neighbours of each pair."""
    ones = np.ones((observed.num_nodes, 1))
    return common_neighbour_sums(observed.rowptr, observed.col, pairs, ones)[:, 0].astype(np.int64)
