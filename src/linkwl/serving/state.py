"""What is being served: the open model with its graph, ranking and decisions; another one may take its place."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import Depends, Request

from linkwl.graph import KnowledgeGraph, Observed
from linkwl.predict import Explanation, explain_query
from linkwl.predict.fitted_model import FittedModel
from linkwl.predict.predictor import LinkPredictor
from linkwl.progress import OnProgress
from linkwl.serving.decisions import Decisions, Key
from linkwl.serving.digest import model_digest
from linkwl.serving.name_search import NameSearch
from linkwl.serving.ranking_cache import TopLinks, load_or_rank
from linkwl.serving.workers import Workers
from linkwl.typing import FloatArray, Queries, Scores


@dataclass(frozen=True, eq=False)
class Opened:
    """An open model; a request works with one from beginning to end, even if another model is opened meanwhile."""

    predictor: LinkPredictor
    name: str
    """What the page calls the graph."""
    digest: str
    """Of the model; see :func:`linkwl.serving.digest.model_digest`."""
    decisions: Decisions
    top: TopLinks
    """The likeliest missing links."""

    @property
    def graph(self) -> Observed:
        """The graph of the model."""
        return self.predictor.graph_

    @cached_property
    def names(self) -> list[str]:
        """The names of all nodes."""
        return [str(name) for name in self.graph.ids]

    @cached_property
    def relations(self) -> list[str] | None:
        """The names of the relations; None for a graph of pairs."""
        return [str(name) for name in self.graph.relations] if isinstance(self.graph, KnowledgeGraph) else None

    @cached_property
    def degree(self) -> list[int]:
        """Number of neighbours of each node."""
        return [int(count) for count in self.graph.links.degree]

    @cached_property
    def search(self) -> NameSearch:
        """Finds nodes by name."""
        return NameSearch(self.names)

    @cached_property
    def prior(self) -> float:
        """The share of links that probabilities assume."""
        return self.predictor.prior_for(self.graph)

    def log_odds(self, scores: Scores) -> FloatArray:
        """The log-odds of scores, for the prior of the model."""
        return self.predictor.calibration_.log_odds(scores, self.prior)

    def score(self, queries: Queries, graph: Observed | None = None) -> Scores:
        """The scores of checked queries on the graph of the model, or on another one with the same nodes."""
        return self.predictor.rank_indices(queries, graph=graph or self.graph, prior=self.prior).scores

    def score_known(self, keys: Sequence[Key], queries: Queries) -> Scores:
        """The scores of links that are asked for again and again, such as those with a verdict; each is computed once.

        Args:
            keys: The keys of the links.
            queries: The same links as queries.
        """
        ranks, known = self.top.rank, self._scores
        new = [place for place, key in enumerate(keys) if key not in ranks and key not in known]
        if new:
            known.update(zip((keys[place] for place in new), self.score(queries[new]).tolist(), strict=True))
        scores = [known[key] if key not in ranks else self.top.scores[ranks[key] - 1] for key in keys]
        return np.array(scores, dtype=np.float64)

    @cached_property
    def _scores(self) -> dict[Key, float]:
        return {}

    def explain(self, query: Sequence[int], on_progress: OnProgress | None = None) -> Explanation:
        """The explanation of a query by index."""
        predictor = self.predictor
        return explain_query(
            predictor.model_, self.graph, query, on_progress=on_progress, prepare=predictor.prepare_exactly
        )

    def counts(self) -> dict[str, int]:
        """Number of decisions of each verdict, and of ranked links without one."""
        num_open = sum(verdict is None for verdict in self.decisions.verdicts_of(self.top.keys))
        return self.decisions.counts() | {"open": num_open}

    def warm(self) -> None:
        """Builds what every request needs, so that no request waits for it."""
        self.search.find("", 1)
        _ = self.degree, self.relations, self.prior, self.top.rank, self.kept, self._scores
        self.score(self.top.queries[:1])

    @cached_property
    def kept(self) -> dict[str, Any]:
        """Answers that are computed once, such as the drawing; by name."""
        return {}


class Served:
    """Holds the open model; opening another one replaces it in one step.

    Args:
        decisions: The folder of the decisions; None keeps them in memory.
        cache: The folder of rankings that were computed before; None for none.
    """

    def __init__(self, decisions: Path | None = None, cache: Path | None = None) -> None:
        self._folder, self._cache = decisions, cache
        self._lock = threading.Lock()
        self._files: dict[str, Decisions] = {}
        self._current: Opened | None = None
        self.workers = Workers()

    @property
    def current(self) -> Opened:
        """The open model."""
        if self._current is None:
            raise RuntimeError("no model is open; call `open` first.")
        return self._current

    def open(
        self, predictor: LinkPredictor, name: str | None = None, *, on_progress: OnProgress | None = None
    ) -> Opened:
        """Opens a model; it takes as long as ranking its missing links, if they were not ranked before.

        Args:
            predictor: A fitted predictor.
            name: What the page calls the graph; by default the graph's own name.
            on_progress: Called with the finished work and the total work of the ranking.
        """
        assert isinstance(predictor, FittedModel)
        digest = model_digest(predictor)
        top = load_or_rank(predictor, digest, self._cache, on_progress=on_progress)
        with self._lock:
            graph = predictor.graph_
            # Files stay open, since requests to an earlier model may still be running.
            if graph.digest not in self._files:
                self._files[graph.digest] = Decisions(self._folder, graph.digest)
            opened = Opened(predictor, name or graph.name, digest, self._files[graph.digest], top)
            opened.warm()
            self._current = opened
            return opened

    def close(self) -> None:
        """Closes the files of decisions, and drops waiting work."""
        self.workers.close()
        with self._lock:
            for file in self._files.values():
                file.close()
            self._files.clear()


def served_of(request: Request) -> Served:
    """What the application of a request serves."""
    found: Served = request.app.state.served
    return found


# These are coroutines, because FastAPI runs a plain function in a thread, which takes longer than they do.
async def _served(request: Request) -> Served:
    return served_of(request)


async def _workers(request: Request) -> Workers:
    return served_of(request).workers


async def _opened(request: Request) -> Opened:
    return served_of(request).current


ServedNow = Annotated[Served, Depends(_served)]
"""What is served."""
WorkersNow = Annotated[Workers, Depends(_workers)]
"""The threads of the server."""
OpenedNow = Annotated[Opened, Depends(_opened)]
"""The open model, the same for the whole of a request."""
