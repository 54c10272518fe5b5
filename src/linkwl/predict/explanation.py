"""What the explanations of pairs and of triples have in common: parts that add up to a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from linkwl.graph import Observed
from linkwl.predict.explanation_view import ExplanationView

MOST_PATHS = 8
"""Number of paths that an explanation lists by default."""
MOST_TRIED = 24
"""Number of paths that are cut, each alone, to find the most important ones."""

Path = TypeVar("Path", bound=Hashable)
Fact = TypeVar("Fact", bound=Hashable)


@dataclass(frozen=True)
class PathPart(ABC):
    """A path between the two nodes."""

    nodes: tuple[int, ...]
    """From one end to the other."""
    contribution: float
    """The drop of the score when it is cut, averaged over two orders: after the more important paths, and before."""
    score_without: float
    """The score when only this path is cut."""

    @property
    @abstractmethod
    def cut(self) -> tuple[tuple[int, ...], ...]:
        """What is removed to cut the path."""


@dataclass(frozen=True)
class Explanation(ExplanationView, ABC):
    """The parts of a score; paths, other paths and nodes add up to the score."""

    query: tuple[int, ...]
    """Two nodes, or a head, a relation and a tail."""
    is_link: bool
    """Whether the query is observed; then it is removed before it is explained."""
    score: float
    paths: tuple[PathPart, ...]
    """The contributions of short paths, the most important first."""
    other_paths: float
    """The total contribution of all other short paths."""
    nodes: float
    """The contribution of the nodes themselves."""

    @property
    def pair(self) -> tuple[int, int]:
        """The two nodes."""
        return self.query[0], self.query[-1]

    @abstractmethod
    def to_json(self, graph: Any) -> dict[str, Any]:
        """The parts as values for JSON, with names."""

    @abstractmethod
    def to_text(self, graph: Any) -> str:
        """The parts in words."""


class CutScore(Generic[Fact]):
    """Scores a query on the graph without some facts, and reports the progress.

    Args:
        score: The score without these facts.
        total: The number of scores that will be asked for.
        on_progress: Called with the number of scores computed so far, and the total number.
    """

    def __init__(
        self, score: Callable[[set[Fact]], float], total: int, on_progress: Callable[[int, int], None] | None
    ) -> None:
        self._score, self._total, self._on_progress, self._done = score, total, on_progress, 0

    def __call__(self, cut: set[Fact]) -> float:
        """The score without the facts."""
        value = self._score(cut)
        self._done += 1
        if self._on_progress is not None:
            self._on_progress(self._done, self._total)
        return value


class PathDrops(NamedTuple, Generic[Path]):
    """What the score loses by cutting paths."""

    whole: float
    """The score of the whole graph."""
    alone: Mapping[Path, float]
    """The score without each path alone."""
    drops: Mapping[Path, float]
    """The contribution of the paths that lower the score most, the most important first."""
    rest: float
    """The score when all of these are cut."""


def drop_paths(cuts: Mapping[Path, Sequence[Fact]], score: CutScore[Fact], most: int) -> PathDrops[Path]:
    """Cuts each path alone, then the most important ones one after the other.

    The latter is done once from the first to the last and once from the last to the first: the contribution of a path
    is the drop of the score, averaged over both orders. So contributions and rest add up to the score of the whole
    graph.

    Args:
        cuts: The facts to remove for each path.
        score: Gives the score without some facts; asked ``len(cuts) + 2 * min(most, len(cuts)) + 1`` times.
        most: Number of paths to cut one after the other.
    """
    whole = score(set())
    alone = {path: score(set(cut)) for path, cut in cuts.items()}
    chosen = sorted(cuts, key=lambda path: alone[path])[:most]
    drops = dict.fromkeys(chosen, 0.0)
    rest = whole
    for order in (chosen, chosen[::-1]):
        before, gone = whole, set[Fact]()
        for path in order:
            gone |= set(cuts[path])
            rest = score(gone)
            drops[path] += (before - rest) / 2
            before = rest
    ranked = sorted(chosen, key=lambda path: -drops[path])
    return PathDrops(whole, alone, {path: drops[path] for path in ranked}, rest)


def names_of(graph: Observed, nodes: Sequence[int]) -> list[Any]:
    """The names of nodes."""
    return [graph.ids[int(node)] for node in nodes]


def count_text(number: int, what: str) -> str:
    """A number and what it counts: ``2 links``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
