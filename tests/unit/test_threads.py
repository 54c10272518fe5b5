from __future__ import annotations

import os
import threading

import pytest

from linkwl.threads import num_threads, run_all, run_ranges


@pytest.mark.parametrize(("value", "expected"), [("1", 1), ("7", 7)])
def test_the_environment_says_how_many(monkeypatch, value, expected):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    assert num_threads() == expected


@pytest.mark.parametrize("value", ["", "0", "-2", "many", "1.5"])
def test_else_the_cores_do(monkeypatch, value):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    assert 1 <= num_threads() <= os.cpu_count()


@pytest.mark.parametrize("threads", ["1", "3"])
def test_results_come_in_order(monkeypatch, threads):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    assert run_all(lambda k: k * k, range(20)) == [k * k for k in range(20)]
    assert run_all(len, []) == []


def test_several_run_at_a_time(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    meeting = threading.Barrier(3, timeout=20)
    assert sorted(run_all(lambda _: meeting.wait(), range(3))) == [0, 1, 2]


def test_an_error_in_a_thread_is_raised():
    with pytest.raises(ZeroDivisionError):
        run_all(lambda k: 1 // k, [1, 0])
    with pytest.raises(ZeroDivisionError):
        run_ranges(lambda start, stop: 1 // 0, 10_000)


@pytest.mark.parametrize("threads", ["1", "2", "5"])
@pytest.mark.parametrize("count", [0, 1, 1023, 1024, 2048, 2049, 100_000])
def test_ranges_cover_everything_once(monkeypatch, threads, count):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    ranges = []
    run_ranges(lambda start, stop: ranges.append((start, stop)), count)
    ranges.sort()
    assert ranges[0][0] == 0
    assert ranges[-1][1] == count
    assert all(left[1] == right[0] for left, right in zip(ranges, ranges[1:], strict=False))
    assert len(ranges) == max(1, min(4 * int(threads), count // 1024))
    assert len(ranges) == 1 or min(stop - start for start, stop in ranges) >= 1024
