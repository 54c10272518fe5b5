from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.edge_rows import edge_rows, group_pairs
from linkwl.sparse.walk_levels import Marks, out_edges, reach, select
from linkwl.sparse.walk_search import search_back

PATH = Graph.from_pairs([(0, 1), (1, 2), (2, 3), (3, 4)], 6)
ROWS = edge_rows(PATH.rowptr, PATH.col, None)


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
