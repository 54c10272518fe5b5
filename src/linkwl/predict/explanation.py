"""What the explanations of pairs and of triples have in common: parts that add up to a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from linkwl.graph import Observed
from linkwl.predict.contributions import Coalition, Contributions, num_scores, share_out, share_sum
from linkwl.predict.explanation_view import ExplanationView

Effect: TypeAlias = Literal["raises", "lowers", "unclear"]
"""What a group does to the score; ``unclear`` if its part and its removal disagree, or its part is within its error."""


class AnyGroup(Protocol):
    """A group of evidence."""

    @property
    def is_background(self) -> bool:
        """Whether it belongs to one of the nodes and not to both: its other links, and whatever lies farther away."""


@dataclass(frozen=True)
class Part:
    """The contribution of a group of evidence to a score."""

    group: Any
    contribution: float
    """What it adds to the score, averaged over all orders of adding the groups one after the other."""
    error: float
    """The standard error of the contribution; 0 if all combinations of groups were scored."""
    score_without: float
    """The score if only this group is removed."""
    drop: float
    """The score minus that."""

    @property
    def effect(self) -> Effect:
        """Whether the group raises or lowers the score, by its part and by its removal."""
        if abs(self.contribution) <= self.error or self.contribution * self.drop < 0:
            return "unclear"
        return "raises" if self.contribution > 0 else "lowers"

    def to_json(self) -> dict[str, Any]:
        """The numbers as values for JSON."""
        return {
            "contribution": self.contribution,
            "error": self.error,
            "score_without": self.score_without,
            "effect": self.effect,
        }

    @property
    def note(self) -> str:
        """Why the effect is unclear, in words; empty if it is clear."""
        if self.contribution * self.drop < 0:
            return "acts only together with other groups"
        return "smaller than its error" if 0 < abs(self.contribution) <= self.error else ""


@dataclass(frozen=True)
class Explanation(ExplanationView, ABC):
    """The parts of a score; the baseline and the parts add up to the score."""

    query: tuple[int, ...]
    """Two nodes, or a head, a relation and a tail."""
    is_link: bool
    """Whether the query is observed; then it is removed before it is explained."""
    score: float
    baseline: float
    """The score when all groups are removed."""
    parts: tuple[Part, ...]
    """The groups that change the score: what joins the two nodes, the largest part first; then each node by itself."""
    num_scores: int
    """Number of scores that the model computed."""

    @property
    def pair(self) -> tuple[int, int]:
        """The two nodes."""
        return self.query[0], self.query[-1]

    @property
    def share(self) -> float:
        """How much of all parts, regardless of sign, belongs to groups that join the two nodes or compare them.

        The rest belongs to what only one of them has: its other links, and whatever lies farther away. 1 without parts.
        """
        total = sum(abs(part.contribution) for part in self.parts)
        own = sum(abs(part.contribution) for part in self.parts if part.group.is_background)
        return 1.0 - own / total if total else 1.0

    @property
    def has_errors(self) -> bool:
        """Whether the parts are estimates."""
        return any(part.error > 0 for part in self.parts)

    def number_text(self, value: float) -> str:
        """A score, with three decimals unless all scores are small."""
        values = [self.score, self.baseline, *(part.contribution for part in self.parts)]
        return f"{value:.3f}" if max(map(abs, values)) >= 0.1 or not any(values) else f"{value:.2e}"

    def part_text(self, part: Part, what: str) -> str:
        """A part and what it belongs to, in a line."""
        error = f" ± {self.number_text(part.error)}" if self.has_errors else ""
        note = f"; {part.note}" * bool(part.note)
        without = self.number_text(part.score_without)
        return f"  {self.signed_text(part.contribution)}{error}  {what}  (without: {without}{note})"

    def summary_text(self) -> list[str]:
        """The last lines of a text: the baseline, and how much is explained."""
        baseline = f"  {self.signed_text(self.baseline)}  "
        if not self.parts:
            return [f"{baseline}nothing that could be removed changes the score"]
        return [
            f"{baseline}baseline: the score without all of this",
            f"  What joins the two or compares them explains {self.share:.0%} of the parts.",
        ]

    def signed_text(self, value: float) -> str:
        """A score with its sign, in the width of a column."""
        return f"{'-' if value < 0 else '+'}{self.number_text(abs(value))}".rjust(8)

    @abstractmethod
    def group_text(self, graph: Any, group: Any) -> str:
        """A group of evidence in words."""

    @abstractmethod
    def to_json(self, graph: Any) -> dict[str, Any]:
        """The parts as values for JSON, with names."""

    @abstractmethod
    def to_text(self, graph: Any) -> str:
        """The parts in words."""


class GroupScores:
    """Scores a query with some groups of evidence present; every combination once, with progress.

    Args:
        score: The score with these groups.
        on_progress: Called with the number of scores computed so far, and the total number.
    """

    def __init__(self, score: Callable[[Coalition], float], on_progress: Callable[[int, int], None] | None) -> None:
        self._score, self._on_progress = score, on_progress
        self.done, self._total = 0, 0

    def __call__(self, present: Coalition) -> float:
        """The score with these groups."""
        value = self._score(present)
        self.done += 1
        if self._on_progress is not None:
            self._on_progress(self.done, self._total)
        return value

    def share(self, num_groups: int, *, is_sum: bool, budget: int, seed: int) -> Contributions:
        """The contributions of the groups."""
        if is_sum:
            self._total = num_groups + 2
            return share_sum(self, num_groups)
        self._total = num_scores(num_groups, budget)
        return share_out(self, num_groups, budget=budget, seed=seed)


def make_parts(groups: Sequence[AnyGroup], found: Contributions) -> tuple[Part, ...]:
    """The parts of the groups that change the score, in the order of :attr:`Explanation.parts`."""
    columns = zip(groups, found.parts, found.errors, found.without, strict=True)
    parts = [Part(group, part, error, rest, found.score - rest) for group, part, error, rest in columns]
    parts = [part for part in parts if part.contribution or part.error or part.drop]
    return tuple(sorted(parts, key=lambda part: (part.group.is_background, -abs(part.contribution))))


def names_of(graph: Observed, nodes: Sequence[int]) -> list[Any]:
    """The names of nodes."""
    return [graph.ids[int(node)] for node in nodes]


def count_text(number: int, what: str) -> str:
    """A number and what it counts: ``2 links``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
