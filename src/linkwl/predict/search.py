"""The likeliest missing links or facts of a graph."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import NamedTuple

import numpy as np

from linkwl.engine import Engine, InlineEngine
from linkwl.graph import Observed
from linkwl.models import LinkModel, Scorer
from linkwl.predict.candidates import Candidates, Part
from linkwl.predict.question import Question
from linkwl.typing import IntArray, Queries, Scores


class Best(NamedTuple):
    """The best queries so far, best first."""

    queries: Queries
    scores: Scores
    num_seen: int = 0
    """Number of queries scored so far."""
    num_left_out: int = 0
    """Number of queries that were left out so far."""

    def merged(self, queries: Queries, scores: Scores, k: int, num_seen: int, num_left_out: int = 0) -> Best:
        """The best ``k`` of these and of other queries; those with smaller indices come first among ties."""
        all_queries, all_scores = np.concatenate([self.queries, queries]), np.concatenate([self.scores, scores])
        if len(all_scores) > k:
            lowest = np.partition(all_scores, len(all_scores) - k)[-k]
            above, tied = np.flatnonzero(all_scores > lowest), np.flatnonzero(all_scores == lowest)
            missing = k - len(above)
            if len(tied) > missing:
                tied = tied[np.argpartition(_numbers(all_queries[tied]), missing - 1)[:missing]]
            chosen = np.concatenate([above, tied])
            all_queries, all_scores = all_queries[chosen], all_scores[chosen]
        order = np.lexsort((_numbers(all_queries), -all_scores))
        counts = self.num_seen + num_seen, self.num_left_out + num_left_out
        return Best(all_queries[order], all_scores[order], *counts)


def rank_missing_links(
    model: LinkModel | Scorer,
    observed: Observed,
    k: int,
    *,
    candidates: Candidates | None = None,
    engine: Engine | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[Queries, Scores]:
    """The ``k`` unobserved queries with the highest scores, best first; ties are broken by ascending indices.

    Candidates are scored a block at a time, so memory is bounded. By default they are all queries that are not facts,
    and time grows with the square of the number of nodes. The result does not depend on the engine.

    Args:
        model: A model, or a scorer of the same graph.
        observed: The observed graph.
        k: Number of queries; fewer are returned if there are fewer.
        candidates: The queries to rank.
        engine: The engine that scores the parts of the candidates; by default inline.
        on_progress: Called after every part with the finished work and the total work.

    Example:
        >>> import linkwl
        >>> graph = linkwl.load_dataset("airports")
        >>> pairs, scores = linkwl.rank_missing_links(linkwl.create_model("ra"), graph, k=2)
        >>> [[graph.ids[node] for node in pair] for pair in pairs.tolist()]
        [['PIE', 'SFB'], ['ORD', 'SFB']]
    """
    best = find_best(model, observed, k, candidates=candidates, engine=engine, on_progress=on_progress)
    return best.queries, best.scores


def find_best(
    model: LinkModel | Scorer,
    observed: Observed,
    k: int,
    *,
    candidates: Candidates | None = None,
    engine: Engine | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Best:
    """Like :func:`rank_missing_links`, with the number of queries that were scored and left out."""
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k}.")
    chosen = Question().candidates(observed) if candidates is None else candidates
    scorer = model if isinstance(model, Scorer) else model.prepare(model.view(observed))
    best = _nothing(observed)
    parts = chosen.parts()
    done = 0
    results = (InlineEngine() if engine is None else engine).map(_search, parts, shared=(scorer, chosen, k))
    with closing(results):
        for part, found in zip(parts, results, strict=False):
            best = best.merged(*found[:2], k, *found[2:])
            done += part.stop - part.start
            if on_progress is not None:
                on_progress(done, chosen.total)
            if chosen.most is not None and best.num_seen >= chosen.most:
                break
    if on_progress is not None and done < chosen.total:
        on_progress(chosen.total, chosen.total)
    return best


def _search(shared: tuple[Scorer, Candidates, int], part: Part) -> Best:
    """The best of one part."""
    scorer, candidates, k = shared
    best = _nothing(scorer.observed)
    for block in candidates.scored(scorer, part):
        is_candidate = block.scores > -np.inf
        is_wanted = block.scores >= best.scores[-1] if len(best.scores) == k else is_candidate
        places = np.flatnonzero(is_wanted)
        counts = int(np.count_nonzero(is_candidate)), block.num_left_out
        best = best.merged(block.queries(places), block.scores[places], k, *counts)
    return best


def _numbers(queries: Queries) -> IntArray:
    """Each query as an integer, in the order of queries by their columns."""
    numbers = np.zeros(len(queries), dtype=np.int64)
    for column in queries.T:
        numbers = numbers * (int(column.max(initial=0)) + 1) + column
    return numbers


def _nothing(observed: Observed) -> Best:
    return Best(np.empty((0, len(observed.query_columns)), dtype=np.int32), np.empty(0))
