from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.sparse.edge_rows import edge_rows, group_pairs, positions, sources_per_part
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


def test_no_pairs():
    demand = group_pairs([], 4)
    assert [len(array) for array in demand] == [0, 1, 0, 0]


@pytest.mark.parametrize("pair", [(0, 4), (-1, 0)])
def test_pairs_of_nodes_that_do_not_exist_are_told(pair):
    with pytest.raises(ValueError, match=r"must lie in 0 \.\. 3"):
        group_pairs([pair], 4)


def test_denser_graphs_have_fewer_sources_per_part():
    sizes = []
    for degree in (0, 2, 10, 1000):
        rowptr = np.arange(0, degree * 20 + 1, degree) if degree else np.zeros(21, dtype=np.int64)
        sizes.append(sources_per_part(edge_rows(rowptr, np.zeros(degree * 20, dtype=np.int32), None)))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
