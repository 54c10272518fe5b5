"""Near pairs: non-links that a short path joins, that are close on a map or the wrong way round; the hardest ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.graph import Graph, csr
from linkwl.graph.positions import NUM_NEAREST, Positions
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.short_walks import short_walks
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs

_NO_PAIRS: Pairs = np.empty((0, 2), dtype=np.int32)


class NearPairs(NamedTuple):
    """A weighted sample of near pairs."""

    pairs: Pairs
    weight: FloatArray
    """The number of near pairs of the graph that each sampled pair represents: the expectation of a weighted sum over
    the sample is the sum over all near pairs."""


def sample_near_pairs(observed: Graph, linked: Graph, count: int, generator: np.random.Generator) -> NearPairs:
    """Draws near pairs that are not links: the ends of uniform short paths of observed edges and, on a map, neighbours.

    A pair with c paths is found c times as often as a pair with one, so its weight is 1 / c as large. Paths have two
    edges; three in a bipartite graph. If the nodes have places, half of the draws are a node and one of its nearest. A
    weight is one over the expected number of draws of the pair, whichever way it is found.

    Args:
        observed: The edges of the paths, and the places; without directions.
        linked: Pairs to exclude; the sample may be smaller than ``count``.
        count: Number of pairs to draw.
        generator: The random generator.
    """
    drawn, all_paths = _draw(observed, count, generator)
    pairs = np.sort(drawn, axis=1)
    pairs = pairs[~linked.has_edges(pairs)]
    return NearPairs(pairs, _represented(observed, pairs, count, all_paths) / 2)  # both orders are one pair


def sample_near_ordered_pairs(
    observed: Graph, linked: Graph, hidden: Pairs, count: int, generator: np.random.Generator
) -> NearPairs:
    """Draws near pairs of a directed graph, links the wrong way round among them, which uniform pairs hardly contain.

    Near are ordered pairs that are not links and have a common neighbour, in whatever direction, or are close on a map,
    or whose reverse is an edge; see :func:`are_near`. Three parts of them do not overlap: the reverses of the hidden
    links, all of them; reverses of observed edges, a third of the sample; and all others, drawn as by
    :func:`sample_near_pairs`.

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
    links = observed.links
    drawn, all_paths = _draw(links, count - num_edges, generator)
    if positions_of(links) is not None:  # a node is not among the nearest of all of its nearest
        drawn = generator.permuted(drawn, axis=1)
    listed = Graph.from_pairs(turned, links.num_nodes, is_directed=True)
    others = drawn[~observed.has_edges(drawn[:, ::-1]) & ~listed.has_edges(drawn)]
    parts = [
        NearPairs(turned, np.ones(len(turned))),
        NearPairs(observed.edges[chosen, ::-1], np.full(num_edges, observed.num_edges / max(num_edges, 1))),
        NearPairs(others, _represented(links, others, count - num_edges, all_paths)),
    ]
    pairs, weight = (np.concatenate(values) for values in zip(*parts, strict=True))
    is_open = ~linked.has_edges(pairs)
    return NearPairs(pairs[is_open], weight[is_open])


def are_near(observed: Graph, pairs: Pairs) -> BoolArray:
    """Whether each pair is near: a short path joins its nodes, or they are close on a map, or the reverse is an edge.

    On a map, one end of a pair is among the nearest of the other. The reverse counts in a directed graph.
    """
    is_near = (num_paths(observed.links, pairs) > 0) | (num_listings(observed, pairs) > 0)
    return is_near | observed.has_edges(pairs[:, ::-1]) if observed.is_directed else is_near


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


def positions_of(graph: Graph) -> Positions | None:
    """The places of the nodes of a graph, if they are known."""
    return None if graph.attributes is None else graph.attributes.positions


def num_listings(graph: Graph, pairs: Pairs) -> IntArray:
    """Of how many ends of each pair the other end is among the nearest; none within a side of a bipartite graph."""
    places = positions_of(graph)
    if places is None:
        return np.zeros(len(pairs), dtype=np.int64)
    return np.where(_are_possible(graph, pairs), places.num_listings(pairs), 0)


