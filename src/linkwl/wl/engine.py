"""The tests by name, in two engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from linkwl.errors import UnknownNameError
from linkwl.memory import available_memory, check_memory
from linkwl.wl.case import Case
from linkwl.wl.exact import EXACT
from linkwl.wl.labelled import DRNLOneWL, ZeroOneOneWL
from linkwl.wl.local_two_fwl import LocalTwoFWL
from linkwl.wl.local_two_wl import LocalTwoWL
from linkwl.wl.one_wl import OneWL
from linkwl.wl.refinement import Refinement
from linkwl.wl.two_fwl import TwoFWL
from linkwl.wl.two_wl import TwoWL

FAST: dict[str, type[Refinement]] = {
    test.id: test for test in (OneWL, LocalTwoWL, TwoWL, LocalTwoFWL, TwoFWL, ZeroOneOneWL, DRNLOneWL)
}
ENGINES: dict[str, Mapping[str, type[Refinement]]] = {"fast": FAST, "exact": EXACT}
TESTS = tuple(FAST)
"""The names of the tests."""


def start(test: str, cases: Sequence[Case], *, engine: str = "fast", memory_limit: float | None = None) -> Refinement:
    """A test at round 0.

    Raises:
        UnknownNameError: If there is no such test or engine.
        MemoryLimitError: If it would not fit into memory; nothing large has been made then.
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
    remedy = _remedy(test, cases, engine, memory_limit)
    check_memory(refinement.memory(cases), what, remedy, limit=memory_limit)
    return refinement(cases)


def _remedy(test: str, cases: Sequence[Case], engine: str, memory_limit: float | None) -> str:
    """What to do where a test does not fit."""
    if engine == "exact":
        return "use the fast engine, or a smaller graph"
    if FAST[test].unit == "link":
        return "ask about fewer links at a time"
    free = available_memory() if memory_limit is None else memory_limit
    local = LocalTwoFWL.memory(cases)
    if test == "2-fwl" and (free is None or local <= free):
        return f"use local-2-fwl, which takes {local / 1e9:.2g} GB"
    return "use local-2-wl or 2-wl, which need no n x n array, or a smaller graph"
