from __future__ import annotations

import os

import pytest

from linkwl.benchmark.workers import run_in_processes, thread_limit
from linkwl.errors import LinkwlError
from linkwl.threads import num_threads


def test_every_task_is_done_in_another_process_with_its_share_of_the_cores(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "6")
    before = dict(os.environ)
    assert list(run_in_processes(os.getenv, ["NUMBA_NUM_THREADS", "OMP_NUM_THREADS"], 2)) == ["3", "3"]
    assert dict(os.environ) == before


def test_the_environment_is_left_as_it_was(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    before = dict(os.environ)
    with pytest.raises(ZeroDivisionError), thread_limit(3):
        assert num_threads() == 3
        assert (os.environ["OMP_NUM_THREADS"], os.environ["OMP_WAIT_POLICY"]) == ("3", "PASSIVE")
        raise ZeroDivisionError
    assert dict(os.environ) == before


def test_a_killed_process_is_one_sentence():
    with pytest.raises(LinkwlError, match="a worker process was killed.*run again with fewer --jobs"):
        list(run_in_processes(os._exit, [9], 1))