def sample_nearest(graph: Graph, linked: Graph, count: int, generator: np.random.Generator) -> Pairs:
    """Draws pairs of a node and one of its nearest, uniformly, and keeps those that are not links."""
    pairs = _listed_pairs(graph, count, generator)
    return pairs[~linked.has_edges(pairs)]


def num_nearest(places: Positions) -> int:
    """Number of entries in the lists of nearest nodes."""
    num_known = int(np.count_nonzero(places.is_known))
    return num_known * min(NUM_NEAREST, max(num_known - 1, 0))


def _draw(observed: Graph, count: int, generator: np.random.Generator) -> tuple[Pairs, int]:
    """Ends of uniform short paths and, for half of the count, close pairs; and the number of paths, in both orders."""
    num_close = _num_close(observed, count)
    find_ends = _path_ends if observed.part is None else _path_ends_across
    pairs, all_paths = find_ends(observed, count - num_close, generator)
    if num_close:
        pairs = np.concatenate([pairs, _listed_pairs(observed, num_close, generator)])
    return pairs, all_paths


def _represented(observed: Graph, pairs: Pairs, count: int, all_paths: int) -> FloatArray:
    """One over the expected number of times that :func:`_draw` finds each pair, in one order of the two."""
    if len(pairs) == 0:
        return np.empty(0)
    places = positions_of(observed)
    if places is None:
        return np.asarray(all_paths / count / num_paths(observed, pairs))
    num_close = _num_close(observed, count)
    draws = (count - num_close) / max(all_paths, 1) * num_paths(observed, pairs)
    return np.asarray(1 / (draws + num_close / max(num_nearest(places), 1) * num_listings(observed, pairs) / 2))


def _num_close(observed: Graph, count: int) -> int:
    """The number of draws from the nearest."""
    return 0 if positions_of(observed) is None else count // 2


def _path_ends(observed: Graph, count: int, generator: np.random.Generator) -> tuple[Pairs, int]:
    """The ends of uniform paths of two edges, in order, and the number of such paths, counted in both orders."""
    degree = observed.degree.astype(np.int64)
    reached = np.cumsum(degree * (degree - 1))
    if reached[-1] == 0:
        return _NO_PAIRS, 0
    middle = np.searchsorted(reached, generator.integers(reached[-1], size=count), side="right")
    first = generator.integers(degree[middle])
    second = generator.integers(degree[middle] - 1)
    entries = observed.rowptr[middle][:, None] + np.stack([first, second + (second >= first)], axis=1)
    return observed.col[entries], int(reached[-1])


def _path_ends_across(observed: Graph, count: int, generator: np.random.Generator) -> tuple[Pairs, int]:
    """Those of paths of three edges, for a bipartite graph, where two would lead back to the same side."""
    # An edge is the middle one of as many paths as its two ends have pairs of other neighbours.
    rows = np.repeat(np.arange(observed.num_nodes), observed.degree)
    others = observed.degree - 1
    reached = np.cumsum(others[rows] * others[observed.col])
    if len(reached) == 0 or reached[-1] == 0:
        return _NO_PAIRS, 0
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


def _listed_pairs(graph: Graph, count: int, generator: np.random.Generator) -> Pairs:
    """Uniform entries of the lists of nearest nodes, as pairs with the smaller node first; only possible ones."""
    places = positions_of(graph)
    assert places is not None
    known = np.flatnonzero(places.is_known)
    width = min(NUM_NEAREST, len(known) - 1)
    if width < 1:
        return _NO_PAIRS
    node, place = known[generator.integers(len(known), size=count)], generator.integers(width, size=count)
    pairs = np.sort(np.stack([node, places.nearest.nodes[node, place]], axis=1), axis=1).astype(np.int32)
    return pairs[_are_possible(graph, pairs)]


def _are_possible(graph: Graph, pairs: Pairs) -> BoolArray:
    """Whether each pair could be an edge: in a bipartite graph, whether it is across the sides."""
    if graph.part is None:
        return np.ones(len(pairs), dtype=np.bool_)
    return np.not_equal(*graph.part[pairs].T)
