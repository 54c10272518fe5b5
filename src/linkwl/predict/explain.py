"""Explains the score of a query by removing paths between its two nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from heapq import nsmallest
from itertools import pairwise
from typing import Any

import numpy as np

from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.models import LinkModel
from linkwl.predict.explain_triple import explain_triple
from linkwl.predict.explanation import (
    MOST_PATHS,
    MOST_TRIED,
    CutScore,
    Explanation,
    PathPart,
    count_text,
    drop_paths,
    names_of,
)

Edge = tuple[int, int]


@dataclass(frozen=True)
class EdgePath(PathPart):
    """A path of two or three edges."""

    @property
    def cut(self) -> tuple[Edge, ...]:
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
class PairExplanation(Explanation):
    """The parts of the score of a pair.

    ``nodes`` is the score when all paths of up to three edges are cut, at one end or at the other, averaged over both.
    Cutting at an end also removes links of that node.
    """

    degrees: tuple[int, int]
    num_common: int
    """Number of common neighbours."""
    near_links: tuple[NearLink, ...]

    def to_json(self, graph: Observed) -> dict[str, Any]:
        """The parts as values for JSON, with node names."""
        name = partial(names_of, graph)
        values = asdict(self)
        values = {"pair": name(values.pop("query"))} | values
        values["paths"] = [
            asdict(part) | {"nodes": name(part.nodes), "cut": [name(edge) for edge in part.cut]} for part in self.paths
        ]
        values["near_links"] = [asdict(near) | {"link": name(near.link)} for near in self.near_links]
        values["degrees"] = list(self.degrees)
        return values

    def to_text(self, graph: Observed) -> str:
        """The parts in words."""
        p, q = map(str, names_of(graph, self.pair))
        lines = [
            f"{p} and {q}: score {self.score:.3f}" + " (an observed link, removed to explain it)" * self.is_link,
            f"  {p} has {count_text(self.degrees[0], 'link')}, {q} has {self.degrees[1]}; they share "
            f"{count_text(self.num_common, 'neighbour')}." + " The link itself is not counted." * self.is_link,
        ]
        if not self.paths:
            lines.append("  No path of two or three edges joins them.")
        for part in self.paths:
            way = " - ".join(map(str, names_of(graph, part.nodes)))
            lines.append(f"  {part.contribution:+8.3f}  {way}  (without it alone: {part.score_without:.3f})")
        lines.append(f"  {self.other_paths:+8.3f}  all other paths of two or three edges")
        lines.append(f"  {self.nodes:+8.3f}  the two nodes themselves and everything farther away")
        for near in self.near_links:
            a, b = map(str, names_of(graph, near.link))
            other = q if a == p else p
            lines.append(f"  {a} is linked with {b}, which shares {count_text(near.shared, 'neighbour')} with {other}.")
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
    score, averaged over both orders. The parts add up to the score, and are the same for (p, q) and (q, p). For triples
    see :func:`linkwl.predict.explain_triple.explain_triple`.

    Args:
        model: The model.
        observed: The observed graph.
        query: Two different nodes, or a triple whose head and tail differ.
        most_paths: Number of paths to list separately.
        on_progress: Called with the number of scores computed so far, and the total number.
    """
    indices = tuple(int(value) for value in observed.check_queries(np.array([query]))[0])
    if indices[0] == indices[-1]:
        raise ValueError(f"`query` must be about two different nodes, got {indices[0]} twice.")
    if isinstance(observed, KnowledgeGraph):
        return explain_triple(model, observed, indices, most_paths=most_paths, on_progress=on_progress)
    assert isinstance(observed, Graph)
    return _explain_pair(model, observed, indices, most_paths, on_progress)


def _explain_pair(
    model: LinkModel,
    observed: Graph,
    pair: tuple[int, ...],
    most_paths: int,
    on_progress: Callable[[int, int], None] | None,
) -> PairExplanation:
    observed = model.view(observed)
    prepare = model.exact()
    is_turned = not observed.is_directed and pair[0] > pair[1]
    p, q = pair[::-1] if is_turned else pair
    fact = np.array([(p, q)], dtype=np.int32)
    is_link = bool(observed.contains(fact)[0])
    graph = observed.without(fact) if is_link else observed
    links = graph.links

    def score_without(edges: set[Edge]) -> float:
        gone = np.array(sorted(edges), dtype=np.int32).reshape(-1, 2)
        return float(prepare(graph.cut(gone) if len(gone) else graph)(fact)[0])

    tried = {path: _cut_of(path) for path in short_paths(links, p, q, MOST_TRIED)}
    score = CutScore(score_without, len(tried) + 2 * min(most_paths, len(tried)) + 3, on_progress)
    whole, alone, drops, rest = drop_paths(tried, score, most_paths)
    cut = {edge for path in drops for edge in _cut_of(path)}
    nodes = (score(cut | _ways_out(links, p, q)) + score(cut | _ways_out(links, q, p))) / 2
    turn = -1 if is_turned else 1
    p, q = pair
    common = np.intersect1d(links.neighbours(p), links.neighbours(q))
    return PairExplanation(
        query=pair,
        is_link=is_link,
        score=whole,
        paths=tuple(EdgePath(path[::turn], drop, alone[path]) for path, drop in drops.items()),
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


def _cut_of(path: tuple[int, ...]) -> tuple[Edge, ...]:
    """The edges of a path that are removed to cut it."""
    edges = tuple(pairwise(path))
    return edges if len(edges) == 2 else edges[1:-1]


def _ways_out(graph: Graph, p: int, q: int) -> set[Edge]:
    """The edges of p that start a path of up to three edges to q."""
    near = {q, *graph.neighbours(q).tolist()}
    return {
        (p, int(r)) for r in graph.neighbours(p) if r in near or not near.isdisjoint(set(graph.neighbours(r)) - {p})
    }


def _near_links(graph: Graph, node: int, other: int, count: int = 2) -> list[NearLink]:
    """The links of a node whose other ends share most neighbours with another node, relative to their degrees."""
    ends = graph.neighbours(node)
    shared = np.array([len(np.intersect1d(graph.neighbours(r), graph.neighbours(other))) for r in ends], dtype=np.int64)
    alike = shared / np.sqrt(np.maximum(graph.degree[ends], 1))
    order = [k for k in np.argsort(-alike, kind="stable")[:count] if shared[k] > 0]
    return [NearLink((node, int(ends[k])), int(shared[k])) for k in order]
