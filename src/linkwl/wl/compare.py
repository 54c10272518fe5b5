"""Checks for every test whether it distinguishes two links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from linkwl.graph import Graph
from linkwl.wl.case import Case, Link, build_cases, split_targets
from linkwl.wl.engine import TESTS, check_fits, start
from linkwl.wl.labels import Labels
from linkwl.wl.refinement import Refinement, until_stable


@dataclass(frozen=True)
class Verdict:
    """Whether two links are equal under a test and, if not, the first round that separates them."""

    equal: bool
    round: int | None
    error_bound: float = field(default=0.0, repr=False, compare=False)
    """Probability that links reported equal are different; links reported different always are."""


def compare(
    first: tuple[Graph, Link],
    second: tuple[Graph, Link],
    tests: str | Sequence[str] = TESTS,
    *,
    labels: tuple[Labels | None, Labels | None] = (None, None),
    reading: str = "removed",
    engine: str = "fast",
    memory_limit: float | None = None,
    on_test: Callable[[str], None] | None = None,
) -> dict[str, Verdict]:
    """The verdict of each test on two links, in one graph or in two.

    Links are ordered: (p, q) and (q, p) may differ. Round 0 compares the initial colours. A target that is an edge
    would leak its own answer, so there are three readings of what a test may see of it:

    - ``removed`` removes each link's own edge from its graph. Nothing leaks; link prediction does the same.
    - ``masked`` keeps the edge and blanks only the link's own colour, as the paper's proofs do. The edge still counts
      in the degrees of its ends, and the Folklore tests recover it at once: through u = p a link hears its own pair.
    - ``visible`` hides nothing: the pair tests see from the start whether a link is an edge.

    Args:
        first: An undirected graph and an ordered pair of different nodes, by index.
        second: The same for the other link; the same graph object if both lie in one graph.
        tests: A name from :data:`linkwl.wl.TESTS`, or several.
        labels: Node labels of the two graphs; give both or neither.
        reading: ``removed``, ``masked`` or ``visible``.
        engine: ``fast``, or ``exact`` for dictionaries instead of hashing (small graphs).
        memory_limit: Limit in bytes; by default the free memory.
        on_test: Called with the name of every test before it runs.

    Raises:
        InputError: If a graph is directed, a link joins a node to itself or the labels do not fit.
        MemoryLimitError: If one of the tests would not fit into memory; then none is run.

    Example:
        >>> path = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], num_nodes=6)
        >>> compare((path, (0, 2)), (path, (0, 3)), tests=["2-wl", "2-fwl"])
        {'2-wl': Verdict(equal=True, round=None), '2-fwl': Verdict(equal=False, round=1)}
    """
    whole = build_cases([first[0], second[0]], list(labels))
    cases = [
        split_targets(case, np.array([link]), reading)[0][0]
        for case, (_, link) in zip(whole, (first, second), strict=True)
    ]
    merged = _merge(*cases)
    requested = [tests] if isinstance(tests, str) else list(dict.fromkeys(tests))
    for test in requested:
        check_fits(test, merged, engine=engine, memory_limit=memory_limit)
    verdicts = {}
    for test in requested:
        if on_test is not None:
            on_test(test)
        refinement = start(test, merged, engine=engine, memory_limit=memory_limit)
        verdicts[test] = _verdict(refinement, masked=reading == "masked")
    return verdicts


def _merge(first: Case, second: Case) -> list[Case]:
    """One case with both links if they see the same graph."""
    if first.graph is not second.graph or not np.array_equal(first.labels, second.labels):
        return [first, second]
    links = np.concatenate([first.links, second.links])
    return [replace(first, links=links, is_edge=np.concatenate([first.is_edge, second.is_edge]))]


def _verdict(refinement: Refinement, masked: bool) -> Verdict:
    bound = 0.0
    for _ in until_stable(refinement):
        bound += refinement.error_bound
        if _differ(refinement, masked):
            return Verdict(equal=False, round=refinement.round)
    if masked and _differ(refinement, masked):  # a masked link hears colours of the previous round
        return Verdict(equal=False, round=refinement.round)
    return Verdict(equal=True, round=None, error_bound=bound)


def _differ(refinement: Refinement, masked: bool) -> bool:
    colours = [colour for i in range(len(refinement.cases)) for colour in refinement.links(i, masked=masked)]
    return bool(colours[0] != colours[1])
