"""Ray on one node, which the engine starts, and on three nodes of a cluster."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import engine_tasks as work
from dying_candidates import KILLED, ManyParts, NodeDies, WorkerDies, digest
from fitting import fit, same_state
from linkwl.engine import RayEngine, ray_session
from linkwl.engine.ray_session import LOOPBACK, connect, disconnect
from linkwl.engine.worker import environment
from linkwl.errors import InputError, TaskError, UnknownNameError
from toy_model import DyingToy, Toy, ToyConfig

ray = pytest.importorskip("ray", reason="Ray is not installed; pip install 'linkwl[ray]'")

pytestmark = [
    pytest.mark.ray,
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of Ray
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
]


@pytest.fixture(scope="module")
def one_node():
    """The engine starts Ray on this machine."""
    yield RayEngine()
    disconnect()


@pytest.fixture(scope="module")
def cluster():
    """A head and two further nodes, all on the loopback interface."""
    from ray.cluster_utils import Cluster

    disconnect()
    constants = ray._private.ray_constants
    was_enabled, constants.ENABLE_RAY_CLUSTER = constants.ENABLE_RAY_CLUSTER, False
    path = os.pathsep.join([str(Path(work.__file__).parent), *filter(None, sys.path)])
    # A process has one token for all that it connects to.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": ray_session._token}
    with environment({"PYTHONPATH": path, "RAY_USAGE_STATS_ENABLED": "0"} | token):
        ray._raylet.Config.initialize("")
        small = {"num_cpus": 1, "object_store_memory": 80 << 20}
        made = Cluster(initialize_head=True, head_node_args=small | {"include_dashboard": False})
        for _ in range(2):
            made.add_node(**small)
        ray.init(made.address, log_to_driver=False, logging_level="error", configure_logging=False)
        yield made
        ray.shutdown()
        made.shutdown()
    ray._raylet.Config.initialize("")
    constants.ENABLE_RAY_CLUSTER = was_enabled


def test_one_node_does_what_every_engine_does(one_node, tmp_path):
    ours = ("RAY_AUTH_TOKEN", "RAY_AUTH_MODE", "NUMBA_NUM_THREADS", "PYTHONPATH")
    before = [os.environ.get(name) for name in ours]
    done = []
    tasks = [0.3, 0.0, 0.1, 0.0]
    assert list(one_node.map(work.nap, tasks, on_done=lambda task, _: done.append(task))) == tasks
    assert sorted(done) == sorted(tasks)
    assert list(one_node.map(work.add, iter([1, 2, 3]), shared=10)) == [11, 12, 13]
    assert list(one_node.map(work.halve, [])) == []
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


def test_one_node_listens_for_nobody_else_and_leaves_nothing(one_node):
    psutil = pytest.importorskip("psutil", reason="lists the sockets of processes")
    assert list(one_node.map(work.halve, [1])) == [0.5]
    assert ray.util.get_node_ip_address() == LOOPBACK
    listening = set()
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        with suppress(psutil.Error):  # it has just ended
            sockets = process.net_connections("tcp")
            listening |= {socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN}
    assert listening
    assert {ip.removeprefix("::ffff:") for ip in listening} == {LOOPBACK}
    left = [f for f in Path(tempfile.gettempdir()).glob("linkwl-ray-*/owner") if f"-{os.getpid()}-" in f.read_text()]
    assert len(left) == 1
    disconnect()
    assert not left[0].parent.exists()
    assert not ray.is_initialized()


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


def test_another_cluster_needs_another_process(one_node):
    connect(None)
    with pytest.raises(InputError, match="this process is connected to a Ray of its own; use a new one"):
        connect("10.0.0.1:6379")


def test_three_nodes_rank_as_this_process_does_though_a_worker_and_a_node_die(cluster, predictor, tmp_path):
    graph, engine = predictor.graph_, RayEngine(cluster.address)
    expected = digest(predictor, ManyParts(graph))
    assert digest(predictor, ManyParts(graph), engine) == expected
    assert digest(predictor, WorkerDies(graph, tmp_path), engine) == expected
    assert (tmp_path / KILLED).exists()
    removed = []

    def remove() -> None:
        while not (tmp_path / "victim").exists():
            time.sleep(0.02)
        name = (tmp_path / "victim").read_text()
        (node,) = (node for node in cluster.worker_nodes if node.node_id == name)
        cluster.remove_node(node, allow_graceful=False)
        removed.append(name)

    thread = threading.Thread(target=remove, daemon=True)
    thread.start()
    assert digest(predictor, NodeDies(graph, tmp_path, cluster.head_node.node_id), engine) == expected
    thread.join()
    assert len(removed) == 1
    assert [node.node_id for node in cluster.worker_nodes] != removed
    assert len(cluster.worker_nodes) == 1
    cluster.add_node(num_cpus=1, object_store_memory=80 << 20)


def test_actors_train_the_weights_of_one_process_though_one_dies(cluster, split, tmp_path):
    settings = ToyConfig.model_validate({"training": {"max_steps": 4, "batches_per_step": 3}})
    alone, together = Toy(settings), DyingToy(settings)
    fit(alone, split, workers=1)
    together.folder = str(tmp_path)
    fit(together, split, workers=3, engine=RayEngine(cluster.address))
    assert same_state(alone, together)
    assert (tmp_path / "kills").read_text() == "x"
    with pytest.raises(InputError, match="9 workers need as many cores, and the Ray cluster has [34];"):
        fit(
            Toy(settings.model_copy(update={"training": settings.training.model_copy(update={"batches_per_step": 9})})),
            split,
            workers=9,
            engine=RayEngine(cluster.address),
        )
