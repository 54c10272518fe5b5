"""Partitions links into classes that a test cannot distinguish."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import IntArray, Pairs
from linkwl.wl.case import Link, build_cases, split_targets
from linkwl.wl.distinct import number_classes
from linkwl.wl.engine import start
from linkwl.wl.labels import Labels
from linkwl.wl.refinement import until_stable


def partition(
    graph: Graph,
    test: str,
    links: Pairs | Sequence[Link],
    *,
    labels: Labels | None = None,
    reading: str = "removed",
    engine: str = "fast",
    memory_limit: float | None = None,
) -> IntArray:
    """A class number for every link: two links have the same number iff the test cannot distinguish them.

    Classes are numbered in the order of first appearance. 2-WL and local 2-WL cost one run of 1-WL and a lookup per
    link. Under ``removed``, a link that is an edge is seen in the graph without that edge, which costs a separate run;
    to hide many edges at once, remove them first with ``graph.without(links)``.

    Args:
        graph: An undirected graph.
        test: One of :data:`linkwl.wl.TESTS`.
        links: Ordered pairs of different nodes, by index, shape ``(num_links, 2)``.
        labels: One label per node, if the nodes have labels.
        reading: How a link's own edge is treated; see :func:`linkwl.wl.compare`.
        engine: ``fast``, or ``exact`` for dictionaries instead of hashing (small graphs).
        memory_limit: Limit in bytes; by default the free memory.

    Raises:
        InputError: If the graph is directed, a link joins a node to itself or the labels do not fit.
        MemoryLimitError: If it would not fit into memory.

    Example:
        >>> path = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], num_nodes=6)
        >>> partition(path, "1-wl", [(0, 2), (0, 3), (5, 3)]).tolist()
        [0, 0, 0]
        >>> partition(path, "local-2-fwl", [(0, 2), (0, 3), (5, 3)]).tolist()
        [0, 1, 0]
    """
    return partition_all(
        [(graph, links)], test, labels=[labels], reading=reading, engine=engine, memory_limit=memory_limit
    )[0]


def partition_all(
    targets: Sequence[tuple[Graph, Pairs | Sequence[Link]]],
    test: str,
    *,
    labels: Sequence[Labels | None] | None = None,
    reading: str = "removed",
    engine: str = "fast",
    memory_limit: float | None = None,
) -> list[IntArray]:
    """Like :func:`partition`, for links in several graphs: class numbers agree across the graphs."""
    cases = build_cases([graph for graph, _ in targets], [None] * len(targets) if labels is None else labels)
    requested = [graph.check_pairs(np.asarray(links)) for graph, links in targets]
    owned = [
        (owner, part, places)
        for owner, (case, links) in enumerate(zip(cases, requested, strict=True))
        for part, places in split_targets(case, links, reading)
    ]
    refinement = start(test, [part for _, part, _ in owned], engine=engine, memory_limit=memory_limit)
    for _ in until_stable(refinement):
        pass
    colours = [np.empty(len(links), dtype=np.uint64) for links in requested]
    for i, (owner, _, places) in enumerate(owned):
        colours[owner][places] = refinement.links(i, masked=reading == "masked")
    return number_classes(colours) if colours else []
