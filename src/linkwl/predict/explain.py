"""Why a pair has its score: what it would be if paths between the two nodes were not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from heapq import nsmallest
from itertools import pairwise
from typing import Any

import numpy as np

from linkwl.graph import Graph
from linkwl.models.base import Scorer
from linkwl.typing import Pairs

MOST_PATHS = 8
_MOST_TRIED = 24


@dataclass(frozen=True)
class PathPart:
    """A path between the two nodes."""

    nodes: tuple[int, ...]
    """From one end to the other."""
    contribution: float
    """How far the score falls when it is cut, the mean of two orders: after those that matter more, and before them."""
    score_without: float
    """The score when it alone is cut."""

    @property
    def cut(self) -> tuple[tuple[int, int], ...]:
        """The edges that go: both of two, the middle one of three, so that paths which share an end stay whole."""
        return _cut_of(self.nodes)


@dataclass(frozen=True)
class NearLink:
    """An observed link of one node whose other end is much like the other node."""

    link: tuple[int, int]
    """The node, and its neighbour."""
    shared: int
    """How many neighbours the neighbour shares with the other node."""


@dataclass(frozen=True)
class Explanation:
    """The parts of a score; paths, other paths and nodes add up to it."""

    pair: tuple[int, int]
    is_link: bool
    """Whether the pair is an observed link; it is explained as if it were not there."""
    score: float
    paths: tuple[PathPart, ...]
    """What paths of two or three edges contribute, the one that matters most first."""
    other_paths: float
    """What all further short paths contribute together."""
    nodes: float
    """What is left when no path of up to three edges joins the two, all cut off at one end or at the other, the mean of
    both: what the nodes themselves tell. An end that is cut off has fewer links, too."""
    degrees: tuple[int, int]
    num_common: int
    """Neighbours that the two share."""
    near_links: tuple[NearLink, ...]

    def to_json(self, graph: Graph) -> dict[str, Any]:
        """The parts by the names of nodes, as values for JSON."""
        name = partial(_names, graph)
        values = asdict(self)
        values["pair"] = name(self.pair)
        values["paths"] = [
            asdict(part) | {"nodes": name(part.nodes), "cut": [name(edge) for edge in part.cut]} for part in self.paths
        ]
        values["near_links"] = [asdict(near) | {"link": name(near.link)} for near in self.near_links]
        values["degrees"] = list(self.degrees)
        return values

    def to_text(self, graph: Graph) -> str:
        """The parts in words."""
        p, q = map(str, _names(graph, self.pair))
        lines = [
            f"{p} and {q}: score {self.score:.3f}" + " (an observed link, taken out to explain it)" * self.is_link,
            f"  {p} has {_count(self.degrees[0], 'link')}, {q} has {self.degrees[1]}; they share "
            f"{_count(self.num_common, 'neighbour')}." + " The link itself is not counted." * self.is_link,
        ]
        if not self.paths:
            lines.append("  No path of two or three edges joins them.")
        for part in self.paths:
            way = " - ".join(map(str, _names(graph, part.nodes)))
            lines.append(f"  {part.contribution:+8.3f}  {way}  (without it alone: {part.score_without:.3f})")
        lines.append(f"  {self.other_paths:+8.3f}  all other paths of two or three edges")
        lines.append(f"  {self.nodes:+8.3f}  the two nodes themselves and all that is farther")
        for near in self.near_links:
            a, b = map(str, _names(graph, near.link))
            other = q if a == p else p
            lines.append(f"  {a} is linked with {b}, which shares {_count(near.shared, 'neighbour')} with {other}.")
        return "\n".join(lines)


def explain_pair(
    model: Scorer,
    observed: Graph,
    pair: tuple[int, int],
    *,
    most_paths: int = MOST_PATHS,
    on_progress: Callable[[int, int], None] | None = None,
) -> Explanation:
    """What paths between two nodes contribute to their score, under any model.

    Every number comes from scores of the model on the graph without some edges, so nothing is approximated. Paths of
    two and three edges are cut one by one, two dozen of them at most, the shorter first and those through nodes with
    few neighbours; those without which the score is lowest are told of. Then they are cut one after the other, once
    from the first to the last and once from the last to the first: what the score falls by at each, the mean of both,
    is its contribution. The parts add up to the score, and are the same for (p, q) and (q, p).

    Args:
        model: What scores.
        observed: The graph whose links are known.
        pair: Two different nodes.
        most_paths: How many paths are told apart.
        on_progress: Called with the number of scores found, and of all.
    """
    asked = tuple(int(node) for node in observed.check_pairs(np.array([pair]))[0])
    p, q = sorted(asked)
    if p == q:
        raise ValueError(f"`pair` must be two different nodes, got {p} twice.")
    is_link = bool(observed.has_edges(np.array([(p, q)]))[0])
    graph = observed.without(np.array([(p, q)])) if is_link else observed
    tried = short_paths(graph, p, q, _MOST_TRIED)
    total = len(tried) + 2 * min(most_paths, len(tried)) + 3
    done = 0

    def score(edges: Iterable[tuple[int, int]]) -> float:
        nonlocal done
        gone = np.array(list(edges), dtype=np.int32).reshape(-1, 2)
        value = float(model(graph.without(gone) if len(gone) else graph, np.array([(p, q)]))[0])
        done += 1
        if on_progress is not None:
            on_progress(done, total)
        return value

    whole = score([])
    alone = {path: score(_cut_of(path)) for path in tried}
    chosen = sorted(tried, key=lambda path: alone[path])[:most_paths]
    falls = dict.fromkeys(chosen, 0.0)
    rest = whole
    for order in (chosen, chosen[::-1]):
        before, gone = whole, set[tuple[int, int]]()
        for path in order:
            gone |= set(_cut_of(path))
            rest = score(gone)
            falls[path] += (before - rest) / 2
            before = rest
    cut = [edge for path in chosen for edge in _cut_of(path)]
    nodes = (score([*cut, *_ways_out(graph, p, q)]) + score([*cut, *_ways_out(graph, q, p)])) / 2
    ranked = sorted(chosen, key=lambda path: -falls[path])
    turn = 1 if asked == (p, q) else -1
    parts = [PathPart(path[::turn], falls[path], alone[path]) for path in ranked]
    p, q = asked
    common = np.intersect1d(graph.neighbours(p), graph.neighbours(q))
    return Explanation(
        pair=(p, q),
        is_link=is_link,
        score=whole,
        paths=tuple(parts),
        other_paths=rest - nodes,
        nodes=nodes,
        degrees=(int(graph.degree[p]), int(graph.degree[q])),
        num_common=len(common),
        near_links=(*_near_links(graph, p, q), *_near_links(graph, q, p)),
    )


def short_paths(graph: Graph, p: int, q: int, most: int | None = None) -> list[tuple[int, ...]]:
    """Paths of two edges, then of three, first those through nodes with few neighbours, which tell most.

    Args:
        graph: The graph.
        p: One end.
        q: The other.
        most: How many at most; all by default.
    """
    degree, of_p, of_q = graph.degree, graph.neighbours(p), graph.neighbours(q)
    two = sorted((int(degree[r]), (p, int(r), q)) for r in np.intersect1d(of_p, of_q))
    three = (
        (int(degree[r]) * int(degree[s]), (p, int(r), int(s), q))
        for r in of_p[of_p != q]
        for s in np.intersect1d(graph.neighbours(r), of_q)
        if s != p
    )
    wanted = None if most is None else max(most - len(two), 0)
    further = sorted(three) if wanted is None else nsmallest(wanted, three) if wanted else []
    return [path for _, path in [*two[:most], *further]]


def _cut_of(path: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The edges of a path that are taken out to cut it."""
    edges = tuple(pairwise(path))
    return edges if len(edges) == 2 else edges[1:-1]


def _ways_out(graph: Graph, p: int, q: int) -> list[tuple[int, int]]:
    """The edges of p that paths of up to three edges to q begin with."""
    near = {q, *graph.neighbours(q).tolist()}
    return [
        (p, int(r)) for r in graph.neighbours(p) if r in near or not near.isdisjoint(set(graph.neighbours(r)) - {p})
    ]


def _near_links(graph: Graph, node: int, other: int, count: int = 2) -> list[NearLink]:
    """The links of a node whose other ends share most neighbours with another one, for how many they have."""
    ends = graph.neighbours(node)
    shared = np.array([len(np.intersect1d(graph.neighbours(r), graph.neighbours(other))) for r in ends], dtype=np.int64)
    alike = shared / np.sqrt(np.maximum(graph.degree[ends], 1))
    order = [k for k in np.argsort(-alike, kind="stable")[:count] if shared[k] > 0]
    return [NearLink((node, int(ends[k])), int(shared[k])) for k in order]


def _names(graph: Graph, nodes: Pairs | tuple[int, ...]) -> list[Any]:
    return [graph.ids[int(node)] for node in nodes]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
