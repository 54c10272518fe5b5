from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.rows import (
    edge_rows,
    equal_parts,
    group_pairs,
    index_type,
    parts_for_threads,
    positions,
    sources_per_part,
    starts,
    with_room,
)
from plans import arguments, graph_with_hubs


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("share", [1, 20])  # all entries are found by one pass, few by halving
def test_positions_name_the_same_edge(is_directed, share):
    graph = graph_with_hubs(is_directed=is_directed)
    (rowptr, col), turned = arguments(graph)
    rows = edge_rows(rowptr, col, turned.get("transposed"))
    entries = np.arange(len(col))[::share]
    second = np.repeat(np.arange(graph.num_nodes), np.diff(rows.in_rowptr))[entries]
    found = positions(rows, entries)
    first = np.repeat(np.arange(graph.num_nodes), np.diff(rowptr))[found]
    assert (first == rows.in_col[entries]).all()
    assert (col[found] == second).all()


@pytest.mark.parametrize("num_copies", [1, 40])
def test_edges_that_are_not_symmetric_are_told(num_copies):
    one_way = Graph.from_pairs([(2 * k, 2 * k + 1) for k in range(num_copies)], 2 * num_copies, is_directed=True)
    rows = edge_rows(one_way.rowptr, one_way.col, None)
    with pytest.raises(ValueError, match="not symmetric; give the sorted rows"):
        positions(rows, np.array([0]))


def test_transposed_rows_of_another_graph_are_told():
    one, other = graph_with_hubs(is_directed=True), graph_with_hubs(num_edges=1200, is_directed=True)
    with pytest.raises(ValueError, match="`transposed` must have as many nodes and edges"):
        edge_rows(one.rowptr, one.col, (other.rowptr, other.col))


def test_turned_edges():
    graph = Graph.from_pairs([(0, 1), (0, 2)], 3, is_directed=True)
    (rowptr, col), turned = arguments(graph)
    rows = edge_rows(rowptr, col, turned["transposed"]).turned()
    assert (rows.rowptr.tolist(), rows.col.tolist()) == ([0, 0, 1, 2], [0, 0])
    assert (rows.in_rowptr.tolist(), rows.in_col.tolist()) == ([0, 2, 2, 2], [1, 2])


def test_pairs_are_grouped_without_copies():
    demand = group_pairs([(3, 1), (0, 2), (3, 1), (3, 3), (0, 2), (0, 0)], 4)
    assert demand.source.tolist() == [0, 3]
    assert demand.ptr.tolist() == [0, 2, 4]
    assert demand.node.tolist() == [2, 0, 1, 3]
    assert demand.place.tolist() == [2, 0, 2, 3, 0, 1]


def test_the_same_second_node_of_two_sources_is_two_pairs():
    demand = group_pairs([(0, 1), (1, 1), (2, 1), (0, 1)], 3)
    assert demand.place.tolist() == [0, 1, 2, 0]


def test_no_pairs_are_no_groups():
    demand = group_pairs([], 4)
    assert [len(array) for array in demand] == [0, 1, 0, 0]


@pytest.mark.parametrize("pair", [(0, 4), (-1, 0)])
def test_pairs_of_nodes_that_do_not_exist_are_told(pair):
    with pytest.raises(ValueError, match=r"must hold node indices 0 \.\. 3"):
        group_pairs([pair], 4)


def test_indices_are_narrow_as_long_as_they_fit():
    assert index_type(5, 2**31 - 1) is np.int32
    assert index_type(2**31, 5) is np.int64


def test_denser_graphs_have_fewer_sources_per_part():
    sizes = []
    for degree in (0, 2, 10, 1000):
        rowptr = np.arange(0, degree * 20 + 1, degree) if degree else np.zeros(21, dtype=np.int64)
        sizes.append(sources_per_part(edge_rows(rowptr, np.zeros(degree * 20, dtype=np.int32), None)))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def assert_covers(parts, num_rows):
    assert [stop for _, stop in parts[:-1]] == [start for start, _ in parts[1:]]
    assert (parts[0][0], parts[-1][1]) == (0, num_rows)


@pytest.mark.parametrize("num_parts", [0, 1, 3, 8, 100])
@pytest.mark.parametrize("counts", [[], [4], [0, 0, 0], [1] * 50, [0, 100, 0, 0, 1, 1, 30], [1000, *[0] * 20]])
def test_parts_follow_each_other_and_cover_all_rows(counts, num_parts):
    parts = equal_parts(starts(counts), num_parts)
    assert_covers(parts, len(counts))
    assert len(parts) <= max(1, num_parts)


def test_parts_have_about_as_many_entries_each():
    counts = np.random.default_rng(0).integers(0, 20, 1000)
    ptr = starts(counts)
    sizes = [ptr[stop] - ptr[start] for start, stop in equal_parts(ptr, 8)]
    assert len(sizes) == 8
    assert max(sizes) < 1.1 * ptr[-1] / 8


def test_rows_without_entries_are_shared_out_too():
    parts = equal_parts(starts([0] * 1000), 4)
    assert [stop - start for start, stop in parts] == [250] * 4


def test_little_work_stays_on_one_thread(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "4")
    assert parts_for_threads(starts([1] * 100), 16) == [(0, 100)]
    assert len(parts_for_threads(starts([10] * 10_000), 64)) == 16


def test_one_thread_gets_one_part(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert len(parts_for_threads(starts([10] * 10_000), 64)) == 1


def test_an_array_with_room_is_kept():
    array = np.arange(5, dtype=np.int32)
    longer = with_room(array, 3, 2)
    longer[0] = 9
    assert array[0] == 9
    assert len(longer) == 5


def test_a_full_array_is_copied_into_a_longer_one():
    array = np.arange(5, dtype=np.int32)
    longer = with_room(array, 4, 20)
    assert len(longer) >= 24
    assert longer.dtype == np.int32
    assert longer[:4].tolist() == [0, 1, 2, 3]
    assert len(with_room(np.empty(0), 0, 1)) >= 1
