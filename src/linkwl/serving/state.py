"""What is being served: the open model with its graph, ranking and decisions; another one may take its place."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from linkwl.graph import KnowledgeGraph, Observed
from linkwl.predict.fitted_model import FittedModel
from linkwl.predict.predictor import LinkPredictor
from linkwl.progress import OnProgress
from linkwl.serving.decisions import Decisions
from linkwl.serving.digest import model_digest
from linkwl.serving.ranking_cache import TopLinks, load_or_rank


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
    def prior(self) -> float:
        """The share of links that probabilities assume."""
        return self.predictor.prior_for(self.graph)


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
            self._current = Opened(predictor, name or graph.name, digest, self._files[graph.digest], top)
            return self._current

    def close(self) -> None:
        """Closes the files of decisions."""
        with self._lock:
            for file in self._files.values():
                file.close()
            self._files.clear()


def served_of(request: Request) -> Served:
    """What the application of a request serves."""
    found: Served = request.app.state.served
    return found


def opened_of(request: Request) -> Opened:
    """The open model, for the whole of a request."""
    return served_of(request).current


ServedNow = Annotated[Served, Depends(served_of)]
OpenedNow = Annotated[Opened, Depends(opened_of)]
