"""The connection of this process with Ray."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import util
from pathlib import Path
from typing import Any

from linkwl.engine.worker import environment, thread_limit
from linkwl.errors import InputError, TaskError
from linkwl.owner import Owner
from linkwl.threads import num_threads

LOOPBACK = "127.0.0.1"
_FOLDER = "linkwl-ray-"
_TIMEOUT_SECONDS = 10.0
_CLIENT_ATTEMPTS = 3
_REMOVALS, _PAUSE_SECONDS = 20, 0.1
_OWNER = "owner"
_LONGEST = 24
"""Of the path of the folder above Ray's: names of the sockets in it have at most 107 characters."""
_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
"""No reports about usage; and no warning about variables of GPUs."""
PRIORITY = {"RAY_worker_niceness": "0"}
"""Ray gives its workers the priority 15, with which they nearly stand still beside other work of the machine."""
_token = secrets.token_hex(32)
"""What the processes of our own Ray show each other; another user of this machine does not have it."""
_session: _Session | None = None
"""What this module has started or connected to."""


def check_installed() -> None:
    """Raises InputError if Ray is not installed."""
    if util.find_spec("ray") is None:
        raise InputError("the engine 'ray' needs Ray; pip install 'linkwl[ray]', or use processes:N.")


def connect(address: str | None) -> Any:
    """The module ``ray``, connected to a cluster; starts one if there is no address and no connection.

    Raises:
        InputError: If Ray is not installed, the cluster cannot be reached, or this process is connected to another.
        TaskError: If Ray cannot be started on this machine.
    """
    global _session
    check_installed()
    with environment(_SETTINGS):
        import ray
    if ray.is_initialized():
        if address is None or (_session is not None and _session.address == address):
            return ray
        if _session is not None:
            raise InputError(
                f"this process is connected to {_session}; use a new one for the Ray cluster at {address}."
            )
        return ray  # a connection that the caller has made
    _session = _Session(address)
    with environment(_SETTINGS):
        _session.start(ray)
    return ray


def disconnect() -> None:
    """Ends the connection that :func:`connect` has made, and a Ray that it has started."""
    global _session
    if _session is not None:
        _session.end()
        _session = None


class _Session:
    """A connection, and the folder of a Ray of our own."""

    def __init__(self, address: str | None) -> None:
        self.address = address
        self._folder: Path | None = None
        self._undo: list[Callable[[], object]] = []

    def __str__(self) -> str:
        return "a Ray of its own" if self.address is None else f"the Ray cluster at {self.address}"

    def start(self, ray: Any) -> None:
        atexit.register(disconnect)
        try:
            if self.address is None:
                self._start_here(ray)
            else:
                _check_reachable(self.address)
                _join(ray, self.address)
        except (Exception, SystemExit) as error:
            disconnect()
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            if self.address is None:
                raise TaskError(f"Ray could not be started ({reason}); use the engine processes:N.") from error
            raise InputError(
                f"the Ray cluster at {self.address} cannot be reached ({reason}); check the address and, if the "
                "cluster asks for a token, RAY_AUTH_MODE=token and RAY_AUTH_TOKEN."
            ) from error

    def _start_here(self, ray: Any) -> None:
        self._folder = _new_folder()
        # Without "clusters", Ray takes the loopback interface for its own address and listens on no other.
        constants = ray._private.ray_constants
        self._undo.append(partial(setattr, constants, "ENABLE_RAY_CLUSTER", constants.ENABLE_RAY_CLUSTER))
        self._undo.append(partial(ray._raylet.Config.initialize, ""))
        constants.ENABLE_RAY_CLUSTER = False
        path = os.pathsep.join(folder for folder in sys.path if folder)  # workers import what this process can import
        own = PRIORITY | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": _token, "PYTHONPATH": path}
        cores = num_threads()
        with environment(own), thread_limit(1):
            ray._raylet.Config.initialize("")  # reads the mode again
            ray.init(
                num_cpus=cores,
                include_dashboard=False,
                log_to_driver=False,
                logging_level="error",
                configure_logging=False,
                _node_ip_address=LOOPBACK,
                _temp_dir=str(self._folder),
            )
        if (address := ray.util.get_node_ip_address()) != LOOPBACK:
            raise TaskError(f"it would listen on {address}, not only on {LOOPBACK}")

    def end(self) -> None:
        import ray

        atexit.unregister(disconnect)
        ray.shutdown()
        for undo in self._undo:
            undo()
        for _ in range(_REMOVALS):  # its processes may still write to their logs
            if self._folder is None or not self._folder.exists():
                break
            shutil.rmtree(self._folder, ignore_errors=True)
            time.sleep(_PAUSE_SECONDS)


def _join(ray: Any, address: str) -> None:
    """Connects with a cluster; from outside, several times if need be.

    Ray's client server forks a process for each client. One was seen that did not start, and its client was refused
    after half a minute; the next one was not.
    """
    attempts = _CLIENT_ATTEMPTS if address.startswith("ray://") else 1
    for left in reversed(range(attempts)):
        try:
            ray.init(address, log_to_driver=False, logging_level="error", configure_logging=False)
            return
        except ConnectionAbortedError:
            if not left:
                raise


def _check_reachable(address: str) -> None:
    """Raises OSError if nothing answers at an address; Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_TIMEOUT_SECONDS).close()


def _new_folder() -> Path:
    """A folder for Ray's sockets, logs and spilled objects; removes those of processes that were killed."""
    parent = Path(tempfile.gettempdir())
    if len(str(parent)) > _LONGEST and os.access("/tmp", os.W_OK):
        parent = Path("/tmp")
    for owner in parent.glob(f"{_FOLDER}*/{_OWNER}"):
        with suppress(OSError):  # of another user
            if Owner.is_gone(owner.read_text()):
                shutil.rmtree(owner.parent, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=_FOLDER))
    (folder / _OWNER).write_text(Owner.current().token)
    return folder
