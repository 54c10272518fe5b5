"""The likeliest missing links of a graph."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

import numpy as np

from linkwl.engine import Engine, InlineEngine
from linkwl.graph import Observed
from linkwl.models import LinkModel, Scorer
from linkwl.predict.candidates import AllQueries, Candidates, Part
from linkwl.typing import Queries, Scores


class Best(NamedTuple):
    """The best queries so far, best first."""

    queries: Queries
    scores: Scores
    num_seen: int = 0
    """Number of queries scored so far."""

    def merged(self, queries: Queries, scores: Scores, k: int, num_seen: int) -> Best:
        """The best ``k`` of these and of later queries; ties keep their order."""
        all_queries, all_scores = np.concatenate([self.queries, queries]), np.concatenate([self.scores, scores])
        order = np.argsort(-all_scores, kind="stable")[:k]
        return Best(all_queries[order], all_scores[order], self.num_seen + num_seen)


def rank_missing_links(
    model: LinkModel | Scorer,
    observed: Observed,
    k: int,
    *,
    candidates: Candidates | None = None,
    engine: Engine | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[Queries, Scores]:
    """The ``k`` unobserved queries with the highest scores, best first; ties are broken by node index.

    Candidates are scored a block at a time, so memory is bounded. By default they are all non-edges, and time grows
    with the square of the number of nodes. The result does not depend on the engine.

    Args:
        model: A model, or a scorer of the same graph.
        observed: The observed graph.
        k: Number of queries; fewer are returned if there are fewer.
        candidates: The queries to rank.
        engine: The engine that scores the parts of the candidates; by default inline.
        on_progress: Called after every part with the finished work and the total work.
    """
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k}.")
    chosen = AllQueries(observed) if candidates is None else candidates
    scorer = model if isinstance(model, Scorer) else model.prepare(observed)
    best = _nothing(observed)
    parts = chosen.parts()
    done = 0
    results = (InlineEngine() if engine is None else engine).map(_search, parts, shared=(scorer, chosen, k))
    with closing(results):
        for part, found in zip(parts, results, strict=False):
            best = best.merged(found.queries, found.scores, k, found.num_seen)
            done += part.stop - part.start
            if on_progress is not None:
                on_progress(done, chosen.total)
            if chosen.most is not None and best.num_seen >= chosen.most:
                break
    if on_progress is not None and done < chosen.total:
        on_progress(chosen.total, chosen.total)
    return best.queries, best.scores


def _search(shared: tuple[Scorer, Candidates, int], part: Part) -> Best:
    """The best of one part."""
    scorer, candidates, k = shared
    best = _nothing(scorer.observed)
    for queries in candidates.blocks(part):
        scores, num_seen = scorer(queries), len(queries)
        if len(best.scores) == k:  # later queries that tie with the last are ranked after it
            is_better = scores > best.scores[-1]
            queries, scores = queries[is_better], scores[is_better]
        best = best.merged(queries, scores, k, num_seen)
    return best


def _nothing(observed: Observed) -> Best:
    return Best(np.empty((0, len(observed.query_columns)), dtype=np.int32), np.empty(0))
