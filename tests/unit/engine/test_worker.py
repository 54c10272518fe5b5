from __future__ import annotations

import os
import pickle
import sys
from types import SimpleNamespace

import pytest

import engine_tasks as work
from linkwl.engine.worker import Attempts, Work, open_answer, thread_limit, use_threads
from linkwl.errors import TaskError
from linkwl.threads import num_threads


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


def test_a_process_uses_as_many_threads_as_it_is_given(monkeypatch):
    given = []
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads=given.append))
    with thread_limit(5):  # restores the environment
        use_threads(2)
        assert (num_threads(), os.environ["OMP_NUM_THREADS"], given) == (2, "2", [2])


def test_work_is_unpickled_once():
    before = work.Counted.count
    mine = Work(pickle.dumps((work.count_unpickled, work.Counted())))
    answers = [open_answer(mine.answer(pickle.dumps(task)), task) for task in range(3)]
    assert answers == [before + 1] * 3


def test_work_that_cannot_be_unpickled_is_a_failed_task():
    with pytest.raises(TaskError, match="first: UnpicklingError"):
        open_answer(Work(b"nothing").answer(pickle.dumps("first")), "first")
    with pytest.raises(TaskError, match="first: UnpicklingError"):
        open_answer(b"nothing", "first")


def test_every_task_has_its_own_attempts():
    attempts = Attempts(["first", "second"], retries=2)
    for index in (0, 1, 0, 1):
        attempts.lose(index)
    with pytest.raises(TaskError, match=r"was killed with 1 task running \(second\), most likely"):
        attempts.lose(1)
