"""The likeliest missing links of a graph."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.models.base import LinkModel
from linkwl.typing import Pairs, Scores

_BLOCK = 1 << 20


def rank_missing_links(model: LinkModel, observed: Graph, k: int) -> tuple[Pairs, Scores]:
    """The ``k`` non-edges with the highest scores, best first; ties in ascending order of nodes.

    Every non-edge is scored, a block at a time, so memory stays bounded; time grows with the square of the nodes.
    """
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k}.")
    best_pairs, best_scores = np.empty((0, 2), dtype=np.int32), np.empty(0)
    for start in range(0, observed.num_non_edges, _BLOCK):
        pairs = observed.non_edges(np.arange(start, min(start + _BLOCK, observed.num_non_edges)))
        best_pairs = np.concatenate([best_pairs, pairs])
        best_scores = np.concatenate([best_scores, model(observed, pairs)])
        order = np.argsort(-best_scores, kind="stable")[:k]
        best_pairs, best_scores = best_pairs[order], best_scores[order]
    return best_pairs, best_scores
