from __future__ import annotations

import dataclasses
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import PATH, TRIANGLE, raw_rows
from linkwl.errors import InputError
from linkwl.graph import Graph

ROWS = [(0, 1), (1, 0), (1, 2), (1, 2), (3, 3)]


@st.composite
def rows_with_values(draw: st.DrawFn):
    """Rows, a weight (quarters, so that sums are exact) and a time for each, and whether they are directed."""
    num_nodes, rows = draw(raw_rows())
    quarters = st.integers(-40, 40).map(lambda k: k / 4)
    weight = draw(st.lists(quarters, min_size=len(rows), max_size=len(rows)))
    time = draw(st.lists(st.integers(-9, 9), min_size=len(rows), max_size=len(rows)))
    return num_nodes, rows, weight, time, draw(st.booleans())


def merged(rows, values, is_directed, merge):
    """The value of each edge, by a plain dictionary."""
    found: dict[tuple[int, int], float] = {}
    for (p, q), value in zip(rows, values, strict=True):
        if p != q:
            edge = (p, q) if is_directed else (min(p, q), max(p, q))
            found[edge] = merge(found[edge], value) if edge in found else value
    return found


def values_of(graph: Graph, values) -> dict[tuple[int, int], float]:
    return dict(zip(map(tuple, graph.edges.tolist()), values.tolist(), strict=True))


def from_sample(sample, **fields) -> Graph:
    num_nodes, rows, weight, time, is_directed = sample
    return Graph.from_pairs(rows, num_nodes, is_directed=is_directed, weight=weight, time=time, **fields)


@given(rows_with_values())
@settings(max_examples=150, deadline=None)
def test_copies_are_merged_as_a_dictionary_would(sample):
    _, rows, weight, time, is_directed = sample
    graph = from_sample(sample)
    assert values_of(graph, graph.edge_weight) == merged(rows, weight, is_directed, lambda a, b: a + b)
    assert values_of(graph, graph.edge_time) == merged(rows, time, is_directed, min)
    last = from_sample(sample, merge="last")
    assert values_of(last, last.edge_weight) == merged(rows, weight, is_directed, lambda a, b: b)
    assert last.edge_time.tolist() == graph.edge_time.tolist()


@given(rows_with_values())
@settings(max_examples=60, deadline=None)
def test_both_entries_of_an_edge_say_the_same(sample):
    graph = from_sample(sample)
    for entries, edges in ((graph.weight, graph.edge_weight), (graph.time, graph.edge_time)):
        assert entries.shape == graph.col.shape
        at = dict(zip(map(tuple, graph.edges.tolist()), edges.tolist(), strict=True))
        for p in range(graph.num_nodes):
            for k in range(graph.rowptr[p], graph.rowptr[p + 1]):
                q = int(graph.col[k])
                assert entries[k] == at[(p, q) if graph.is_directed else (min(p, q), max(p, q))]


@given(rows_with_values(), st.data())
@settings(max_examples=100, deadline=None)
def test_columns_go_with_their_edges(sample, data):
    graph = from_sample(sample)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=graph.num_edges, max_size=graph.num_edges)), dtype=bool)
    selected = graph.select(keep)
    expected = Graph.from_pairs(
        graph.edges[keep],
        graph.num_nodes,
        is_directed=graph.is_directed,
        weight=graph.edge_weight[keep],
        time=graph.edge_time[keep],
    )
    assert selected.digest == expected.digest
    assert graph.without(graph.edges[~keep]).digest == expected.digest
    assert graph.subgraphs(keep.astype(np.int8), [(1,), (0, 1)])[1].digest == graph.digest
    assert graph.hider(graph.edges)(np.flatnonzero(~keep)).digest == expected.digest


@given(rows_with_values())
@settings(max_examples=60, deadline=None)
def test_directions_forgotten_merge_the_two_of_a_pair(sample):
    num_nodes, rows, weight, time, _ = sample
    graph = Graph.from_pairs(rows, num_nodes, is_directed=True, weight=weight, time=time)
    plain = Graph.from_pairs(rows, num_nodes, weight=weight, time=time)
    assert graph.to_undirected().digest == plain.digest


