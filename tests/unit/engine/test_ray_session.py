"""Connections with Ray: a Ray of our own, which only this machine can reach, and a cluster from outside."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

import engine_tasks as work
import ray_clusters
from dying_candidates import KILLED, ManyParts, WorkerDies, digest
from fitting import fit, same_state
from linkwl.engine import RayEngine, find_engine
from linkwl.engine.ray_session import LOOPBACK, connect, disconnect
from linkwl.errors import InputError
from toy_model import DyingToy, Toy, ToyConfig

ray = ray_clusters.ray
pytestmark = ray_clusters.MARKS


@pytest.fixture(scope="module")
def outside():
    """The engine of a cluster with two cores, from outside."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port = probe.getsockname()[1]
    with ray_clusters.cluster(1, num_cpus=2, ray_client_server_port=port):
        for _ in range(600):  # the server of clients starts last
            with suppress(OSError):
                socket.create_connection((LOOPBACK, port), timeout=1).close()
                break
            time.sleep(0.1)
        yield find_engine(f"ray://{LOOPBACK}:{port}")


def test_one_node_listens_for_nobody_else_and_leaves_nothing():
    psutil = pytest.importorskip("psutil", reason="lists the sockets of processes")
    assert list(RayEngine().map(work.halve, [1])) == [0.5]
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


def test_another_cluster_needs_another_process():
    connect(None)
    with pytest.raises(InputError, match="this process is connected to a Ray of its own; use a new one"):
        connect("10.0.0.1:6379")
    disconnect()


def test_a_cluster_from_outside_ranks_and_trains_as_this_process_does_though_workers_die(
    outside, predictor, split, tmp_path
):
    assert list(outside.map(work.add, iter([1, 2, 3]), shared=10)) == [11, 12, 13]
    assert ray.util.client.ray.is_connected()
    with pytest.raises(InputError, match="input: a.csv, line 7: it is bad"):
        list(outside.map(work.fail, ["input"]))
    expected = digest(predictor, ManyParts(predictor.graph_))
    assert digest(predictor, WorkerDies(predictor.graph_, tmp_path), outside) == expected
    assert (tmp_path / KILLED).exists()
    settings = ToyConfig.model_validate({"training": {"max_steps": 4, "batches_per_step": 3}})
    alone, together = Toy(settings), DyingToy(settings)
    fit(alone, split, workers=1)
    together.folder = str(tmp_path)
    fit(together, split, workers=2, engine=outside)
    assert same_state(alone, together)
    assert (tmp_path / "kills").read_text() == "x"
