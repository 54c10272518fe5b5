"""The input of a test: graphs, their node labels and the links to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph import Graph
from linkwl.typing import BoolArray, IntArray, Pairs
from linkwl.wl.labels import Labels, shared_labels

Link: TypeAlias = tuple[int, int]
"""An ordered pair of different nodes, by index."""

READINGS = ("removed", "masked", "visible")
"""How a test treats a target that is an edge; see :func:`linkwl.wl.compare`."""


@dataclass(frozen=True, eq=False)
class Case:
    """A graph as a test sees it, and the links of it to compare."""

    graph: Graph
    labels: IntArray
    """One integer per node; equal numbers mean equal labels, in all cases of one run."""
    links: Pairs
    """Ordered pairs of different nodes, shape ``(num_links, 2)``; int32."""
    is_edge: BoolArray
    """Which links are edges of ``graph``."""


def build_cases(graphs: Sequence[Graph], labels: Sequence[Labels | None]) -> list[Case]:
    """Whole graphs, without links to compare.

    Raises:
        InputError: If a graph is directed, or labels do not fit their graph or each other.
    """
    for graph in graphs:
        _check_undirected(graph)
    no_links, none = np.empty((0, 2), dtype=np.int32), np.empty(0, dtype=np.bool_)
    return [Case(graph, own, no_links, none) for graph, own in zip(graphs, shared_labels(graphs, labels), strict=True)]


def split_targets(case: Case, links: Pairs, reading: str) -> list[tuple[Case, IntArray]]:
    """The case as each of the links sees it, with the positions of those links.

    Under ``removed``, links that are not edges share the graph; every other link gets the graph without its own edge.
    """
    graph = case.graph
    if reading not in READINGS:
        raise UnknownNameError("reading", reading, READINGS)
    links = graph.check_pairs(links)
    if (links[:, 0] == links[:, 1]).any():
        name = graph.ids[int(links[np.argmax(links[:, 0] == links[:, 1]), 0])]
        raise InputError(f"link ({name}, {name}) joins a node to itself; give a link two different ends.")
    is_edge = graph.has_edges(links)
    if reading != "removed" or not is_edge.any():
        return [(Case(graph, case.labels, links, is_edge), np.arange(len(links)))]
    apart = np.flatnonzero(~is_edge)
    parts: list[tuple[Case, IntArray]] = (
        [(Case(graph, case.labels, links[apart], is_edge[apart]), apart)] if len(apart) else []
    )
    for i in np.flatnonzero(is_edge):
        link = links[i : i + 1]
        parts.append((Case(graph.without(link), case.labels, link, np.zeros(1, dtype=np.bool_)), np.array([i])))
    return parts


def _check_undirected(graph: Graph) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(
            f"a graph must be a linkwl Graph, got {type(graph).__name__}; convert it with `linkwl.load_graph`."
        )
    if graph.is_directed:
        raise InputError(
            f"{graph.name} is directed, and the tests are defined for undirected graphs; load it with directed=False."
        )
