from __future__ import annotations

import numpy as np
import pytest

from graphs import path_graph
from linkwl.errors import MemoryLimitError, UnknownNameError
from linkwl.graph import Graph
from linkwl.wl import engine as module
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.engine import ENGINES, FAST, TESTS, start

LARGE = build_cases([Graph.from_pairs([], 200_000)], [None])


def test_both_engines_know_the_same_tests():
    assert TESTS == ("1-wl", "local-2-wl", "2-wl", "local-2-fwl", "2-fwl", "1-wl+01", "1-wl+drnl")
    assert list(ENGINES) == ["fast", "exact"]
    assert all(tuple(engine) == TESTS for engine in ENGINES.values())


@pytest.mark.parametrize("test", TESTS)
def test_a_test_colours_the_same_things_in_both_engines(test):
    fast, exact = (engine[test] for engine in ENGINES.values())
    assert (fast.id, exact.id) == (test, test)
    assert fast.unit == exact.unit
    assert fast.__doc__


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("test", TESTS)
def test_a_test_starts_at_round_0(test, engine):
    [(case, _)] = split_targets(build_cases([path_graph()], [None])[0], [(0, 2), (0, 3)], "removed")
    refinement = start(test, [case], engine=engine)
    assert isinstance(refinement, ENGINES[engine][test])
    assert refinement.round == 0
    assert refinement.links(0)[0] == refinement.links(0)[1] or test == "1-wl+drnl"
    assert refinement.cases == [case]


def test_unknown_names_offer_known_ones():
    cases = build_cases([path_graph()], [None])
    with pytest.raises(UnknownNameError, match="unknown test '2-fw'.*2-fwl"):
        start("2-fw", cases)
    with pytest.raises(UnknownNameError, match="unknown engine 'quick'"):
        start("2-fwl", cases, engine="quick")
    with pytest.raises(UnknownNameError, match="unknown engine"):
        start("2-fw", cases, engine="quick")


def test_what_does_not_fit_is_refused_with_the_way_out():
    with pytest.raises(
        MemoryLimitError, match=r"^2-fwl on 200000 nodes takes about 1\.6 TB, and .* is free; use local-2-"
    ):
        start("2-fwl", LARGE)


@pytest.mark.parametrize(
    ("test", "limit", "remedy"),
    [
        ("2-fwl", 1.4e12, "use local-2-fwl, which takes "),
        ("2-fwl", 1e9, "use local-2-wl or 2-wl, which need no n x n array"),
        ("local-2-fwl", 1e9, "use local-2-wl or 2-wl, which need no n x n array"),
    ],
)
def test_a_smaller_test_is_offered_if_it_fits(test, limit, remedy):
    with pytest.raises(MemoryLimitError, match=remedy):
        start(test, LARGE, memory_limit=limit)


def test_the_remedy_follows_the_memory_that_is_free(monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 1.4e12)
    monkeypatch.setattr(module, "available_memory", lambda: 1.4e12)
    with pytest.raises(MemoryLimitError, match="use local-2-fwl"):
        start("2-fwl", LARGE)


@pytest.mark.parametrize("test", ["1-wl", "local-2-wl", "2-wl"])
def test_a_test_that_takes_least_is_not_offered_in_place_of_itself(test):
    with pytest.raises(MemoryLimitError, match="smaller graph") as caught:
        start(test, LARGE, memory_limit=1000)
    assert "n x n" not in str(caught.value)


@pytest.mark.parametrize("test", ["1-wl+01", "1-wl+drnl"])
def test_fewer_links_are_asked_for_where_each_takes_a_run(test):
    [(case, _)] = split_targets(LARGE[0], np.stack([np.zeros(10, int), np.arange(1, 11)], axis=1), "removed")
    with pytest.raises(MemoryLimitError, match=r"on 200000 nodes and 10 links takes .* compare fewer links at a time"):
        start(test, [case], memory_limit=1e6)


@pytest.mark.parametrize("test", ["2-wl", "2-fwl"])
def test_the_exact_engine_sends_to_the_fast_one(test):
    with pytest.raises(MemoryLimitError, match="use the fast engine"):
        start(test, LARGE, engine="exact")


def test_the_limit_is_an_option():
    cases = build_cases([path_graph()], [None])
    needed = FAST["2-fwl"].memory(cases)
    assert start("2-fwl", cases, memory_limit=needed).num_coloured == 16
    with pytest.raises(MemoryLimitError, match="is the limit"):
        start("2-fwl", cases, memory_limit=needed - 1)


def test_no_cases_need_no_memory():
    for engine in ENGINES:
        for test in TESTS:
            assert start(test, [], engine=engine, memory_limit=0).num_classes == 0
