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


def test_the_caller_takes_part(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    meeting = threading.Barrier(2, timeout=20)  # one of the two is the caller, for there is one helper

    def name(_):
        meeting.wait()
        return threading.current_thread().name

    assert threading.current_thread().name in run_all(name, range(2))


def test_after_an_error_nothing_more_is_begun_and_the_next_work_is_done(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    begun = []

    def fail(k):
        begun.append(k)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_all(fail, range(1000))
    assert len(begun) <= 2
    meeting = threading.Barrier(2, timeout=20)
    assert sorted(run_all(lambda _: meeting.wait(), range(2))) == [0, 1]


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


@pytest.mark.parametrize("threads", ["2", "3"])
def test_work_within_work_does_not_wait_for_itself(monkeypatch, threads):
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    rows = run_all(lambda p: run_all(lambda q: (p, q), range(4)), range(8))
    assert rows == [[(p, q) for q in range(4)] for p in range(8)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    run_all(abs, range(4))
    child = os.fork()
    if child == 0:
        os._exit(0 if run_all(abs, [-1, -2, -3]) == [1, 2, 3] else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
