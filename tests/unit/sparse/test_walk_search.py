from __future__ import annotations

from linkwl.graph import Graph
from linkwl.sparse.edge_rows import edge_rows, group_pairs
from linkwl.sparse.walk_search import search_back

PATH = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4)], 6)
ROWS = edge_rows(PATH.rowptr, PATH.col, None)


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