@given(rows_with_values(), st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_order_of_rows_does_not_matter_even_for_sums_that_round(sample, random):
    num_nodes, rows, weight, time, is_directed = sample
    lines = list(zip(rows, np.array(weight) / 3 + 1e8, time, strict=True)) * 3
    digests = set()
    for _ in range(3):
        random.shuffle(lines)
        rows, weight, time = zip(*lines, strict=True) if lines else ((), (), ())
        digests.add(
            from_sample((num_nodes, list(rows), np.array(weight, float), np.array(time, int), is_directed)).digest
        )
    assert len(digests) == 1


def test_new_edges_weigh_one_and_have_the_latest_time():
    graph = Graph.from_pairs(PATH, 4, weight=np.array([2, 3, 4], dtype=np.float32), time=[5, 9, 7])
    more = graph.with_(np.array([(3, 0), (1, 0), (0, 3), (2, 2)]))
    assert more.edges.tolist() == [[0, 1], [0, 3], [1, 2], [2, 3]]
    assert more.edge_weight.tolist() == [2, 1, 3, 4]
    assert more.edge_time.tolist() == [5, 9, 9, 7]
    assert (more.weight.dtype, more.time.dtype) == (np.float32, np.int64)
    empty = Graph.from_pairs([], 2, weight=[], time=np.empty(0))
    assert empty.with_(np.array([(0, 1)])).edge_time.tolist() == [0]


def test_what_is_reserved_has_sides_but_no_values():
    graph = Graph.from_pairs([(0, 2)], 4, weight=[2.0], time=[1], part=[0, 0, 1, 1])
    reserved = graph.reserve(np.array([(1, 3)]))
    assert (reserved.weight, reserved.time) == (None, None)
    assert reserved.num_absent == 2


def test_types_are_kept_or_widened():
    for given_type, kept in [("f4", "f4"), ("f8", "f8"), ("i4", "f8"), ("?", "f8"), ("f2", "f8")]:
        assert Graph.from_pairs([(0, 1)], 2, weight=np.ones(1, dtype=given_type)).weight.dtype == kept
    for given_type, kept in [("i4", "i8"), ("u8", "i8"), ("f4", "f8")]:
        assert Graph.from_pairs([(0, 1)], 2, time=np.ones(1, dtype=given_type)).time.dtype == kept


def test_the_digest_knows_the_columns_and_a_plain_graph_keeps_its_own():
    plain = Graph.from_pairs(TRIANGLE, 3)
    assert plain.digest.startswith("d77ea3f5a226924e")
    path = {"pairs": [(0, 1), (1, 2)], "num_nodes": 3}
    variants = [
        Graph.from_pairs(**path),
        Graph.from_pairs(**path, weight=[1, 1]),
        Graph.from_pairs(**path, weight=[1, 2]),
        Graph.from_pairs(**path, weight=np.ones(2, dtype=np.float32)),
        Graph.from_pairs(**path, time=[1, 1]),
        Graph.from_pairs(**path, time=[1.0, 1.0]),
        Graph.from_pairs(**path, weight=[1, 1], time=[1, 1]),
        Graph.from_pairs(**path, part=[0, 1, 0]),
        Graph.from_pairs(**path, part=[1, 0, 1]),
    ]
    assert len({graph.digest for graph in variants}) == len(variants)
    assert all(
        dataclasses.replace(graph, weight=None, time=None, part=None).digest == variants[0].digest for graph in variants
    )


def test_features_leave_the_columns_alone():
    graph = Graph.from_pairs([(0, 1)], 2, weight=[2.5], time=[3], part=[0, 1])
    other = graph.with_features(np.ones((2, 1), dtype=np.float32))
    assert (other.edge_weight.tolist(), other.edge_time.tolist(), other.part.tolist()) == ([2.5], [3], [0, 1])


def test_the_intake_and_the_repr_say_it():
    graph = Graph.from_pairs(ROWS, 4, weight=np.arange(5.0), time=np.arange(5), part=[0, 1, 0, 0])
    assert graph.intake.notes == ("weights of copies added up", "earliest time of copies kept")
    assert repr(graph) == "Graph('graph', 4 nodes, 2 edges, weights, times, two sides)"
    assert Graph.from_pairs(ROWS, 4, weight=np.arange(5.0), merge="last").intake.notes == (
        "last weight of copies kept",
    )
    assert Graph.from_pairs(PATH, 4, weight=np.arange(3.0)).intake.notes == ()


def test_columns_cannot_be_written_and_belong_to_the_graph():
    weight, part = np.ones(1), np.array([0, 1], dtype=np.int8)
    graph = Graph.from_pairs([(0, 1)], 2, weight=weight, part=part, time=[1])
    weight[0], part[0] = 7, 1
    assert (graph.edge_weight.tolist(), graph.part.tolist()) == ([1.0], [0, 1])
    for array in (graph.weight, graph.time, graph.part):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"weight": [1.0]}, r"`weight` must hold one number per row \(3\)"),
        ({"weight": ["a", "b", "c"]}, "one number per row"),
        ({"weight": [1.0, np.nan, 2.0]}, "`weight` must hold finite"),
        ({"weight": np.array([1, 2, np.inf], dtype=np.float32)}, "`weight` must hold finite"),
        ({"time": [1, 2]}, "`time` must hold one number per row"),
        ({"time": [1.0, np.inf, 2.0]}, "`time` must hold finite"),
        ({"time": [1.0, np.nan, 2.0]}, "`time` must hold finite"),
        ({"weight": [1, 2, 3], "merge": "mean"}, "`merge` must be one of"),
        ({"part": [0, 1, 2, 0]}, "`part` must hold 0 or 1"),
        ({"part": [0.0, 1.0, 0.0, 1.0]}, "`part` must hold 0 or 1"),
        ({"part": [0, 1]}, r"`part` must hold 0 or 1 for each node \(4\)"),
        ({"part": [0, 1, 1, 0]}, "nodes 1 and 2 are joined and both on side 1"),
    ],
)
def test_misuse_is_a_value_error(fields, words):
    with pytest.raises(ValueError, match=words):
        Graph.from_pairs(PATH, 4, **fields)


