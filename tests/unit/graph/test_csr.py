from __future__ import annotations

import numpy as np
import pytest

from graphs import PATH, STAR, random_rows
from linkwl.graph import csr


def brute_force(rows: np.ndarray, is_directed: bool) -> tuple[list[tuple[int, int]], int, int]:
    """Distinct edges, loops, edges listed both ways."""
    seen = {(p, q) for p, q in rows.tolist() if p != q}
    loops = int((rows[:, 0] == rows[:, 1]).sum())
    if is_directed:
        return sorted(seen), loops, 0
    return sorted({(min(e), max(e)) for e in seen}), loops, sum(p < q and (q, p) in seen for p, q in seen)


@pytest.mark.parametrize("is_directed", [False, True])
@pytest.mark.parametrize("num_nodes", [1, 2, 511, 512, 513, 1023, 1024, 1025, 5000, 100_000])
def test_distinct_edges_over_many_blocks(num_nodes, is_directed):
    rows = random_rows(num_nodes, 3000, seed=num_nodes)
    rows[1000:1500] = rows[:500, ::-1]  # reversed copies
    rows[2000:2300] = rows[:300]  # copies
    rows[-1] = num_nodes - 1
    first, second, loops, both = csr.distinct_edges(rows[:, 0], rows[:, 1], num_nodes, is_directed)
    assert (list(zip(first.tolist(), second.tolist(), strict=True)), loops, both) == brute_force(rows, is_directed)


def test_the_largest_node_fits_in_a_key():
    last = csr.MAX_NODES - 1
    source, target = np.array([last, last - 1, 0]), np.array([last - 1, last, last])
    first, second, loops, both = csr.distinct_edges(source, target, csr.MAX_NODES, False)
    assert first.tolist() == [0, last - 1]
    assert second.tolist() == [last, last]
    assert (loops, both) == (0, 1)


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_rows_are_sorted_whatever_the_threads(monkeypatch, threads):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    num_nodes = 50_000  # several ranges of rows
    rows = random_rows(num_nodes, 60_000)
    first, second, _, _ = csr.distinct_edges(rows[:, 0], rows[:, 1], num_nodes, False)
    rowptr, col = csr.undirected_csr(first, second, num_nodes)
    both = np.concatenate([np.stack([first, second], 1), np.stack([second, first], 1)])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    assert np.array_equal(col, both[:, 1])
    assert np.array_equal(rowptr, np.searchsorted(both[:, 0], np.arange(num_nodes + 1)))


def test_directed_rows_hold_targets():
    source, target = np.array([0, 0, 2], dtype=np.int32), np.array([1, 3, 0], dtype=np.int32)
    rowptr, col = csr.directed_csr(source, target, 4)
    assert rowptr.tolist() == [0, 2, 2, 3, 3]
    assert col.tolist() == [1, 3, 0]


def test_upper_pairs_list_each_edge_once():
    ends = np.array(PATH, dtype=np.int32)
    rowptr, col = csr.undirected_csr(ends[:, 0], ends[:, 1], 4)
    assert csr.upper_pairs(rowptr, col).tolist() == [list(edge) for edge in PATH]


def test_flags_stand_at_both_entries_of_an_edge():
    ends = np.array(STAR, dtype=np.int32)
    rowptr, col = csr.undirected_csr(ends[:, 0], ends[:, 1], 4)
    flags = csr.flags_of_entries(rowptr, col, np.array([True, False, True]))
    assert flags.tolist() == [True, False, True, True, False, True]  # row 0, then rows 1, 2 and 3
    kept_ptr, kept_col = csr.filter_rows(rowptr, col, flags)
    assert kept_ptr.tolist() == [0, 2, 3, 3, 4]
    assert kept_col.tolist() == [1, 3, 0, 0]


def test_contains_looks_in_one_row_only():
    rowptr, col = np.array([0, 2, 2, 3]), np.array([1, 2, 0], dtype=np.int32)
    pairs = np.array([(0, 1), (0, 2), (0, 0), (1, 0), (2, 0), (2, 1)])
    assert csr.contains(rowptr, col, pairs).tolist() == [True, True, False, False, True, False]


def test_non_edges_of_a_large_sparse_graph():
    rows = random_rows(3000, 10_000)
    first, second, _, _ = csr.distinct_edges(rows[:, 0], rows[:, 1], 3000, False)
    rowptr, col = csr.undirected_csr(first, second, 3000)
    total = 3000 * 2999 // 2 - len(first)
    ranks = np.unique(np.random.default_rng(1).integers(0, total, 5000))
    pairs = csr.non_edges(rowptr, col, ranks, False)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert not csr.contains(rowptr, col, pairs).any()
    # the rank of a pair is the number of pairs before it that are no edges
    before = pairs[:, 0].astype(np.int64) * (2 * 3000 - pairs[:, 0] - 1) // 2 + pairs[:, 1] - pairs[:, 0] - 1
    keys = first.astype(np.int64) * 3000 + second
    edges_before = np.searchsorted(keys, pairs[:, 0].astype(np.int64) * 3000 + pairs[:, 1])
    assert np.array_equal(before - edges_before, ranks)
