from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl.errors import MemoryLimitError
from linkwl.graph import Graph
from linkwl.sparse import join, plan_walks, reference
from linkwl.sparse.rows import edge_rows, group_pairs
from linkwl.sparse.walk_plan import Marks, out_edges, reach, search_back, select
from linkwl.threads import run_ranges
from plans import arguments, demands, graph_with_hubs

ROUNDS = st.integers(1, 3)
PATH = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4)], 6)
ROWS = edge_rows(PATH.rowptr, PATH.col, None)


def plan_of(graph, pairs, rounds):
    rows, turned = arguments(graph)
    return plan_walks(*rows, pairs, rounds, **turned)


def ends(graph, plan):
    row = np.repeat(np.arange(graph.num_nodes), np.diff(graph.rowptr))
    return np.stack([row[plan.edges], graph.col[plan.edges]], axis=1)


def terms_in_words(graph, pairs, plan):
    """The plan as the reference gives it: for every level its pairs, and the middle nodes of their terms."""
    edges = [tuple(edge) for edge in ends(graph, plan).tolist()]
    known = [edges[i] for i in plan.first]
    levels = []
    for terms, targets in zip(plan.joins, plan.targets, strict=True):
        named = dict(zip(targets.tolist(), map(tuple, pairs.tolist()), strict=True))
        level, names = {}, []
        for s in range(terms.num_out):
            steps = [(known[terms.left[k]], edges[terms.right[k]]) for k in range(terms.ptr[s], terms.ptr[s + 1])]
            assert all(one[1] == other[0] for one, other in steps)
            found = {(one[0], other[1]) for one, other in steps} | ({named[s]} if s in named else set())
            found |= {edges[i] for i in [plan.adjacent[len(levels)][s]] if i >= 0}
            assert len(found) == 1  # all that is known of a pair names the same one
            names.append(found.pop())
            level[names[-1]] = [one[1] for one, _ in steps]
        assert len(level) == terms.num_out
        levels.append(level)
        known = names
    return levels


@given(demands(), ROUNDS)
@settings(deadline=None)
def test_terms_are_those_of_the_plain_enumeration(demand, rounds):
    graph, pairs = demand
    plan = plan_of(graph, pairs, rounds)
    expected = reference.walk_terms(graph.rowptr, graph.col, pairs, rounds)
    assert terms_in_words(graph, pairs, plan) == expected


@given(demands(), ROUNDS)
@settings(deadline=None)
def test_all_that_is_listed_is_used(demand, rounds):
    graph, pairs = demand
    plan = plan_of(graph, pairs, rounds)
    used = [plan.first, *(terms.right for terms in plan.joins), *(index[index >= 0] for index in plan.adjacent)]
    assert set(np.concatenate(used).tolist()) == set(range(len(plan.edges)))
    assert (np.diff(plan.edges) > 0).all()
    assert set(plan.joins[0].left.tolist()) == set(range(len(plan.first)))
    for t in range(1, rounds):
        lone = set(range(plan.joins[t].num_left)) - set(plan.joins[t].left.tolist())
        assert lone <= set(plan.targets[t - 1].tolist())


@given(demands(), ROUNDS)
@settings(deadline=None)
def test_every_observed_pair_of_a_level_is_known_as_an_edge(demand, rounds):
    graph, pairs = demand
    plan = plan_of(graph, pairs, rounds)
    edges = set(map(tuple, ends(graph, plan).tolist()))
    observed = {(p, int(q)) for p in range(graph.num_nodes) for q in graph.col[graph.rowptr[p] : graph.rowptr[p + 1]]}
    for index, targets in zip(plan.adjacent, plan.targets, strict=True):
        for place, pair in zip(targets, map(tuple, pairs.tolist()), strict=True):
            assert (index[place] >= 0) == (pair in observed)
    assert edges <= observed


def dense_rounds(adjacency, x, m, rounds):
    """The same rounds on tables of all pairs; the update has a bias, so that a pair too many would show."""
    is_edge = adjacency[..., None]
    pattern, x, m = adjacency, x * is_edge, m * is_edge
    for _ in range(rounds):
        y = np.einsum("prc,rqc->pqc", x, m)
        pattern = (pattern.astype(int) @ adjacency.astype(int) > 0) | adjacency
        x = np.tanh(y + 0.3 + 0.7 * is_edge) * pattern[..., None]
        yield y


