"""Near pairs: non-links with a common neighbour or the wrong way round, the hardest to distinguish from links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs


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
    drawn = _path_ends(observed, count, generator)
    if drawn is None:
        return NearPairs(np.empty((0, 2), dtype=np.int32), np.empty(0))
    pairs = np.sort(drawn[0], axis=1)
    pairs = pairs[~linked.has_edges(pairs)]
    return NearPairs(pairs, drawn[1] / 2 / count / num_common(observed, pairs))


def _path_ends(observed: Graph, count: int, generator: np.random.Generator) -> tuple[Pairs, int] | None:
    """The ends of uniform paths of two edges, in order, and the number of such paths, counted in both orders."""
    degree = observed.degree.astype(np.int64)
    reached = np.cumsum(degree * (degree - 1))
    if reached[-1] == 0:
        return None
    middle = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first = generator.integers(degree[middle])
    second = generator.integers(degree[middle] - 1)
    entries = observed.rowptr[middle][:, None] + np.stack([first, second + (second >= first)], axis=1)
    return observed.col[entries], int(reached[-1])


def sample_near_ordered_pairs(
    observed: Graph, linked: Graph, hidden: Pairs, count: int, generator: np.random.Generator
) -> NearPairs:
    """Draws near pairs of a directed graph, links the wrong way round among them, which uniform pairs hardly contain.

    Near are ordered pairs that are not links and have a common neighbour, in whatever direction, or whose reverse is an
    edge; see :func:`are_near`. Three parts of them do not overlap: the reverses of the hidden links, all of them;
    reverses of observed edges, a third of the sample; and all others, the ends of uniform paths of two edges.

    Args:
        observed: The edges, directed.
        linked: Pairs to exclude; directed.
        hidden: Links that are hidden from the observed graph.
        count: Number of sampled pairs, besides the reverses of the hidden links; some may turn out to be excluded.
        generator: The random generator.
    """
    turned = hidden[:, ::-1]
    turned = turned[are_near(observed, turned)]
    num_edges = min(count // 3, observed.num_edges)
    chosen = generator.permutation(observed.num_edges)[:num_edges]
    parts = [
        NearPairs(turned, np.ones(len(turned))),
        NearPairs(observed.edges[chosen, ::-1], np.full(num_edges, observed.num_edges / max(num_edges, 1))),
    ]
    links = observed.links
    drawn = _path_ends(links, count - num_edges, generator)
    if drawn is not None:
        pairs, num_paths = drawn
        listed = Graph.from_pairs(turned, links.num_nodes, is_directed=True)
        pairs = pairs[~observed.has_edges(pairs[:, ::-1]) & ~listed.has_edges(pairs)]
        parts.append(NearPairs(pairs, num_paths / (count - num_edges) / num_common(links, pairs)))
    pairs, weight = (np.concatenate(values) for values in zip(*parts, strict=True))
    is_open = ~linked.has_edges(pairs)
    return NearPairs(pairs[is_open], weight[is_open])


def are_near(observed: Graph, pairs: Pairs) -> BoolArray:
    """Whether the nodes of each pair have a common neighbour or, in a directed graph, the reverse edge."""
    if not observed.is_directed:
        return num_common(observed, pairs) > 0
    return (num_common(observed.links, pairs) > 0) | observed.has_edges(pairs[:, ::-1])


def num_common(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of common neighbours of each pair."""
    ones = np.ones((observed.num_nodes, 1))
    return common_neighbour_sums(observed.rowptr, observed.col, pairs, ones)[:, 0].astype(np.int64)
