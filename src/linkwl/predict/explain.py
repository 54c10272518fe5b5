"""Explains the score of a query by removing paths between its two nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from heapq import nsmallest
from itertools import pairwise
from typing import Any

import numpy as np

from linkwl.graph import Graph, Observed
from linkwl.models import LinkModel

MOST_PATHS = 8
_MOST_TRIED = 24


@dataclass(frozen=True)
class PathPart:
    """A path between the two nodes."""

    nodes: tuple[int, ...]
    """From one end to the other."""
    contribution: float
    """The drop of the score when it is cut, averaged over two orders: after the more important paths, and before."""
    score_without: float
    """The score when only this path is cut."""

    @property
    def cut(self) -> tuple[tuple[int, int], ...]:
        """The removed edges: both of two, the middle one of three, so that other paths at the same end stay intact."""
        return _cut_of(self.nodes)


@dataclass(frozen=True)
class NearLink:
    """An observed link of one node to a neighbour that is similar to the other node."""

    link: tuple[int, int]
    """The node, and its neighbour."""
    shared: int
    """Number of neighbours that this neighbour shares with the other node."""


@dataclass(frozen=True)
class Explanation:
    """The parts of a score; paths, other paths and nodes add up to the score."""

    query: tuple[int, ...]
    """Two nodes, or a head, a relation and a tail."""
    is_link: bool
    """Whether the query is observed; then it is removed before it is explained."""
    score: float
    paths: tuple[PathPart, ...]
    """The contributions of paths of two or three edges, the most important first."""
    other_paths: float
    """The total contribution of all other short paths."""
    nodes: float
    """The score when all paths of up to three edges are cut, at one end or at the other, averaged over both: the
    contribution of the nodes themselves. Cutting at an end also removes links of that node."""
    degrees: tuple[int, int]
    num_common: int
    """Number of common neighbours."""
    near_links: tuple[NearLink, ...]

    @property
    def pair(self) -> tuple[int, int]:
        """The two nodes."""
        return self.query[0], self.query[-1]

    def to_json(self, graph: Observed) -> dict[str, Any]:
        """The parts as values for JSON, with node names."""
        name = partial(_names, graph)
        values = asdict(self)
        key = "pair" if graph.task == "pairs" else "triple"
        values = {key: _query_names(graph, values.pop("query"))} | values
        values["paths"] = [
            asdict(part) | {"nodes": name(part.nodes), "cut": [name(edge) for edge in part.cut]} for part in self.paths
        ]
        values["near_links"] = [asdict(near) | {"link": name(near.link)} for near in self.near_links]
        values["degrees"] = list(self.degrees)
        return values

    def to_text(self, graph: Observed) -> str:
        """The parts in words."""
        p, q = map(str, _names(graph, self.pair))
        joint = " and " if graph.task == "pairs" else " - "
        what = joint.join(map(str, _query_names(graph, self.query)))
        lines = [
            f"{what}: score {self.score:.3f}" + " (an observed link, removed to explain it)" * self.is_link,
            f"  {p} has {_count(self.degrees[0], 'link')}, {q} has {self.degrees[1]}; they share "
            f"{_count(self.num_common, 'neighbour')}." + " The link itself is not counted." * self.is_link,
        ]
        if not self.paths:
            lines.append("  No path of two or three edges joins them.")
        for part in self.paths:
            way = " - ".join(map(str, _names(graph, part.nodes)))
            lines.append(f"  {part.contribution:+8.3f}  {way}  (without it alone: {part.score_without:.3f})")
        lines.append(f"  {self.other_paths:+8.3f}  all other paths of two or three edges")
        lines.append(f"  {self.nodes:+8.3f}  the two nodes themselves and everything farther away")
        for near in self.near_links:
            a, b = map(str, _names(graph, near.link))
            other = q if a == p else p
            lines.append(f"  {a} is linked with {b}, which shares {_count(near.shared, 'neighbour')} with {other}.")
        return "\n".join(lines)


def explain_query(
    model: LinkModel,
    observed: Observed,
    query: Sequence[int],
    *,
    most_paths: int = MOST_PATHS,
    on_progress: Callable[[int, int], None] | None = None,
) -> Explanation:
    """The contributions of the paths between the two nodes of a query to its score, under any model.

    Every number comes from scores of the model on the graph without some edges, so nothing is approximated. Paths of
    two and three edges are cut one by one, at most two dozen of them, short paths and paths through nodes with few
    neighbours first; those whose removal lowers the score most are reported. Then they are cut one after the other,
    once from the first to the last and once from the last to the first: the contribution of a path is the drop of the
    score, averaged over both orders. The parts add up to the score, and are the same for (p, q) and (q, p). Cutting an
    edge of a knowledge graph removes every fact that joins the two nodes.

    Args:
        model: The model.
        observed: The observed graph.
        query: Two different nodes, or a triple whose head and tail differ.
        most_paths: Number of paths to list separately.
        on_progress: Called with the number of scores computed so far, and the total number.
    """
    prepare = model.exact()
    indices = tuple(int(value) for value in observed.check_queries(np.array([query]))[0])
    p, q = indices[0], indices[-1]
    if p == q:
        raise ValueError(f"`query` must be about two different nodes, got {p} twice.")
    is_turned = observed.task == "pairs" and not observed.is_directed and p > q
    if is_turned:
        p, q = q, p
    fact = np.array([indices[::-1] if is_turned else indices], dtype=np.int32)
    is_link = bool(observed.contains(fact)[0])
    graph = observed.without(fact) if is_link else observed
    links = graph.links
    tried = short_paths(links, p, q, _MOST_TRIED)
    total = len(tried) + 2 * min(most_paths, len(tried)) + 3
    done = 0

    def score(edges: Iterable[tuple[int, int]]) -> float:
        nonlocal done
        gone = np.array(list(edges), dtype=np.int32).reshape(-1, 2)
        value = float(prepare(graph.cut(gone) if len(gone) else graph)(fact)[0])
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
    nodes = (score([*cut, *_ways_out(links, p, q)]) + score([*cut, *_ways_out(links, q, p)])) / 2
    ranked = sorted(chosen, key=lambda path: -falls[path])
    turn = -1 if is_turned else 1
    parts = [PathPart(path[::turn], falls[path], alone[path]) for path in ranked]
    p, q = indices[0], indices[-1]
    common = np.intersect1d(links.neighbours(p), links.neighbours(q))
    return Explanation(
        query=indices,
        is_link=is_link,
        score=whole,
        paths=tuple(parts),
        other_paths=rest - nodes,
        nodes=nodes,
        degrees=(int(links.degree[p]), int(links.degree[q])),
        num_common=len(common),
        near_links=(*_near_links(links, p, q), *_near_links(links, q, p)),
    )


def short_paths(graph: Graph, p: int, q: int, most: int | None = None) -> list[tuple[int, ...]]:
    """Paths of two edges, then of three; paths through nodes with few neighbours, the most informative, come first.

    Args:
        graph: The graph.
        p: One end.
        q: The other.
        most: Maximum number of paths; by default all.
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
    """The edges of a path that are removed to cut it."""
    edges = tuple(pairwise(path))
    return edges if len(edges) == 2 else edges[1:-1]


