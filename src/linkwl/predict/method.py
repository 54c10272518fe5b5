"""How missing links are found: by scoring all candidates, or by a screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from linkwl.engine import Engine
from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph, Observed
from linkwl.models import Scorer
from linkwl.predict.candidates import AllPairs, Candidates
from linkwl.predict.search import find_best
from linkwl.typing import Queries, Scores

if TYPE_CHECKING:
    from linkwl.predict.screening import Screening

Method: TypeAlias = Literal["exact", "screened"]
AUTO = "auto"


@dataclass(frozen=True)
class Search:
    """How a ranking was found."""

    method: Method
    reason: str
    """Why this method was used, as a part of a sentence."""
    screening: Screening | None = None
    """What a screened ranking was based on."""
    num_left_out: int = 0
    """Number of candidates that were left out; see :mod:`linkwl.predict.second_values`."""

    def to_json(self) -> dict[str, Any]:
        """The values for JSON; those of a screened ranking with its recall."""
        found: dict[str, Any] = {"method": self.method, "reason": self.reason}
        if self.screening is not None:
            found |= asdict(self.screening) | {"recall": self.screening.recall}
        return found

    def __str__(self) -> str:
        measured = "" if self.screening is None else f" {self.screening}"
        return f"ranking is {self.method}: {self.reason}.{measured}"


def choose_method(text: str, scorer: Scorer, candidates: Candidates) -> Search:
    """The method for some candidates: the given one, or by their number and the speed of the model.

    Args:
        text: ``exact``, ``screened``, or ``auto``: exact up to as many pairs as the scorer calls quick.
        scorer: The scorer of the graph.
        candidates: The queries to rank.

    Raises:
        InputError: If the text is none of these, or these candidates are not screened.
    """
    methods = get_args(Method)
    if text not in (*methods, AUTO):
        raise UnknownNameError("ranking", text, [AUTO, *methods])
    can_screen = isinstance(candidates, AllPairs) and isinstance(scorer.observed, Graph)
    if text == "screened":
        if not can_screen:
            raise InputError(
                "a screened ranking is one of all pairs of a graph; rank other candidates with 'exact', or leave them "
                "out."
            )
        return Search("screened", "it was asked for")
    if text == "exact":
        return Search("exact", "it was asked for")
    if not can_screen:
        return Search("exact", "only all pairs of a graph are screened")
    num_queries = candidates.num_queries or 0
    if num_queries > scorer.quick:
        return Search(
            "screened",
            f"there are {num_queries:,} candidates, more than {scorer.quick:,.0f}, and a screen is faster; 'exact' "
            "scores all of them",
        )
    return Search("exact", f"scoring all {num_queries:,} candidates is fast")


def search_missing_links(
    scorer: Scorer,
    observed: Observed,
    k: int,
    *,
    method: str = AUTO,
    candidates: Candidates,
    seed: int = 0,
    engine: Engine | None = None,
    on_choice: Callable[[Search], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[Queries, Scores, Search]:
    """The best candidates, and how they were found; see :func:`choose_method`.

    Args:
        scorer: A scorer of the graph.
        observed: The observed graph.
        k: Number of queries.
        method: ``exact``, ``screened`` or ``auto``.
        candidates: The queries to rank.
        seed: Seed of a screen.
        engine: The engine; by default inline.
        on_choice: Called with the method before the work starts.
        on_progress: Called with the finished work and the total work.
    """
    search = choose_method(method, scorer, candidates)
    if on_choice is not None:
        on_choice(search)
    if search.method == "exact":
        found = find_best(scorer, observed, k, candidates=candidates, engine=engine, on_progress=on_progress)
        return found.queries, found.scores, replace(search, num_left_out=found.num_left_out)
    from linkwl.predict.screening import screen_missing_links  # it imports torch

    assert isinstance(observed, Graph)
    screened = screen_missing_links(scorer, observed, k, seed=seed, engine=engine, on_progress=on_progress)
    return screened.queries, screened.scores, Search(search.method, search.reason, screened.screening)
