"""Small Ray clusters on the loopback interface, for tests; see also ``run_ray_tests.py``."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from linkwl.engine import ray_session
from linkwl.engine.ray_session import PRIORITY, disconnect
from linkwl.engine.worker import environment

ray = pytest.importorskip("ray", reason="Ray is not installed; pip install 'linkwl[ray]'")

MARKS = [
    pytest.mark.ray,
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of Ray
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
]
SMALL = {"num_cpus": 1, "object_store_memory": 80 << 20}
"""A node."""
_HEALTH = {"health_check_period_ms": 1000}
"""A killed node is noticed after seconds; one that is merely slow has as long as by default."""


@contextmanager
def cluster(num_nodes: int, **head: Any) -> Iterator[Any]:
    """A cluster of ``ray.cluster_utils``, to which nobody is connected yet.

    Args:
        num_nodes: The head and further nodes.
        head: Further arguments of the head.
    """
    from ray.cluster_utils import Cluster

    disconnect()
    constants = ray._private.ray_constants
    was_enabled, constants.ENABLE_RAY_CLUSTER = constants.ENABLE_RAY_CLUSTER, False
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    # A process has one token for all that it connects to.
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": ray_session._token}
    folder = tempfile.mkdtemp(dir="/tmp", prefix="linkwl-nodes-")  # names of sockets are limited
    made = None
    try:
        # Ray's client server, a process of its own, must stay on the loopback interface as well.
        here = {constants.ENABLE_RAY_CLUSTERS_ENV_VAR: "0", "RAY_TMPDIR": folder, "RAY_USAGE_STATS_ENABLED": "0"}
        with environment({"PYTHONPATH": path} | here | token | PRIORITY):
            ray._raylet.Config.initialize("")
            first = SMALL | {"include_dashboard": False, "_system_config": _HEALTH} | head
            made = Cluster(initialize_head=True, head_node_args=first)
            for _ in range(num_nodes - 1):
                made.add_node(**SMALL)
            yield made
    finally:
        disconnect()
        ray.shutdown()
        if made is not None:
            made.shutdown()
        ray._raylet.Config.initialize("")
        constants.ENABLE_RAY_CLUSTER = was_enabled
        shutil.rmtree(folder, ignore_errors=True)
