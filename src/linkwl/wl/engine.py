"""The tests by name, in two engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from linkwl.errors import UnknownNameError
from linkwl.memory import available_memory, check_memory, size_text
from linkwl.wl.case import Case
from linkwl.wl.exact import EXACT
from linkwl.wl.labelled import FastDRNL, FastZeroOne
from linkwl.wl.local_two_fwl import FastLocalTwoFWL
from linkwl.wl.local_two_wl import FastLocalTwoWL
from linkwl.wl.one_wl import FastOneWL
from linkwl.wl.refinement import Refinement
from linkwl.wl.two_fwl import FastTwoFWL
from linkwl.wl.two_wl import FastTwoWL

FAST: dict[str, type[Refinement]] = {
    test.id: test for test in (FastOneWL, FastLocalTwoWL, FastTwoWL, FastLocalTwoFWL, FastTwoFWL, FastZeroOne, FastDRNL)
}
ENGINES: dict[str, Mapping[str, type[Refinement]]] = {"fast": FAST, "exact": EXACT}
TESTS = tuple(FAST)
"""The names of the tests."""


def start(test: str, cases: Sequence[Case], *, engine: str = "fast", memory_limit: float | None = None) -> Refinement:
    """A test at round 0, after a check that it fits into memory."""
    check_fits(test, cases, engine=engine, memory_limit=memory_limit)
    return ENGINES[engine][test](cases)


def check_fits(test: str, cases: Sequence[Case], *, engine: str = "fast", memory_limit: float | None = None) -> None:
    """Checks the estimated memory of a test before anything large is allocated.

    Raises:
        UnknownNameError: If there is no such test or engine.
        MemoryLimitError: If it would not fit into memory.
    """
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    if test not in TESTS:
        raise UnknownNameError("test", test, TESTS)
    refinement = ENGINES[engine][test]
    nodes = max((case.graph.num_nodes for case in cases), default=0)
    what = f"{test} on {nodes} nodes"
    if refinement.unit == "link":
        what += f" and {sum(len(case.links) for case in cases)} links"
    elif len(cases) > 2:
        what += f" in {len(cases)} graphs"
    remedy = _remedy(test, cases, engine, memory_limit)
    check_memory(refinement.memory(cases), what, remedy, limit=memory_limit)


def _remedy(test: str, cases: Sequence[Case], engine: str, memory_limit: float | None) -> str:
    """What to do if a test does not fit into memory."""
    if engine == "exact":
        return "use the fast engine, or a smaller graph"
    if FAST[test].unit == "link":
        return "compare fewer links at a time with `linkwl.wl.partition`"
    if not FAST[test].keeps_pairs:
        return "use a smaller graph"
    if len(cases) > 2:
        return "compare fewer graphs at a time, and remove links that are edges together with `graph.without(links)`"
    free = available_memory() if memory_limit is None else memory_limit
    local = FastLocalTwoFWL.memory(cases)
    if test == "2-fwl" and (free is None or local <= free):
        return f"use local-2-fwl, which takes {size_text(local)}"
    return "use local-2-wl or 2-wl, which need no n x n array, or a smaller graph"
