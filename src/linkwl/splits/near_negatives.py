"""Negatives that are near: pairs without a link whose ends share a neighbour."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.hops import pairs_within
from linkwl.typing import Pairs

MOST_LISTED = 2_000_000
"""Number of near pairs, about, from which the negatives are drawn; beyond, the pairs of some random nodes."""


def near_negatives(
    graph: Graph, observed: Graph, count: int, generator: np.random.Generator, *, most: int = MOST_LISTED
) -> Pairs:
    """Pairs that are not edges and share a neighbour, drawn without replacement; int32, ascending.

    They are harder than random pairs, which in a large graph are mostly far apart. Which pairs are near is read off the
    observed graph alone, so that a held-out edge makes no pair near. The directions of the edges do not matter for it;
    in a directed graph pairs have a random order. Pairs across the sides of a bipartite graph have no neighbour in
    common: there, pairs joined by a path of three edges are near.

    Args:
        graph: The whole graph; none of its edges is drawn.
        observed: The graph that a model sees.
        count: Number of pairs; fewer if there are no more.
        generator: The source of randomness.
        most: Number of near pairs to list before the draw.

    Example:
        >>> star = Graph.from_pairs(np.array([(0, 1), (0, 2), (0, 3), (4, 5)]), 6)
        >>> near_negatives(star, star, 9, np.random.default_rng(0)).tolist()
        [[1, 2], [1, 3], [2, 3]]
    """
    links = observed.links
    hops = 2 if graph.part is None else 3
    pairs, _ = pairs_within(links.rowptr, links.col, generator.permutation(graph.num_nodes), hops, most)
    if graph.part is not None:
        pairs = pairs[graph.part[pairs[:, 0]] != graph.part[pairs[:, 1]]]
    if graph.is_directed:
        is_turned = generator.random(len(pairs)) < 0.5
        pairs[is_turned] = pairs[is_turned, ::-1]
    pairs = pairs[~graph.contains(pairs)]
    chosen = pairs[generator.permutation(len(pairs))[:count]]
    return np.ascontiguousarray(chosen[np.lexsort(chosen.T[::-1])], dtype=np.int32)
