"""Refines whole graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.wl.case import Case, build_cases
from linkwl.wl.colouring import Colouring, NodeColouring, PairColouring
from linkwl.wl.distinct import number_classes
from linkwl.wl.engine import FAST, start
from linkwl.wl.labels import Labels
from linkwl.wl.refinement import until_stable

OnRound = Callable[[int, int], None]
"""Called after every round with its number and the number of classes, summed over the graphs."""


def refine(
    graph: Graph,
    test: str,
    *,
    labels: Labels | None = None,
    engine: str = "fast",
    memory_limit: float | None = None,
    on_round: OnRound | None = None,
) -> Colouring:
    """The stable colouring of a graph.

    Args:
        graph: An undirected graph; all of its edges are visible.
        test: One of :data:`linkwl.wl.TESTS`.
        labels: One label per node, if the nodes have labels.
        engine: ``fast``, or ``exact`` for dictionaries instead of hashing (small graphs).
        memory_limit: Limit in bytes; by default the free memory.
        on_round: Called after every round with its number and the number of classes.

    Raises:
        InputError: If the graph is directed or the labels do not fit.
        MemoryLimitError: If it would not fit into memory.

    Example:
        >>> path = Graph.from_pairs([(0, 1), (1, 2), (2, 3)], num_nodes=4)
        >>> colouring = refine(path, "1-wl")
        >>> colouring.nodes.tolist(), colouring.rounds
        ([0, 1, 1, 0], 1)
        >>> refine(path, "2-fwl").pairs([(0, 2), (1, 3), (3, 1)]).tolist()
        [2, 7, 2]
    """
    return refine_all([graph], test, labels=[labels], engine=engine, memory_limit=memory_limit, on_round=on_round)[0]


def refine_all(
    graphs: Sequence[Graph],
    test: str,
    *,
    labels: Sequence[Labels | None] | None = None,
    engine: str = "fast",
    memory_limit: float | None = None,
    on_round: OnRound | None = None,
) -> list[Colouring]:
    """The stable colourings of several graphs refined together, so that their colours are comparable.

    The arguments are those of :func:`refine`, with one entry of ``labels`` per graph.
    """
    cases = build_cases(graphs, [None] * len(graphs) if labels is None else labels)
    if test in FAST and FAST[test].unit == "link":
        cases = [_with_all_links(case, test, memory_limit) for case in cases]
    refinement = start(test, cases, engine=engine, memory_limit=memory_limit)
    history: list[list[int]] = [[] for _ in cases]
    bound = 0.0
    for number, _ in enumerate(until_stable(refinement)):
        bound += refinement.error_bound
        for i, counts in enumerate(history):
            counts.append(refinement.count(i))
        if on_round is not None:
            on_round(number, sum(counts[-1] for counts in history))
    if refinement.unit != "link" and refinement.num_classes == refinement.num_coloured:
        bound = 0.0  # every unit already has a colour of its own
    facts = [
        (test, refinement.unit, case.graph, case.labels, tuple(counts), bound)
        for case, counts in zip(cases, history, strict=True)
    ]
    which, num_classes = range(len(cases)), refinement.num_classes
    if refinement.unit == "link":
        links = number_classes([refinement.links(i) for i in which])
        matrices = [_scatter(case, colours) for case, colours in zip(cases, links, strict=True)]
        return [PairColouring(*own, matrix) for own, matrix in zip(facts, matrices, strict=True)]
    if refinement.keeps_pairs:
        words = [refinement.matrix(i) for i in which]
        del refinement  # frees its scratch arrays
        matrices = number_classes(words, num_classes=num_classes, overwrite=True)
        return [PairColouring(*own, matrix) for own, matrix in zip(facts, matrices, strict=True)]
    nodes = number_classes([refinement.nodes(i) for i in which], num_classes=num_classes)
    num_colours = 1 + max((int(colours.max(initial=0)) for colours in nodes), default=0)
    return [NodeColouring(*own, colours, num_colours) for own, colours in zip(facts, nodes, strict=True)]


def _with_all_links(case: Case, test: str, memory_limit: float | None) -> Case:
    """The case with every ordered pair of different nodes as a link, if the runs fit into memory."""
    n = case.graph.num_nodes
    remedy = "compare only some of them with `linkwl.wl.partition`"
    check_memory(24.0 * n**3, f"{test} on all links of {n} nodes", remedy, limit=memory_limit)
    p, q = np.nonzero(~np.eye(n, dtype=np.bool_))
    links = np.stack([p, q], axis=1).astype(np.int32)
    return replace(case, links=links, is_edge=case.graph.has_edges(links))


def _scatter(case: Case, colours: np.ndarray) -> np.ndarray:
    matrix = np.full((case.graph.num_nodes,) * 2, -1, dtype=np.int64)
    matrix[tuple(case.links.T)] = colours
    return matrix
