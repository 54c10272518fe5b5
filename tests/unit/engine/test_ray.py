"""Ray on one node, which the engine starts."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

import engine_tasks as work
import ray_clusters
from dying_candidates import KILLED, ManyParts, WorkerDies, digest
from linkwl.engine import RayEngine
from linkwl.engine.ray import _Slots
from linkwl.engine.ray_session import disconnect
from linkwl.errors import InputError, TaskError, UnknownNameError

pytestmark = ray_clusters.MARKS


@pytest.fixture(scope="module")
def one_node():
    """The engine starts Ray on this machine."""
    yield RayEngine()
    disconnect()


def test_one_node_does_what_every_engine_does(one_node, tmp_path):
    ours = ("RAY_AUTH_TOKEN", "RAY_AUTH_MODE", "RAY_worker_niceness", "NUMBA_NUM_THREADS", "PYTHONPATH")
    before = [os.environ.get(name) for name in ours]
    done = []
    tasks = [0.3, 0.0, 0.1, 0.0]
    assert list(one_node.map(work.nap, tasks, on_done=lambda task, _: done.append(task))) == tasks
    assert sorted(done) == sorted(tasks)
    assert list(one_node.map(work.add, iter([1, 2, 3]), shared=10)) == [11, 12, 13]
    assert list(one_node.map(work.halve, [])) == []
    assert list(one_node.map(work.niceness, [0, 1])) == [os.nice(0)] * 2
    assert [os.environ.get(name) for name in ours] == before
    for task, kind, sentence in (
        ("input", InputError, "input: a.csv, line 7: it is bad."),
        ("unknown", UnknownNameError, "unknown: unknown model 'kats'; did you mean 'katz'?"),
        ("other", TaskError, "other: ZeroDivisionError: division by nothing"),
        ("result", TaskError, "result: AttributeError: Can't pickle local object 'fail.<locals>.<lambda>'"),
    ):
        with pytest.raises(kind) as caught:
            list(one_node.map(work.fail, [task]))
        assert str(caught.value) == sentence
    results = one_node.map(
        work.leave_a_mark, [("a", 0.0), *((f"c{k}", 600.0) for k in range(20))], shared=str(tmp_path)
    )
    assert next(results) == "a"
    results.close()
    assert 1 <= len(list(tmp_path.iterdir())) <= 8


def test_a_task_that_kills_its_worker_is_repeated_and_a_refusal_is_not(one_node, tmp_path):
    sentence = r"a worker process was killed with 1 task running \(a\), most likely because the memory was full"
    with pytest.raises(TaskError, match=sentence):
        list(RayEngine(retries=1).map(work.kill_own_worker, ["a"], shared=str(tmp_path)))
    assert (tmp_path / "kills").read_text() == "xx"
    with pytest.raises(InputError, match="refused: this is wrong"):
        list(one_node.map(work.refuse, ["refused"], shared=str(tmp_path)))
    assert (tmp_path / "runs").read_text() == "x"


def test_one_node_ranks_as_this_process_does_though_a_worker_dies(one_node, predictor, tmp_path):
    expected = digest(predictor, ManyParts(predictor.graph_))
    assert digest(predictor, ManyParts(predictor.graph_), one_node) == expected
    assert digest(predictor, WorkerDies(predictor.graph_, tmp_path), one_node) == expected
    assert (tmp_path / KILLED).exists()


def test_tasks_that_no_node_has_cores_for_are_not_waited_for(monkeypatch):
    nodes = [{"Alive": True, "Resources": {"CPU": 4.0}}, {"Alive": True, "Resources": {"CPU": 4.0}}]
    ray = SimpleNamespace(nodes=lambda: nodes)
    slots = _Slots(ray, 2)
    assert (slots.threads, slots.most) == (4, 5)
    monkeypatch.setattr("linkwl.engine.ray._REFRESH_SECONDS", -1.0)
    nodes[0] = {"Alive": False, "Resources": {"CPU": 4.0}}
    slots.refresh()
    assert slots.most == 3
    nodes[1] = {"Alive": True, "Resources": {"CPU": 2.0}}
    with pytest.raises(TaskError, match="no node that is left in the Ray cluster has 4 cores for a task"):
        slots.refresh()
    nodes.clear()
    with pytest.raises(TaskError, match="no node of the Ray cluster has a core for tasks"):
        slots.refresh()
