"""Whether the edges of a source have directions: as asked, as declared, or by reciprocity."""

from __future__ import annotations

from collections.abc import Callable

from linkwl.graph.column_words import suggest_direction
from linkwl.graph.graph import Graph
from linkwl.graph.reading import Choice

_FEWEST_EDGES = 10
"""Fewer edges say nothing about directions."""
_BOTH_WAYS = 0.95
"""The least share of edges listed both ways in a file that lists undirected edges twice."""
_FEW = 0.02
"""Up to this share, edges that are listed both ways are copies like any other, and not worth a remark."""


def build_directed(
    build: Callable[[bool], Graph],
    asked: Choice,
    *,
    declared: bool | None = None,
    reason: str = "",
    names: tuple[str, str] | None = None,
) -> Graph:
    """The graph with directions or without, and a note on what was decided, or on directions that are not used.

    Args:
        build: Builds the graph, with directions or without.
        asked: Whether directions are wanted.
        declared: Whether the source declares directions, if it declares anything.
        reason: How it declares that, for the note.
        names: The names of the columns of the ends, if they have names.
    """
    if asked == "auto":
        return _by_reciprocity(build, names)
    if asked is not None or declared is not None:
        graph = build(bool(declared if asked is None else asked))
        if asked is None:
            return graph.noted(f"{'directed' if declared else 'undirected'}, as {reason}") if reason else graph
        if declared and not asked:
            return graph.noted("directions dropped, as requested")
        return graph
    graph = build(False)
    if suggest_direction(names):
        assert names is not None
        return graph.noted(f"directions from `{names[0]}` to `{names[1]}` not used: --directed keeps them")
    share = _reciprocity(graph)
    if _FEW < share < _BOTH_WAYS and graph.num_edges >= _FEWEST_EDGES:
        return graph.noted(
            f"{share:.0%} of the edges are listed both ways, as in a directed graph: --directed keeps directions"
        )
    return graph


def _by_reciprocity(build: Callable[[bool], Graph], names: tuple[str, str] | None) -> Graph:
    """Directed if some edges, but not nearly all, are listed both ways, or the names of the columns say so."""
    graph = build(False)
    share = _reciprocity(graph)
    found = f"{share:.0%} of the edges are listed both ways"
    if share >= _BOTH_WAYS:
        return graph.noted(f"undirected, because {found}")
    if share > 0:
        return build(True).noted(f"directed, because {found}")
    if suggest_direction(names):
        assert names is not None
        return build(True).noted(f"directed, because the columns are called `{names[0]}` and `{names[1]}`")
    return graph.noted("undirected, because no edge is listed both ways and nothing else speaks for directions")


def _reciprocity(graph: Graph) -> float:
    """The share of the edges of an undirected graph that its source lists in both directions."""
    assert graph.intake is not None
    return graph.intake.reversed_duplicates / max(graph.num_edges, 1)