@pytest.mark.parametrize("rounds", [1, 2, 3])
@given(demand=demands())
@settings(max_examples=60, deadline=None)  # a kernel may have to be compiled
def test_rounds_equal_those_on_dense_tables(rounds, demand):
    graph, pairs = demand
    n = graph.num_nodes
    adjacency = graph.to_scipy().toarray() != 0
    x, m = np.random.default_rng(0).standard_normal((2, n, n, 3))
    plan = plan_of(graph, pairs, rounds)
    p, q = ends(graph, plan).T
    state, right = x[p, q][plan.first], m[p, q]
    for t, expected in enumerate(dense_rounds(adjacency, x, m, rounds)):
        y = join(state, right, plan.joins[t])
        np.testing.assert_allclose(y[plan.targets[t]], expected[pairs[:, 0], pairs[:, 1]], atol=1e-10)
        state = np.tanh(y + 0.3 + 0.7 * (plan.adjacent[t] >= 0)[:, None])


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_pair_has_the_same_terms_whatever_is_demanded_with_it(rounds):
    graph = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 6)], 7)
    alone, both = np.array([(0, 2)]), np.array([(0, 6), (0, 5), (0, 3), (0, 2)])
    one, other = (terms_in_words(graph, pairs, plan_of(graph, pairs, rounds)) for pairs in (alone, both))
    for level, more in zip(one, other, strict=True):
        assert level.items() <= more.items()


def test_a_path_by_hand():
    """0 - 1 - 2 - 3: from 0 to 3 one walk of three edges, over (0, 2), which one walk of two edges reaches."""
    path = Graph.from_pairs([(0, 1), (1, 2), (2, 3)], 4)
    plan = plan_walks(path.rowptr, path.col, np.array([(0, 3)]), 2)
    assert ends(path, plan).tolist() == [[0, 1], [1, 2], [2, 3]]
    assert plan.first.tolist() == [0]
    assert [terms.num_terms for terms in plan.joins] == [1, 1]
    assert [index.tolist() for index in plan.adjacent] == [[-1, -1], [-1]]
    assert terms_in_words(path, np.array([(0, 3)]), plan) == [{(0, 3): [], (0, 2): [1]}, {(0, 3): [2]}]


@pytest.mark.parametrize("num_edges", [0, 5])
def test_no_pairs(num_edges):
    graph = Graph.from_pairs([(0, v) for v in range(1, num_edges + 1)], 6)
    plan = plan_walks(graph.rowptr, graph.col, np.empty((0, 2), int), 2)
    assert len(plan.edges) == len(plan.first) == 0
    assert [(terms.num_out, terms.num_terms) for terms in plan.joins] == [(0, 0)] * 2
    assert [len(index) for index in (*plan.adjacent, *plan.targets)] == [0] * 4


@pytest.mark.parametrize("is_directed", [False, True])
def test_the_plan_does_not_depend_on_the_number_of_threads(monkeypatch, is_directed):
    monkeypatch.setattr("linkwl.sparse.rows._WALKS_PER_PART", 1)
    parts = []

    def spy(*arguments, **options):
        told = run_ranges(*arguments, **options)
        parts.append(len(told))
        return told

    monkeypatch.setattr("linkwl.sparse.walk_plan.run_ranges", spy)
    graph = graph_with_hubs(is_directed=is_directed)
    pairs = np.random.default_rng(0).integers(0, graph.num_nodes, (400, 2))
    plans = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        plans.append(plan_of(graph, pairs, 3))
    assert max(parts) > 3
    for plan in plans[1:]:
        for one, other in zip(arrays_of(plans[0]), arrays_of(plan), strict=True):
            np.testing.assert_array_equal(one, other)


def arrays_of(plan):
    terms = (array for join in plan.joins for array in (join.ptr, join.left, join.right))
    return [plan.edges, plan.first, *plan.adjacent, *plan.targets, *terms]


def test_both_ways_along_the_edges_are_taken_and_agree_on_a_larger_graph():
    graph = graph_with_hubs(60, 200)
    pairs = np.random.default_rng(1).integers(0, 60, (80, 2))
    plan = plan_of(graph, pairs, 2)
    expected = reference.walk_terms(graph.rowptr, graph.col, pairs, 2)
    assert terms_in_words(graph, pairs, plan) == expected


