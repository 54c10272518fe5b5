from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.sparse.edge_rows import edge_rows
from linkwl.sparse.pair_sets import PairSet, needed_below, run_nodes, starts, turn


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
