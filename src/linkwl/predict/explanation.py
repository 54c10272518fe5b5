"""What the explanations of pairs and of triples have in common: parts that add up to a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from linkwl.graph import Observed
from linkwl.predict.contributions import Coalition, Contributions, num_scores, share_out, share_sum
from linkwl.predict.explanation_view import ExplanationView
from linkwl.predict.interplay import unite

_NOTABLE = 0.05
"""Numbers below this share of the largest contribution need no notes."""
_FAR = 4.0
"""A part and what its group adds on top of the others are far apart if their ratio is larger."""
_STANDS_IN = "listed together, because one stands in for the other"
_NEEDS = "listed together, because one counts little without the other"

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
    """The score minus that: what the group adds on top of all others."""
    interaction: float = 0.0
    """If several groups were united, how they act on each other: below 0 if they replace, above 0 if they need them."""
    scale: float = 0.0
    """The largest contribution of the explanation; much smaller ones need no notes."""

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
            "drop": self.drop,
            "effect": self.effect,
            "note": self.note,
            "interaction": self.interaction,
        }

    @property
    def note(self) -> str:
        """What to keep in mind about the two numbers, in words; empty if they tell the same."""
        if 0 < abs(self.contribution) <= self.error:
            return "smaller than its error"
        notes = []
        if self.interaction:
            notes.append(_STANDS_IN if self.interaction < 0 else _NEEDS)
        part, drop = abs(self.contribution), abs(self.drop)
        if max(part, drop) >= _NOTABLE * self.scale:
            if self.contribution * self.drop < 0:
                does = "raises" if self.contribution > 0 else "lowers"
                notes.append(f"{does} the score only where other evidence is missing")
            elif part > _FAR * drop:
                notes.append("other evidence can stand in for it")
            elif drop > _FAR * part:
                notes.append("counts mostly together with other evidence")
        return "; ".join(notes)


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
    """The groups that change the score, the largest part first."""
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

    def heading_text(self) -> str:
        """The headings of the columns of :meth:`part_text`."""
        return f"  {'average':>8}{' ' * self._error_width}  {'on top':>8}"

    def part_text(self, part: Part, what: str) -> str:
        """A line: the part, what the group adds on top of all others, and what it is."""
        error = f" ± {self.number_text(part.error)}".ljust(self._error_width) if self.has_errors else ""
        note = f"  ({part.note})" * bool(part.note)
        return f"  {self.signed_text(part.contribution)}{error}  {self.signed_text(part.drop)}  {what}{note}"

    def summary_text(self) -> list[str]:
        """The last lines of a text: the baseline, how much is explained, and what the columns are."""
        baseline = f"  {self.signed_text(self.baseline)}{' ' * self._error_width}  {'':8}  "
        if not self.parts:
            return [f"{baseline}nothing that could be removed changes the score"]
        return [
            f"{baseline}baseline: the score without all of this",
            f"  {self.share_text()}",
            "  average: what it adds to the score, over all orders of adding the groups; on top: after all others.",
        ]

    def share_text(self) -> str:
        """How much of the parts belongs to what joins the two nodes, in a sentence."""
        if not any(part.group.is_background for part in self.parts):
            return "All of it joins the two or compares them."
        return (
            f"What joins the two or compares them makes {self.share:.0%} of the parts, what each has by itself "
            f"{1 - self.share:.0%}."
        )

    @property
    def _error_width(self) -> int:
        return max(len(f" ± {self.number_text(part.error)}") for part in self.parts) if self.has_errors else 0

    def signed_text(self, value: float) -> str:
        """A score with its sign, in the width of a column."""
        return f"{'-' if value < 0 else '+'}{self.number_text(abs(value))}".rjust(8)

    @abstractmethod
    def group_text(self, graph: Any, group: Any) -> str:
        """A group of evidence in words."""

    @abstractmethod
    def to_json(self, graph: Any = None) -> dict[str, Any]:
        """The parts as values for JSON, with the names of the explanation's graph, or of another one."""

    @abstractmethod
    def to_text(self, graph: Any = None) -> str:
        """The parts in words, with the names of the explanation's graph, or of another one."""


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


def make_parts(
    groups: Sequence[AnyGroup], found: Contributions, unite_groups: Callable[[list[Any]], Any]
) -> tuple[Part, ...]:
    """The parts of the groups that change the score, in the order of :attr:`Explanation.parts`.

    Args:
        groups: The groups.
        found: Their contributions.
        unite_groups: Makes one group of several.
    """
    united = unite(found, [group.is_background for group in groups])
    members = [[groups[k] for k in numbers] for numbers in united.members]
    listed = [some[0] if len(some) == 1 else unite_groups(some) for some in members]
    found, scale = united.found, max(map(abs, united.found.parts), default=0.0)
    columns = zip(listed, found.parts, found.errors, found.without, united.interactions, strict=True)
    parts = [
        Part(group, part, error, rest, found.score - rest, effect, scale)
        for group, part, error, rest, effect in columns
    ]
    parts = [part for part in parts if part.contribution or part.error or part.drop]
    return tuple(sorted(parts, key=lambda part: (-abs(part.contribution), part.group.is_background)))


def names_of(graph: Observed, nodes: Sequence[int]) -> list[Any]:
    """The names of nodes."""
    return [graph.ids[int(node)] for node in nodes]


def count_text(number: int, what: str) -> str:
    """A number and what it counts: ``2 links``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
