"""Near pairs: non-links with a common neighbour, or close on a map; the hardest to distinguish from links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.graph.positions import NUM_NEAREST, Positions
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs


class NearPairs(NamedTuple):
    """A weighted sample of near pairs."""

    pairs: Pairs
    weight: FloatArray
    """The number of near pairs of the graph that each sampled pair represents: the expectation of a weighted sum over
    the sample is the sum over all near pairs."""


def sample_near_pairs(observed: Graph, linked: Graph, count: int, generator: np.random.Generator) -> NearPairs:
    """Draws near pairs that are not links: the ends of uniform paths of two observed edges and, on a map, neighbours.

    A pair with c common neighbours is found c times as often as a pair with one, so its weight is 1 / c as large. If
    the nodes have places, half of the draws are a node and one of its nearest. A weight is one over the expected
    number of draws of the pair, whichever way it is found.

    Args:
        observed: The edges of the paths, and the places; without directions.
        linked: Pairs to exclude; the sample may be smaller than ``count``.
        count: Number of pairs to draw.
        generator: The random generator.
    """
    places = positions_of(observed)
    num_paths = count if places is None else count - count // 2
    degree = observed.degree.astype(np.int64)
    reached = np.cumsum(degree * (degree - 1))
    pairs = _ends_of_paths(observed, reached, num_paths, generator)
    if places is not None:
        pairs = np.concatenate([pairs, _entries(places, count // 2, generator)])
    pairs = pairs[~linked.has_edges(pairs)]
    if len(pairs) == 0:
        return NearPairs(pairs, np.empty(0))
    if places is None:
        return NearPairs(pairs, reached[-1] / 2 / count / num_common(observed, pairs))
    draws = 2 * num_paths / max(reached[-1], 1) * num_common(observed, pairs)
    draws = draws + (count // 2) / max(num_nearest(places), 1) * places.num_listings(pairs)
    return NearPairs(pairs, 1 / draws)


def are_near(observed: Graph, pairs: Pairs) -> BoolArray:
    """Whether each pair has a common neighbour or, on a map, one end is among the nearest of the other."""
    places = positions_of(observed)
    has_common = num_common(observed, pairs) > 0
    return has_common if places is None else has_common | (places.num_listings(pairs) > 0)


def positions_of(graph: Graph) -> Positions | None:
    """The places of the nodes of a graph, if they are known."""
    return None if graph.attributes is None else graph.attributes.positions


def _ends_of_paths(observed: Graph, reached: IntArray, count: int, generator: np.random.Generator) -> Pairs:
    """The ends of uniform paths of two edges; ``reached`` counts them over the middle nodes, in both directions."""
    if reached[-1] == 0:
        return np.empty((0, 2), dtype=np.int32)
    degree = observed.degree.astype(np.int64)
    middle = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first = generator.integers(degree[middle])
    second = generator.integers(degree[middle] - 1)
    entries = observed.rowptr[middle][:, None] + np.stack([first, second + (second >= first)], axis=1)
    return np.sort(observed.col[entries], axis=1)


def sample_nearest(places: Positions, linked: Graph, count: int, generator: np.random.Generator) -> Pairs:
    """Draws pairs of a node and one of its nearest, uniformly, and keeps those that are not links."""
    pairs = _entries(places, count, generator)
    return pairs[~linked.has_edges(pairs)]


def num_nearest(places: Positions) -> int:
    """Number of entries in the lists of nearest nodes."""
    num_known = int(np.count_nonzero(places.is_known))
    return num_known * min(NUM_NEAREST, max(num_known - 1, 0))


def _entries(places: Positions, count: int, generator: np.random.Generator) -> Pairs:
    """Uniform entries of the lists of nearest nodes, as pairs with the smaller node first."""
    known = np.flatnonzero(places.is_known)
    width = min(NUM_NEAREST, len(known) - 1)
    if width < 1:
        return np.empty((0, 2), dtype=np.int32)
    node, place = known[generator.integers(len(known), size=count)], generator.integers(width, size=count)
    return np.sort(np.stack([node, places.nearest.nodes[node, place]], axis=1), axis=1).astype(np.int32)


def num_common(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of common neighbours of each pair."""
    ones = np.ones((observed.num_nodes, 1))
    return common_neighbour_sums(observed.rowptr, observed.col, pairs, ones)[:, 0].astype(np.int64)
