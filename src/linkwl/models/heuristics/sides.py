"""Scores between the two sides of a bipartite graph, where the ends of a link have no common neighbours."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.ranges import range_entries
from linkwl.sparse import common_neighbour_sums
from linkwl.sparse.short_walks import short_walks
from linkwl.typing import FloatArray, Pairs, Scores

_BLOCK = 1 << 18
"""Number of pairs on one side that are compared at a time."""


def three_step_paths(observed: Graph, weights: FloatArray, pairs: Pairs) -> Scores:
    r"""The paths of three edges between the two nodes, each counted by the product of its inner nodes' weights.

    .. math::
        \sum_{i - k - l - j} w_k w_l
    """
    return short_walks(observed.rowptr, observed.col, pairs, weights[:, None])[:, 1, 0]


def similar_neighbours(observed: Graph, pairs: Pairs) -> Scores:
    r"""The similarity of the second node to the neighbours of the first: of an item to those that a user has.

    .. math::
        \sum_{k \in \Gamma(i) \setminus j} \frac{|\Gamma(k) \cap \Gamma(j)|}{|\Gamma(k) \cup \Gamma(j)|}

    The first node is the one on the first side, whatever the order of the pair.
    """
    assert observed.part is not None
    left = np.where(observed.part[pairs[:, 0]] == 0, pairs[:, 0], pairs[:, 1])
    right = pairs.sum(axis=1) - left
    # Blocks of whole pairs: a pair has as many comparisons as its first node has neighbours.
    ends = np.cumsum(observed.degree[left])
    scores = np.zeros(len(pairs))
    start = 0
    while start < len(pairs):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _BLOCK, side="right")))
        block = slice(start, stop)
        place, entries = range_entries(observed.rowptr[left[block]], observed.rowptr[left[block] + 1])
        compared = np.stack([observed.col[entries], right[block][place].astype(np.int32)], axis=1)
        similarity = _jaccard(observed, compared)
        similarity[compared[:, 0] == compared[:, 1]] = 0.0
        scores[block] = np.bincount(place, weights=similarity, minlength=stop - start)
        start = stop
    return scores


def _jaccard(observed: Graph, pairs: Pairs) -> FloatArray:
    common = common_neighbour_sums(observed.rowptr, observed.col, pairs, np.ones((observed.num_nodes, 1)))[:, 0]
    union = observed.degree[pairs].sum(axis=1) - common
    return common / np.maximum(union, 1)
