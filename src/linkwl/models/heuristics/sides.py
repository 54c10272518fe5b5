"""Scores between the two sides of a bipartite graph, where the ends of a link have no common neighbours."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.ranges import range_entries
from linkwl.sparse import common_neighbour_sums
from linkwl.sparse.path_weights import shared_weights, three_step_weights
from linkwl.sparse.short_walks import short_walks
from linkwl.typing import FloatArray, Pairs, Scores

_BLOCK = 1 << 18
"""Number of pairs on one side that are compared at a time."""


def three_step_paths(observed: Graph, factors: FloatArray, pairs: Pairs) -> Scores:
    r"""The paths of three edges between the two nodes, each counted by the product of its inner nodes' factors.

    .. math::
        \sum_{i - k - l - j} c_k c_l

    If edges have weights, also by the mean of the three weights, in units of their mean.
    """
    weight = observed.relative_weight
    if weight is not None:
        return three_step_weights(observed.rowptr, observed.col, weight, pairs, factors)
    return short_walks(observed.rowptr, observed.col, pairs, factors[:, None])[:, 1, 0]


def similar_neighbours(observed: Graph, pairs: Pairs) -> Scores:
    r"""The similarity of the second node to the neighbours of the first: of an item to those that a user has.

    .. math::
        \sum_{k \in \Gamma(i) \setminus j} \frac{|\Gamma(k) \cap \Gamma(j)|}{|\Gamma(k) \cup \Gamma(j)|}

    The first node is the one on the first side, whatever the order of the pair. If edges have weights, neighbours count
    by theirs, and similarity is the sum of the smaller weights by that of the larger ones.
    """
    assert observed.part is not None
    weight = observed.relative_weight
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
        similarity = _jaccard(observed, compared, weight)
        similarity[compared[:, 0] == compared[:, 1]] = 0.0
        if weight is not None:
            similarity *= weight[entries]
        scores[block] = np.bincount(place, weights=similarity, minlength=stop - start)
        start = stop
    return scores


def _jaccard(observed: Graph, pairs: Pairs, weight: FloatArray | None) -> FloatArray:
    if weight is not None:
        common = shared_weights(observed.rowptr, observed.col, weight, pairs)
        return share_of_union(common, observed.strength[pairs])
    common = common_neighbour_sums(observed.rowptr, observed.col, pairs, np.ones((observed.num_nodes, 1)))[:, 0]
    union = observed.degree[pairs].sum(axis=1) - common
    return common / np.maximum(union, 1)


def share_of_union(common: FloatArray, strengths: FloatArray) -> FloatArray:
    """The weighted Jaccard similarity of pairs: what is common, by the sum of the strengths of both without it."""
    union = strengths.sum(axis=1) - common
    return np.divide(common, union, out=np.zeros_like(common), where=union > 0)
