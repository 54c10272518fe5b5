"""Classical numbers of single nodes: degree, clustering, cores, PageRank."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from linkwl.graph import Graph
from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.cores import core_numbers
from linkwl.sparse.sums import neighbour_sum
from linkwl.typing import FloatArray

NODE_SCORES = ("degree", "clustering", "core", "pagerank", "neighbour_degree", "component", "triangles")
_DAMPING, _STEPS = 0.85, 60


def node_scores(graph: Graph) -> FloatArray:
    """One column for each of :data:`NODE_SCORES`.

    ``degree``: the number of neighbours. ``clustering``: the share of the pairs of neighbours that are edges. ``core``:
    the core number. ``pagerank``: times the number of nodes, so that its mean is 1. ``neighbour_degree``: the mean
    degree of the neighbours. ``component``: the logarithm of the size of the component. ``triangles``: their number.
    Undefined means are 0. O(m) times the largest core number, for the triangles.

    Shape:
        - output: ``(num_nodes, 7)``
    """
    degree = graph.degree.astype(np.float64)
    triangles = num_triangles(graph)
    possible = degree * (degree - 1) / 2
    _, component = connected_components(graph.to_scipy(), directed=False)
    columns = [
        degree,
        triangles / np.maximum(possible, 1),
        core_numbers(graph.rowptr, graph.col),
        page_rank(graph) * graph.num_nodes,
        _neighbour_sum(graph, degree) / np.maximum(degree, 1),
        np.log(np.bincount(component)[component]),
        triangles,
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def num_triangles(graph: Graph) -> FloatArray:
    """Number of triangles that each node is in."""
    edges = graph.edges
    common = common_neighbour_sums(graph.rowptr, graph.col, edges, np.ones((graph.num_nodes, 1)))[:, 0]
    ends = [np.bincount(edges[:, end], weights=common, minlength=graph.num_nodes) for end in (0, 1)]
    return (ends[0] + ends[1]) / 2


def page_rank(graph: Graph) -> FloatArray:
    """The share of time that a random walk with restart anywhere spends at each node; isolated nodes restart."""
    n, degree = graph.num_nodes, graph.degree
    rank = np.full(n, 1 / max(n, 1))
    for _ in range(_STEPS):  # the rest is below 0.85^60, less than float32 can tell for most nodes
        moved = _neighbour_sum(graph, rank / np.maximum(degree, 1))
        rank = _DAMPING * (moved + rank[degree == 0].sum() / n) + (1 - _DAMPING) / n
    return rank


def _neighbour_sum(graph: Graph, x: FloatArray) -> FloatArray:
    ones, out = np.ones(graph.num_nodes), np.zeros((graph.num_nodes, 1))
    neighbour_sum(graph.rowptr, graph.col, ones, ones, np.ascontiguousarray(x[:, None], dtype=np.float64), 0.0, out)
    return out[:, 0]
