"""Groups of processes on this machine, joined by torch.distributed over the loopback interface."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import tempfile
import threading
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import numpy as np

from linkwl.engine.group import Group, GroupLostError, MakeMember
from linkwl.engine.processes import follow
from linkwl.engine.worker import become_worker, thread_limit
from linkwl.threads import num_threads

_PATIENCE = timedelta(days=1)
"""A member that is killed is noticed at once; one that computes may take its time."""


class LocalGroup(Group):
    """Member 0 lives in this process and the others in fresh ones, which end with it.

    Messages are tensors of bytes, broadcast and sent by Gloo. Its sockets are bound to the loopback interface, and the
    processes meet by a file in a private folder, so that nothing listens for other machines.
    """

    def __init__(self, make: MakeMember, shared: object, size: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="linkwl-group-")
        self._lifeline, self._held = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self._processes: list[SpawnProcess] = []
        self._channel: _Channel | None = None
        try:
            if size > 1:
                self._start(pickle.dumps((make, shared)), size)
            self._member = make(shared, 0, size)
        except BaseException:
            self.close()
            raise

    def _start(self, work: bytes, size: int) -> None:
        context = multiprocessing.get_context("spawn")
        path = Path(self._folder.name, "meeting")
        connections = []
        for rank in range(1, size):
            mine, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, self._lifeline, path, rank, size))
            with thread_limit(max(1, num_threads() // size)):
                process.start()
            theirs.close()
            connections.append(mine)
            self._processes.append(process)
        try:
            for connection in connections:
                connection.send_bytes(work)
            for process, connection in zip(self._processes, connections, strict=True):
                wait([connection, process.sentinel])
                connection.recv_bytes()  # it is ready to meet the others
            self._channel = _Channel(path, 0, size)
        except (EOFError, OSError) as error:
            raise GroupLostError from error
        finally:
            for connection in connections:
                connection.close()

    def ask(self, message: bytes) -> list[bytes]:
        """Member 0 answers while the others do."""
        if self._channel is None:
            return [self._member.answer(message)]
        with _lost():
            self._channel.broadcast(message)
        own = self._member.answer(message)
        with _lost():
            return [own, *(self._channel.receive(rank) for rank in range(1, len(self._processes) + 1))]

    def close(self) -> None:
        """Kills the other processes."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()
        self._channel = None
        self._held.close()
        self._lifeline.close()
        self._folder.cleanup()


class _lost:
    """Turns an error of Gloo, or of a lost connection, into a GroupLostError."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RuntimeError):
            raise GroupLostError from error


class _Channel:
    """Messages between the members of a group; all of them create it at the same time."""

    def __init__(self, path: Path, rank: int, size: int) -> None:
        import torch.distributed

        dist: Any = torch.distributed
        gloo = dist.ProcessGroupGloo
        options = gloo._Options()
        options._devices = [gloo.create_device(hostname="127.0.0.1")]
        options._timeout = _PATIENCE
        with _lost():
            self._group = gloo(dist.FileStore(str(path), size), rank, size, options)

    def broadcast(self, message: bytes | None = None) -> bytes:
        """A message of member 0 to all others, who give none and get it."""
        import torch

        length = torch.tensor([0 if message is None else len(message)])
        self._group.broadcast(length, 0).wait()
        content = torch.empty(int(length), dtype=torch.uint8) if message is None else _tensor(message)
        self._group.broadcast(content, 0).wait()
        return content.numpy().tobytes()

    def send(self, message: bytes) -> None:
        """A message to member 0."""
        import torch

        for part in (torch.tensor([len(message)]), _tensor(message)):
            self._group.send([part], 0, 0).wait()

    def receive(self, rank: int) -> bytes:
        """The message that a member sends to member 0."""
        import torch

        length = torch.empty(1, dtype=torch.int64)
        self._group.recv([length], rank, 0).wait()
        content = torch.empty(int(length), dtype=torch.uint8)
        self._group.recv([content], rank, 0).wait()
        return content.numpy().tobytes()


def _tensor(message: bytes) -> Any:
    import torch

    return torch.from_numpy(np.frombuffer(bytearray(message), dtype=np.uint8))


def _serve(connection: Connection, lifeline: Connection, path: Path, rank: int, size: int) -> None:
    """A member's life: it ends with its parent process; on Ctrl-C the parent decides."""
    become_worker()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=follow, args=(lifeline,), daemon=True).start()
    make, shared = pickle.loads(connection.recv_bytes())
    member = make(shared, rank, size)
    connection.send_bytes(b"ready")
    connection.close()
    channel = _Channel(path, rank, size)
    while True:
        channel.send(member.answer(channel.broadcast()))
