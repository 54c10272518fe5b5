"""The likeliest missing links of a graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwl.graph import Graph
from linkwl.models.base import Scorer
from linkwl.models.candidates import AllPairs, Candidates
from linkwl.typing import Pairs, Scores


def rank_missing_links(
    model: Scorer,
    observed: Graph,
    k: int,
    *,
    candidates: Candidates | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[Pairs, Scores]:
    """The ``k`` non-edges with the highest scores, best first; ties in ascending order of nodes.

    Candidates are scored a block at a time, so memory stays bounded. By default they are all non-edges, and time grows
    with the square of the nodes.

    Args:
        model: What scores, a :class:`linkwl.LinkModel` or anything that is called like one.
        observed: The graph whose links are known.
        k: How many; fewer are given if there are fewer.
        candidates: The pairs to choose from.
        on_progress: Called after every block with the work done and the work there is.
    """
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k}.")
    blocks = AllPairs(observed) if candidates is None else candidates
    best_pairs, best_scores = np.empty((0, 2), dtype=np.int32), np.empty(0)
    for pairs, done in blocks:
        scores = model(observed, pairs)
        if len(best_scores) == k:  # whoever ties with the last comes too late
            is_better = scores > best_scores[-1]
            pairs, scores = pairs[is_better], scores[is_better]
        best_pairs, best_scores = np.concatenate([best_pairs, pairs]), np.concatenate([best_scores, scores])
        order = np.argsort(-best_scores, kind="stable")[:k]
        best_pairs, best_scores = best_pairs[order], best_scores[order]
        if on_progress is not None:
            on_progress(done, blocks.total)
    return best_pairs, best_scores
