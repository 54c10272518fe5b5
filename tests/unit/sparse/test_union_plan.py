from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.sparse import join, plan_unions, reference
from linkwl.sparse.rows import edge_rows, starts
from linkwl.sparse.union_plan import PairSet, needed_below, run_nodes, turn
from plans import arguments, demands, graph_with_hubs


def plan_of(graph, pairs, rounds):
    rows, turned = arguments(graph)
    return plan_unions(*rows, pairs, rounds, **turned)


def terms_in_words(plan):
    """The plan as the reference gives it: for every level its pairs, and the middle nodes of their terms, ascending."""
    known = [tuple(pair) for pair in plan.pairs.tolist()]
    levels = [{pair: [] for pair in known}]
    for terms, own in zip(plan.joins, plan.own, strict=True):
        names = [known[i] for i in own]
        level = {}
        for s, (p, q) in enumerate(names):
            steps = [(known[terms.left[k]], known[terms.right[k]]) for k in range(terms.ptr[s], terms.ptr[s + 1])]
            assert all(one == (p, r) and other == (r, q) for one, other in steps for r in [one[1]])
            level[p, q] = sorted(one[1] for one, _ in steps)
        assert len(level) == terms.num_out
        levels.append(level)
        known = names
    return levels, known


@given(demands(max_nodes=6), st.integers(1, 3))
@settings(deadline=None)
def test_terms_are_those_of_the_plain_enumeration(demand, rounds):
    graph, pairs = demand
    plan = plan_of(graph, pairs, rounds)
    levels, known = terms_in_words(plan)
    assert levels == reference.union_terms(graph.rowptr, graph.col, pairs, rounds)
    assert [known[i] for i in plan.targets] == [tuple(pair) for pair in pairs.tolist()]
    assert len({tuple(pair) for pair in plan.pairs.tolist()}) == len(plan.pairs)


@pytest.mark.parametrize("rounds", [1, 2, 3])
@given(demand=demands())
@settings(max_examples=60, deadline=None)  # a kernel may have to be compiled
def test_rounds_equal_those_on_dense_tables(rounds, demand):
    graph, pairs = demand
    adjacency = graph.to_scipy().toarray() != 0
    either = adjacency[:, :, None] | adjacency[None, :, :]  # (p, r) or (r, q), by p, r, q
    table = np.random.default_rng(0).standard_normal((graph.num_nodes, graph.num_nodes, 3))
    plan = plan_of(graph, pairs, rounds)
    x = table[plan.pairs[:, 0], plan.pairs[:, 1]]
    for terms, own in zip(plan.joins, plan.own, strict=True):
        table = np.tanh(table + np.einsum("prc,rqc,prq->pqc", np.sin(table), np.cos(table), either))
        x = np.tanh(x[own] + join(np.sin(x), np.cos(x), terms))
    np.testing.assert_allclose(x[plan.targets], table[pairs[:, 0], pairs[:, 1]], atol=1e-10)


def test_a_star_by_hand():
    """Leaves 1, 2 of hub 0: only the hub is near either end of (1, 2); the pair of a lone node has no terms."""
    star = Graph.from_pairs([(0, 1), (0, 2)], 4)
    plan = plan_unions(star.rowptr, star.col, np.array([(1, 2), (3, 3)]), 1)
    levels, _ = terms_in_words(plan)
    assert levels == [{(1, 2): [], (1, 0): [], (0, 2): [], (3, 3): []}, {(1, 2): [0], (3, 3): []}]


@pytest.mark.parametrize("num_edges", [0, 5])
def test_no_pairs(num_edges):
    graph = Graph.from_pairs([(0, v) for v in range(1, num_edges + 1)], 6)
    plan = plan_unions(graph.rowptr, graph.col, np.empty((0, 2), int), 2)
    assert plan.pairs.shape == (0, 2)
    assert [(terms.num_out, terms.num_terms) for terms in plan.joins] == [(0, 0)] * 2
    assert [len(index) for index in (*plan.own, plan.targets)] == [0] * 3


def arrays_of(plan):
    terms = (array for join in plan.joins for array in (join.ptr, join.left, join.right))
    return [plan.pairs, *plan.own, plan.targets, *terms]


@pytest.mark.parametrize("is_directed", [False, True])
def test_the_plan_does_not_depend_on_the_number_of_threads(monkeypatch, is_directed):
    graph = graph_with_hubs(is_directed=is_directed)
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (2000, 2))
    plans = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        plans.append(plan_of(graph, pairs, 1))
    for plan in plans[1:]:
        for one, other in zip(arrays_of(plans[0]), arrays_of(plan), strict=True):
            np.testing.assert_array_equal(one, other)


def test_wide_indices_say_the_same(monkeypatch):
    graph = graph_with_hubs()
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (50, 2))
    narrow = plan_of(graph, pairs, 2)
    monkeypatch.setattr("linkwl.sparse.rows._NARROW_LIMIT", 10)
    wide = plan_of(graph, pairs, 2)
    assert {terms.left.dtype for terms in narrow.joins} == {np.dtype(np.int32)}
    assert {array.dtype for terms in wide.joins for array in (terms.left, terms.right)} == {np.dtype(np.int64)}
    for one, other in zip(arrays_of(narrow), arrays_of(wide), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_plan_larger_than_memory_is_refused(monkeypatch):
    graph = graph_with_hubs()
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 100)
    with pytest.raises(MemoryLimitError, match="a round with [0-9]+ terms takes about .*; take fewer pairs at a time"):
        plan_of(graph, np.array([(0, 1)]), 1)


def test_no_rounds_are_refused():
    graph = graph_with_hubs()
    with pytest.raises(ValueError, match="`rounds` must be at least 1, got 0"):
        plan_of(graph, np.array([(0, 1)]), 0)


def pair_set(pairs, num_nodes):
    counts = np.bincount([p for p, _ in pairs], minlength=num_nodes)
    return PairSet(starts(counts), np.array([q for _, q in sorted(pairs)], dtype=np.int32))


def in_words(pairs):
    return list(
        zip(np.repeat(np.arange(len(pairs.ptr) - 1), np.diff(pairs.ptr)).tolist(), pairs.node.tolist(), strict=True)
    )


def test_turned_pairs_know_where_they_were():
    pairs = pair_set([(0, 2), (0, 1), (2, 1), (2, 2)], 3)
    turned, place = turn(pairs)
    assert in_words(turned) == [(1, 0), (1, 2), (2, 0), (2, 2)]
    assert [in_words(pairs)[i][::-1] for i in place] == in_words(turned)


def test_below_are_the_pairs_and_the_factors_of_their_terms():
    path = Graph.from_pairs([(0, 1), (1, 2), (3, 4)], 5)
    below = needed_below(edge_rows(path.rowptr, path.col, None), pair_set([(0, 3)], 5))
    # Near 0 is 1, near 3 is 4.
    assert set(in_words(below)) == {(0, 3), (0, 1), (1, 3), (0, 4), (4, 3)}


def test_few_pairs_stay_on_one_thread(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "4")
    few, many = pair_set([(0, 1)] * 3, 1000), pair_set([(p, 0) for p in range(1000) for _ in range(10)], 1000)
    assert len(run_nodes(few, lambda start, stop: stop - start)) == 1
    ranges = run_nodes(many, lambda start, stop: stop - start)
    assert len(ranges) > 4
    assert sum(ranges) == 1000
