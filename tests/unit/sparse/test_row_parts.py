from __future__ import annotations

import numpy as np
import pytest

from linkwl.sparse.row_parts import equal_parts, parts_for_threads


def starts(counts):
    return np.concatenate([[0], np.cumsum(counts)])


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
