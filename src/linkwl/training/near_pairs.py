"""Pairs that two edges join and that are no links: the hardest to tell from links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.typing import FloatArray, IntArray, Pairs


class NearPairs(NamedTuple):
    """A sample of them."""

    pairs: Pairs
    stands_for: FloatArray
    """How many such pairs of the graph each of the sample stands for: a weighted sum over the sample has as its mean
    the sum over all of them."""


def sample_near_pairs(observed: Graph, linked: Graph, count: int, generator: np.random.Generator) -> NearPairs:
    """Draws paths of two observed edges, all alike, and takes the pairs of their ends that are no links.

    A pair with c common neighbours is found c times as often as one with a single one, and stands for 1 / c as many.

    Args:
        observed: The edges of the paths; without directions.
        linked: Pairs that are left out, so that the sample may be smaller than asked for.
        count: How many paths to draw.
        generator: The source of chance.
    """
    degree = observed.degree.astype(np.int64)
    reached = np.cumsum(degree * (degree - 1))
    if reached[-1] == 0:
        return NearPairs(np.empty((0, 2), dtype=np.int32), np.empty(0))
    middle = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first = generator.integers(degree[middle])
    second = generator.integers(degree[middle] - 1)
    places = observed.rowptr[middle][:, None] + np.stack([first, second + (second >= first)], axis=1)
    pairs = np.sort(observed.col[places], axis=1)
    pairs = pairs[~linked.has_edges(pairs)]
    return NearPairs(pairs, reached[-1] / 2 / count / num_common(observed, pairs))


def num_common(observed: Graph, pairs: Pairs) -> IntArray:
    """How many neighbours the ends of each pair share."""
    ones = np.ones((observed.num_nodes, 1))
    return common_neighbour_sums(observed.rowptr, observed.col, pairs, ones)[:, 0].astype(np.int64)
