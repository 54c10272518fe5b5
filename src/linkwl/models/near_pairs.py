"""Near pairs: non-links that a short path joins or that are the wrong way round, the hardest to tell from links."""

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
    """Draws uniform short paths of observed edges, and keeps the pairs of their ends that are not links.

    A pair with c paths is found c times as often as a pair with one, so its weight is 1 / c as large. Paths have two
    edges; three in a bipartite graph.

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
    return NearPairs(pairs, drawn[1] / 2 / count / num_paths(observed, pairs))


def _path_ends(observed: Graph, count: int, generator: np.random.Generator) -> tuple[Pairs, int] | None:
    """The ends of uniform short paths, in order, and the number of such paths, counted in both orders.

    They have two edges; three in a bipartite graph, where two would lead back to the same side.
    """
    if observed.part is not None:
        return _ends_across(observed, count, generator)
    degree = observed.degree.astype(np.int64)
    reached = np.cumsum(degree * (degree - 1))
    if reached[-1] == 0:
        return None
    middle = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first = generator.integers(degree[middle])
    second = generator.integers(degree[middle] - 1)
    entries = observed.rowptr[middle][:, None] + np.stack([first, second + (second >= first)], axis=1)
    return observed.col[entries], int(reached[-1])


def _ends_across(observed: Graph, count: int, generator: np.random.Generator) -> tuple[Pairs, int] | None:
    """The ends of uniform paths of three edges."""
    # An edge is the middle one of as many paths as its two ends have pairs of other neighbours.
    rows = np.repeat(np.arange(observed.num_nodes), observed.degree)
    others = observed.degree - 1
    reached = np.cumsum(others[rows] * others[observed.col])
    if len(reached) == 0 or reached[-1] == 0:
        return None
    entry = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first, second = rows[entry], observed.col[entry]
    before = _other_neighbour(observed, first, second, generator)
    after = _other_neighbour(observed, second, first, generator)
    return np.stack([before, after], axis=1), int(reached[-1])


def _other_neighbour(observed: Graph, node: IntArray, not_this: IntArray, generator: np.random.Generator) -> IntArray:
    """A random neighbour of each node, other than a given neighbour."""
    place = csr.find(observed.rowptr, observed.col, np.stack([node, not_this], axis=1)) - observed.rowptr[node]
    drawn = generator.integers(observed.degree[node] - 1)
    return observed.col[observed.rowptr[node] + drawn + (drawn >= place)]


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
        pairs, total = drawn
        listed = Graph.from_pairs(turned, links.num_nodes, is_directed=True)
        pairs = pairs[~observed.has_edges(pairs[:, ::-1]) & ~listed.has_edges(pairs)]
        parts.append(NearPairs(pairs, total / (count - num_edges) / num_paths(links, pairs)))
    pairs, weight = (np.concatenate(values) for values in zip(*parts, strict=True))
    is_open = ~linked.has_edges(pairs)
    return NearPairs(pairs[is_open], weight[is_open])


def are_near(observed: Graph, pairs: Pairs) -> BoolArray:
    """Whether a short path joins the nodes of each pair or, in a directed graph, the reverse edge."""
    is_joined = num_paths(observed.links, pairs) > 0
    return is_joined | observed.has_edges(pairs[:, ::-1]) if observed.is_directed else is_joined


def num_paths(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of paths of two edges between the nodes of each pair; of three across the sides of a bipartite graph.

    Those of three are of pairs that are not edges.
    """
    if observed.part is None:
        return num_common(observed, pairs)
    ones = np.ones((observed.num_nodes, 1))
    return short_walks(observed.rowptr, observed.col, pairs, ones)[:, 1, 0].astype(np.int64)


def num_common(observed: Graph, pairs: Pairs) -> IntArray:
    """Number of common neighbours of each pair."""
    ones = np.ones((observed.num_nodes, 1))
    return common_neighbour_sums(observed.rowptr, observed.col, pairs, ones)[:, 0].astype(np.int64)
