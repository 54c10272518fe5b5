"""Leaves out triples that would give a head a second tail, or a tail a second head, where the data have only one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.graph.functional import FunctionalRelations
from linkwl.models import Scorer
from linkwl.predict.candidates import Candidates, Part, Scored
from linkwl.predict.question import Question
from linkwl.typing import BoolArray, Queries

SecondValues: TypeAlias = Literal["auto", "drop", "keep"]
"""What becomes of triples that would be a second value: left out unless they are asked for, left out, or ranked."""


class FirstValues(Candidates):
    """Candidates without those that would be a second value of a functional relation.

    Args:
        candidates: Triples.
        functional: The relations with one tail for each head, or one head for each tail.
    """

    def __init__(self, candidates: Candidates, functional: FunctionalRelations) -> None:
        self._candidates, self._functional = candidates, functional
        self.total, self.step = candidates.total, candidates.step
        self.num_queries, self.most = candidates.num_queries, candidates.most

    def scored(self, scorer: Scorer, part: Part) -> Iterator[Scored]:
        """The blocks of the candidates; second values get minus infinity."""
        for block in self._candidates.scored(scorer, part):
            places = np.flatnonzero(block.scores > -np.inf)
            queries = block.queries(places)
            is_second = self._functional.second_tails(queries) | self._functional.second_heads(queries)
            scores = block.scores.copy()
            scores[places[is_second]] = -np.inf
            yield Scored(scores, block.queries, int(np.count_nonzero(is_second)))


@dataclass(frozen=True, eq=False)
class Functional:
    """The functional relations of a ranking's graph, and what became of second values."""

    relations: FunctionalRelations
    is_second: BoolArray
    """Whether each ranked triple would be a second value."""
    num_left_out: int = 0
    """Number of candidates that were left out."""

    def rows(self, rows: slice) -> Functional:
        """The same for some rows of the ranking."""
        return replace(self, is_second=self.is_second[rows])

    def to_text(self) -> str:
        """A sentence about what was left out, and one about what the ranking contains, as far as there is either."""
        known = f"in the data {self.relations.to_text()}"
        sentences = []
        if self.num_left_out:
            are = (
                "1 triple that would be a second value was"
                if self.num_left_out == 1
                else (f"{self.num_left_out:,} triples that would be second values were")
            )
            sentences.append(f"{are} left out: {known}.")
        if count := int(np.count_nonzero(self.is_second)):
            would = "1 triple would be a second value" if count == 1 else f"{count:,} triples would be second values"
            sentences.append(f"{would}, and wrong if the data are right: {known}.")
        return " ".join(sentences)

    def to_json(self) -> dict[str, Any]:
        """The values for JSON."""
        return self.relations.to_json() | {"left_out": self.num_left_out}


def left_out(choice: str, observed: Observed, question: Question) -> FunctionalRelations | None:
    """The functional relations whose second values are left out of the answers to a question; None for none.

    By default they are left out. But a question that gives a relation and an end that has its only value is one for
    second values, and they are ranked.

    Args:
        choice: ``auto`` for this, ``drop`` or ``keep``.
        observed: The graph.
        question: The question.

    Raises:
        InputError: If the choice is unknown.
    """
    if choice not in get_args(SecondValues):
        raise UnknownNameError("choice of second values", choice, get_args(SecondValues))
    if not isinstance(observed, KnowledgeGraph):
        if choice != "auto":
            raise InputError(f"{observed.name} is a graph of pairs, and second values are facts; leave {choice!r} out.")
        return None
    if choice == "keep" or not observed.functional:
        return None
    if choice == "auto" and question.relation is not None and (question.head is None) != (question.tail is None):
        functional, relation = observed.functional, observed.relations.indices([question.relation])[0]
        given = question.tail if question.head is None else question.head
        assert given is not None
        end = observed.ids.indices([given])[0]
        asked = np.array([(end, relation, end)])
        is_taken = functional.second_tails if question.tail is None else functional.second_heads
        if is_taken(asked)[0]:
            return None
    return observed.functional


def describe_second(observed: Observed, queries: Queries, num_left_out: int = 0) -> Functional | None:
    """What there is to say about second values in a ranking; None if the graph has no functional relations."""
    if not isinstance(observed, KnowledgeGraph) or not observed.functional:
        return None
    is_second = observed.functional.second_tails(queries) | observed.functional.second_heads(queries)
    return Functional(observed.functional, is_second & ~observed.contains(queries), num_left_out)