def test_the_terms_of_a_level_are_filled_the_way_they_were_counted():
    """Of the end's neighbours only one is reached, which makes the other way along the edges the shorter one."""
    start, middle, near, end = 0, 1, 2, 3
    leaves = [(middle, v) for v in range(6, 14)]
    unreached = [(4, v) for v in range(14, 19)] + [(5, v) for v in range(19, 24)]
    path = [(start, middle), (middle, near), (near, end), (4, end), (5, end)]
    graph = Graph.from_pairs([*path, *leaves, *unreached], 24)
    pairs = np.array([(start, end)])
    plan = plan_of(graph, pairs, 2)
    assert terms_in_words(graph, pairs, plan) == reference.walk_terms(graph.rowptr, graph.col, pairs, 2)


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
    with pytest.raises(MemoryLimitError, match="a plan with [0-9]+ terms takes about .*; take fewer pairs at a time"):
        plan_of(graph, np.array([(0, 1)]), 2)


def test_no_rounds_are_refused():
    graph = graph_with_hubs()
    with pytest.raises(ValueError, match="`rounds` must be at least 1, got 0"):
        plan_of(graph, np.array([(0, 1)]), 0)


def test_directed_edges_without_their_transposed_rows_are_refused():
    graph = Graph.from_pairs([(0, 1), (1, 2), (2, 0)], 3, is_directed=True)
    with pytest.raises(ValueError, match="not symmetric"):
        plan_walks(graph.rowptr, graph.col, np.array([(0, 1), (0, 2), (1, 0)]), 2)


def test_search_back_lists_the_nearest_first():
    demand = group_pairs([(0, 4), (5, 0), (5, 1)], 6)
    ball, ends = search_back(ROWS, demand, 2)
    assert ends.tolist() == [[1, 2, 3], [2, 3, 4]]
    assert ball.tolist() == [4, 3, 2, 0, 1, 2, 3]


def test_directed_edges_are_followed_against_their_direction():
    one_way, turned = (Graph.from_pairs(pairs, 3, is_directed=True) for pairs in ([(0, 1), (1, 2)], [(1, 0), (2, 1)]))
    rows = edge_rows(one_way.rowptr, one_way.col, (turned.rowptr, turned.col))
    ball, ends = search_back(rows, group_pairs([(0, 1)], 3), 2)
    assert ball.tolist() == [1, 0]
    assert ends.tolist() == [[1, 2, 2]]


def test_nothing_to_search():
    ball, ends = search_back(ROWS, group_pairs([], 6), 2)
    assert len(ball) == 0
    assert ends.shape == (0, 3)


def test_out_edges_of_the_sources():
    level = out_edges(ROWS, np.array([1, 5, 4]))
    assert level.ptr.tolist() == [0, 2, 2, 3]
    assert level.node.tolist() == [0, 2, 3]
    assert PATH.col[level.edge].tolist() == [0, 2, 3]


def test_select_keeps_the_sources_apart():
    level = select(out_edges(ROWS, np.array([1, 5, 4])), np.array([False, True, True]))
    assert level.ptr.tolist() == [0, 1, 1, 2]
    assert level.node.tolist() == [2, 3]


def test_reach_drops_what_is_neither_demanded_nor_observed_nor_reached():
    demand = group_pairs([(0, 4)], 6)
    ball, ends = search_back(ROWS, demand, 2)  # 4, 3, 2: of these only 2 is two edges away from 0
    marks = Marks(*np.zeros((2, len(PATH.col)), dtype=np.bool_))
    level, is_needed = reach(ROWS, demand, out_edges(ROWS, demand.source), ball, ends[:, 2], ends[:, 2], marks, True)
    assert level.node.tolist() == [4, 2]
    assert level.num_terms.tolist() == [0, 1]
    assert level.edge.tolist() == [-1, -1]
    assert is_needed.tolist() == [True]
    assert marks.is_used.sum() + marks.is_used_in.sum() == 1


def test_reach_keeps_observed_pairs_without_terms():
    demand = group_pairs([(0, 2)], 6)
    ball, ends = search_back(ROWS, demand, 1)  # 2, 1, 3
    marks = Marks(*np.zeros((2, len(PATH.col)), dtype=np.bool_))
    level, _ = reach(ROWS, demand, out_edges(ROWS, demand.source), ball, ends[:, 1], ends[:, 1], marks, True)
    assert level.node.tolist() == [2, 1]
    assert level.num_terms.tolist() == [1, 0]
    assert PATH.col[level.edge[1]] == 1