def test_sums_that_overflow_are_refused():
    largest = np.full(2, np.finfo(np.float32).max)
    with pytest.raises(InputError, match="add up to more than float32 can hold"):
        Graph.from_pairs([(0, 1), (1, 0)], 2, weight=largest)


@pytest.mark.parametrize("fields", [{"weight": np.ones(3)}, {"time": np.ones(4, dtype=np.int32)}, {"part": np.ones(2)}])
def test_columns_of_another_shape_do_not_become_a_graph(fields):
    graph = Graph.from_pairs([(0, 1), (1, 2)], 3)
    with pytest.raises(ValueError, match="must hold"):
        dataclasses.replace(graph, **fields)


@given(st.integers(1, 8), st.booleans(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_bipartite_graph_has_pairs_across_its_sides_only(num_nodes, is_directed, data):
    part = data.draw(st.lists(st.integers(0, 1), min_size=num_nodes, max_size=num_nodes))
    every = (permutations if is_directed else combinations)(range(num_nodes), 2)
    pairs = [(p, q) for p, q in every if part[p] != part[q]]
    is_edge = [data.draw(st.booleans()) for _ in pairs]
    edges = [pair for pair, chosen in zip(pairs, is_edge, strict=True) if chosen]
    missing = [list(pair) for pair, chosen in zip(pairs, is_edge, strict=True) if not chosen]
    graph = Graph.from_pairs(edges, num_nodes, is_directed=is_directed, part=part)
    assert (graph.num_pairs, graph.num_absent) == (len(pairs), len(missing))
    assert graph.absent(np.arange(len(missing))).tolist() == missing
    some = np.array(
        data.draw(st.lists(st.integers(0, max(len(missing) - 1, 0)), max_size=len(missing)).map(sorted)), int
    )
    assert graph.absent(some).tolist() == [missing[rank] for rank in some]
    assert graph.without(graph.edges[:1]).part is not None
    assert graph.to_undirected().part.tolist() == part


def test_an_edge_within_a_side_cannot_be_added():
    graph = Graph.from_pairs([(0, 1)], 3, part=[0, 1, 0])
    with pytest.raises(ValueError, match="nodes 0 and 2 are joined and both on side 0"):
        graph.with_(np.array([(0, 2)]))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_time_that_is_not_finite_is_refused_even_where_another_one_is_kept(bad):
    with pytest.raises(ValueError, match="`time` must hold finite numbers"):
        Graph.from_pairs([(0, 1), (1, 0), (1, 2)], 3, time=[1.0, bad, 2.0])
