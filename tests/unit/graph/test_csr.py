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
    rowptr, col, loops, both = csr.compressed_rows(rows[:, 0], rows[:, 1], num_nodes, is_directed)
    pairs = np.stack([np.repeat(np.arange(num_nodes), np.diff(rowptr)), col], axis=1)
    edges, *counts = brute_force(rows, is_directed)
    assert pairs.tolist() == sorted(map(list, edges if is_directed else edges + [(q, p) for p, q in edges]))
    assert [loops, both] == counts


def test_the_largest_node_fits_in_a_key():
    keys, last = np.empty(2, dtype=np.uint64), csr.MAX_NODES - 1
    csr._write_keys(np.array([last]), np.array([last - 1]), 31, 31, False, np.zeros(1, dtype=np.int64), keys)
    assert keys.tolist() == [(last << 31 | last - 1) << 1, ((last - 1) << 31 | last) << 1 | 1]


@pytest.mark.parametrize("num_bits", [1, 11, 12, 33, 63])
def test_sorting_by_digits(num_bits):
    keys = np.random.default_rng(num_bits).integers(0, 2**num_bits, 500, dtype=np.uint64)
    ordered = np.sort(keys)
    csr._sort_by_digits(keys, np.empty_like(keys), num_bits)
    assert np.array_equal(keys, ordered)


@pytest.mark.parametrize("threads", ["1", "2", "7"])
def test_rows_are_sorted_whatever_the_threads(monkeypatch, threads):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    num_nodes = 50_000  # several ranges of rows
    rows = random_rows(num_nodes, 60_000)
    rowptr, col, _, _ = csr.compressed_rows(rows[:, 0], rows[:, 1], num_nodes, False)
    both = np.unique(np.concatenate([rows, rows[:, ::-1]]), axis=0)
    both = both[both[:, 0] != both[:, 1]]
    assert np.array_equal(col, both[:, 1])
    assert np.array_equal(rowptr, np.searchsorted(both[:, 0], np.arange(num_nodes + 1)))


def test_directed_rows_hold_targets():
    rowptr, col, _, _ = csr.compressed_rows(np.array([2, 0, 0]), np.array([0, 3, 1]), 4, True)
    assert rowptr.tolist() == [0, 2, 2, 3, 3]
    assert col.tolist() == [1, 3, 0]


def test_upper_pairs_list_each_edge_once():
    ends = np.array(PATH, dtype=np.int32)
    rowptr, col, _, _ = csr.compressed_rows(ends[:, 0], ends[:, 1], 4, False)
    assert csr.upper_pairs(rowptr, col).tolist() == [list(edge) for edge in PATH]


def test_labels_stand_at_both_entries_of_an_edge():
    ends = np.array(STAR, dtype=np.int32)
    rowptr, col, _, _ = csr.compressed_rows(ends[:, 0], ends[:, 1], 4, False)
    label = csr.labels_of_entries(rowptr, col, np.array([2, 0, 1], dtype=np.int8))
    assert label.tolist() == [2, 0, 1, 2, 0, 1]  # row 0, then rows 1, 2 and 3
    kept_ptr, kept_col = csr.filter_rows(rowptr, col, label, np.array([False, True, True]))
    assert kept_ptr.tolist() == [0, 2, 3, 3, 4]
    assert kept_col.tolist() == [1, 3, 0, 0]


def test_contains_looks_in_one_row_only():
    rowptr, col = np.array([0, 2, 2, 3]), np.array([1, 2, 0], dtype=np.int32)
    pairs = np.array([(0, 1), (0, 2), (0, 0), (1, 0), (2, 0), (2, 1)])
    assert csr.contains(rowptr, col, pairs).tolist() == [True, True, False, False, True, False]
    assert csr.find(rowptr, col, pairs).tolist() == [0, 1, -1, -1, 2, -1]


def test_non_edges_of_a_large_sparse_graph():
    rows = random_rows(3000, 10_000)
    rowptr, col, _, _ = csr.compressed_rows(rows[:, 0], rows[:, 1], 3000, False)
    first, second = csr.upper_pairs(rowptr, col).T
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


def test_rows_of_a_graph_are_well_formed_and_others_are_not():
    generator = np.random.default_rng(0)
    for is_directed in (False, True):
        rowptr, col, *_ = csr.compressed_rows(*generator.integers(0, 30, (2, 200)), 30, is_directed)
        assert csr.is_well_formed(rowptr, col, is_directed)
        for place in range(0, len(col), 7):
            for value in (-1, 30, int(col[place - 1])):
                changed = col.copy()
                changed[place] = value
                expected = is_plain(rowptr, changed, is_directed)
                assert csr.is_well_formed(rowptr, changed, is_directed) is expected
    assert not csr.is_well_formed(np.empty(0, np.int64), np.empty(0, np.int32), True)


def is_plain(rowptr, col, is_directed):
    """The definition, entry by entry."""
    num_nodes = len(rowptr) - 1
    rows = [col[rowptr[v] : rowptr[v + 1]].tolist() for v in range(num_nodes)]
    is_sorted = all(row == sorted(set(row)) and v not in row for v, row in enumerate(rows))
    in_range = all(0 <= q < num_nodes for row in rows for q in row)
    return is_sorted and in_range and (is_directed or all(v in rows[q] for v, row in enumerate(rows) for q in row))


def test_labels_of_both_entries_agree():
    rowptr, col, *_ = csr.compressed_rows(np.array([0, 1]), np.array([1, 2]), 3, False)
    assert csr.labels_are_symmetric(rowptr, col, np.array([5, 5, 7, 7]))
    assert not csr.labels_are_symmetric(rowptr, col, np.array([5, 7, 5, 7]))
