from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import engine_tasks as work
from dying_candidates import KILLED, ManyParts, WorkerDies, digest
from linkwl.engine import ProcessEngine
from linkwl.errors import InputError, TaskError


@pytest.mark.thorough
def test_every_task_is_done_in_another_process_with_its_share_of_the_cores(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "6")
    before = dict(os.environ)
    results = ProcessEngine(2).map(os.getenv, ["NUMBA_NUM_THREADS", "OMP_NUM_THREADS"])
    assert next(results) == "3"
    assert dict(os.environ) == before
    assert list(results) == ["3"]
    assert list(ProcessEngine(4).map(os.getenv, ["NUMBA_NUM_THREADS"])) == ["6"]


@pytest.mark.thorough
def test_what_is_shared_is_sent_once_to_each_worker(tmp_path):
    seen = list(ProcessEngine(2).map(work.count_copies, range(12), shared=(work.Counted(), str(tmp_path))))
    assert len({pid for pid, _ in seen}) == 2
    assert {count for _, count in seen} == {1}


@pytest.mark.thorough
def test_results_are_told_as_they_are_finished_though_an_earlier_task_is_not(tmp_path):
    done = []
    tasks = [("first", "last"), ("second", ""), ("last", "second")]
    results = list(
        ProcessEngine(2).map(work.wait_for, tasks, shared=str(tmp_path), on_done=lambda _, name: done.append(name))
    )
    assert results == ["first", "second", "last"]
    assert done[0] == "second"


def test_the_traceback_of_the_worker_is_kept():
    with pytest.raises(TaskError) as caught:
        list(ProcessEngine(1).map(work.fail, ["other"]))
    assert "raise ZeroDivisionError" in str(caught.value.__cause__)
    assert "engine_tasks.py" in str(caught.value.__cause__)


@pytest.mark.thorough
def test_a_result_that_cannot_be_sent_names_its_task():
    with pytest.raises(TaskError, match=r"result: \w+Error: Can't pickle local object"):
        list(ProcessEngine(1).map(work.fail, ["result"]))


@pytest.mark.thorough
def test_a_task_that_kills_its_worker_each_time_is_named_and_no_result_is_lost(tmp_path):
    done = []
    with pytest.raises(TaskError) as caught:
        list(
            ProcessEngine(2, retries=1).map(
                work.end_when,
                ["first", "second", "killer", "waiter", "later", "last"],
                shared=str(tmp_path),
                on_done=lambda task, _: done.append(task),
            )
        )
    assert sorted(done) == ["first", "second"]
    assert (tmp_path / "kills").read_text() == "xx"
    assert str(caught.value) == (
        "a worker process was killed with 1 task running (killer), most likely because the memory was full; "
        "run again with fewer processes."
    )


@pytest.mark.thorough
def test_a_killed_worker_is_replaced_and_its_task_repeated(tmp_path):
    """The second task is killed from outside while it runs; the other worker goes on with what it has begun."""
    tasks = ["first", "victim", "third", "fourth"]
    results = ProcessEngine(2).map(work.wait_to_be_killed, tasks, shared=str(tmp_path))
    with work.killer(tmp_path):
        assert list(results) == tasks
    assert [(tmp_path / f"runs-{name}").read_text() for name in tasks] == ["x", "xx", "x", "x"]


@pytest.mark.thorough
def test_a_refusal_is_not_repeated(tmp_path):
    with pytest.raises(InputError, match="refused: this is wrong"):
        list(ProcessEngine(1).map(work.refuse, ["refused"], shared=str(tmp_path)))
    assert (tmp_path / "runs").read_text() == "x"


def test_the_number_of_retries_is_checked():
    assert ProcessEngine(1).retries == 3
    with pytest.raises(ValueError, match="`retries` must be at least 0, got -1"):
        ProcessEngine(1, retries=-1)


@pytest.mark.thorough
def test_a_worker_that_uses_an_engine_does_the_work_itself():
    ((halves, pid),) = ProcessEngine(1).map(work.halve_in_processes, [[1, 2, 3]])
    assert halves == [0.5, 1.0, 1.5]
    assert pid != os.getpid()


@pytest.mark.parametrize("count", [0, -1])
def test_there_is_at_least_one_process(count):
    with pytest.raises(ValueError, match="`num_processes` must be at least 1"):
        ProcessEngine(count)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import engine_tasks
from linkwl.engine import ProcessEngine
if __name__ == "__main__":
    list(ProcessEngine(2).map(engine_tasks.leave_a_mark, [("a", 600), ("b", 600), ("c", 600)], shared=sys.argv[2]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path, how):
    """Ctrl-C reaches all processes of a terminal; a kill only the first."""
    command = [sys.executable, "-c", SCRIPT, str(Path(__file__).parents[2]), str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while len(list(tmp_path.iterdir())) < 2:
            assert process.poll() is None
            time.sleep(0.02)
        if how is signal.SIGINT:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        errors = process.stderr.read()  # the pipe closes when the last of them is gone
    assert errors.count("Traceback") <= 1  # of the first process; the workers say nothing
    assert process.returncode != 0


@pytest.mark.thorough
def test_processes_rank_as_this_process_does_though_a_worker_dies(predictor, tmp_path):
    expected = digest(predictor, ManyParts(predictor.graph_))
    assert digest(predictor, ManyParts(predictor.graph_), ProcessEngine(2)) == expected
    assert digest(predictor, WorkerDies(predictor.graph_, tmp_path), ProcessEngine(2)) == expected
    assert (tmp_path / KILLED).exists()
