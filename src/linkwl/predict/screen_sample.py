"""The pairs whose exact scores teach a screen."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.hops import pairs_within
from linkwl.typing import FloatArray, IntArray, Pairs

NUM_SOURCES = 333
PER_SOURCE = 30
_MOST = 1 << 16  # near pairs of one source that are listed


def sample_pairs(graph: Graph, generator: np.random.Generator) -> Pairs:
    """Candidates of some sources, about 20 000: half with uniform targets, half near pairs of nodes of high degree.

    Near pairs are joined by a path of two edges, in a bipartite graph of three, or close on a map. They are drawn by
    sources, since all pairs of a source share its walks.
    """
    every = np.arange(graph.num_nodes)
    sources = np.repeat(random_sources(every, NUM_SOURCES, generator), PER_SOURCE)
    far = np.stack([sources, generator.integers(graph.num_nodes, size=len(sources))], axis=1)
    links = graph.links
    hubs = random_sources(every, NUM_SOURCES, generator, weight=links.degree.astype(np.float64))
    near = [_near_pairs(graph, int(hub), generator) for hub in hubs]
    return distinct_candidates(graph, np.concatenate([far, *near]))


def _near_pairs(graph: Graph, source: int, generator: np.random.Generator) -> Pairs:
    links = graph.links
    hops = 2 if graph.part is None else 3
    listed, _ = pairs_within(
        links.rowptr, links.col, np.array([source]), hops, _MOST, with_edges=graph.is_directed, in_both_orders=True
    )
    if graph.attributes is not None and (places := graph.attributes.positions) is not None:
        nearest = places.nearest.nodes[source]
        nearest = nearest[nearest >= 0]
        listed = np.concatenate([listed, np.stack([np.full_like(nearest, source), nearest], axis=1)])
    return listed[generator.permutation(len(listed))[:PER_SOURCE]]


def random_sources(
    nodes: IntArray, count: int, generator: np.random.Generator, *, weight: FloatArray | None = None
) -> IntArray:
    """Distinct nodes, with probabilities in proportion to their weights, or uniform; all of them if they are few."""
    if weight is not None:
        nodes, weight = nodes[weight > 0], weight[weight > 0] / max(weight.sum(), 1e-300)
    return generator.choice(nodes, min(count, len(nodes)), replace=False, p=weight if len(nodes) else None)


def distinct_candidates(graph: Graph, pairs: Pairs) -> Pairs:
    """The pairs that could be edges and are none, each once, in ascending order; the first end stays first."""
    pairs = np.unique(pairs.reshape(-1, 2).astype(np.int32), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if graph.part is not None:
        pairs = pairs[graph.part[pairs[:, 0]] != graph.part[pairs[:, 1]]]
    return pairs[~graph.has_edges(pairs)]