def _ways_out(graph: Graph, p: int, q: int) -> list[tuple[int, int]]:
    """The edges of p that start a path of up to three edges to q."""
    near = {q, *graph.neighbours(q).tolist()}
    return [
        (p, int(r)) for r in graph.neighbours(p) if r in near or not near.isdisjoint(set(graph.neighbours(r)) - {p})
    ]


def _near_links(graph: Graph, node: int, other: int, count: int = 2) -> list[NearLink]:
    """The links of a node whose other ends share most neighbours with another node, relative to their degrees."""
    ends = graph.neighbours(node)
    shared = np.array([len(np.intersect1d(graph.neighbours(r), graph.neighbours(other))) for r in ends], dtype=np.int64)
    alike = shared / np.sqrt(np.maximum(graph.degree[ends], 1))
    order = [k for k in np.argsort(-alike, kind="stable")[:count] if shared[k] > 0]
    return [NearLink((node, int(ends[k])), int(shared[k])) for k in order]


def _names(graph: Observed, nodes: tuple[int, ...]) -> list[Any]:
    return [graph.ids[int(node)] for node in nodes]


def _query_names(graph: Observed, query: tuple[int, ...]) -> list[Any]:
    return [names[value] for names, value in zip(graph.query_columns.values(), query, strict=True)]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
