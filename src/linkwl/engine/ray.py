"""Runs tasks on Ray: on this machine, or on a cluster of several."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np

from linkwl.engine.base import Engine, R, T, named_error
from linkwl.engine.group import Group, MakeMember
from linkwl.engine.inline import InlineEngine
from linkwl.engine.ray_session import connect
from linkwl.engine.worker import (
    RETRIES,
    Attempts,
    Work,
    become_worker,
    check_retries,
    is_worker,
    open_answer,
    use_threads,
)
from linkwl.errors import TaskError

_REFRESH_SECONDS = 5.0
"""Time after which the size of the cluster is looked up again: nodes come and go."""
FETCH_SECONDS = 600.0
"""Time after which a result that Ray has but does not deliver counts as lost."""
_CANCEL_ATTEMPTS = 10
_CANCEL_SECONDS = 1.0


class RayEngine(Engine):
    """Runs tasks as Ray tasks.

    The function and the shared value are put into the object store once, and unpickled once in each worker. Each task
    has a core, or several if there are fewer tasks than cores. A task is repeated if its worker or its node is lost.
    Nothing is started or connected before the first task.

    Args:
        address: A running cluster: ``host:port`` from one of its nodes, ``auto`` for the one that this machine belongs
            to, ``ray://host:port`` from outside. By default the Ray that this process is connected to; if there is
            none, one is started on this machine, which listens on the loopback interface only, and ends with this
            process.
        retries: How often a task is repeated whose worker was killed.

    Raises:
        InputError: If Ray is not installed.
    """

    def __init__(self, address: str | None = None, *, retries: int = RETRIES) -> None:
        self.address = address
        self.retries = check_retries(retries)

    def run(
        self, function: Callable[..., R], tasks: Sequence[T], shared: object
    ) -> Generator[tuple[int, R], None, None]:
        """The index and the result of every task, in order of completion."""
        if not tasks:
            return
        if is_worker():
            yield from InlineEngine().run(function, tasks, shared)
            return
        ray = connect(self.address)
        lost = lost_errors(ray)
        pickled = ray.cloudpickle.dumps((function, shared))
        key = hashlib.sha256(pickled).hexdigest()
        work = ray.put(np.frombuffer(pickled, dtype=np.uint8))  # arrays of the store are read without a copy
        del pickled
        attempts = Attempts(tasks, self.retries)
        waiting, running = deque(range(len(tasks))), dict[Any, int]()
        slots = _Slots(ray, len(tasks))
        submit = ray.remote(_run_task).options(num_cpus=slots.threads, max_retries=0)
        try:
            while waiting or running:
                while waiting and len(running) < slots.most:
                    index = waiting.popleft()
                    running[submit.remote(work, key, _pickled(tasks[index]), slots.threads)] = index
                ready, _ = ray.wait(list(running), timeout=_REFRESH_SECONDS)
                slots.refresh()
                for reference in ready:
                    index = running.pop(reference)
                    try:
                        answer = ray.get(reference, timeout=FETCH_SECONDS)
                    except lost as error:
                        attempts.lose(index, error)
                        waiting.appendleft(index)
                        continue
                    except ray.exceptions.RayError as error:
                        raise _unusable(error) from error
                    yield index, open_answer(answer, tasks[index])
        except ConnectionError as error:  # by Ray's client; no error of a task, which would be a LinkwlError
            running.clear()
            raise TaskError(
                f"the connection with the Ray cluster was lost ({error}); run the command again."
            ) from error
        finally:
            _cancel(ray, list(running))

    def group(self, make: MakeMember, shared: object, size: int) -> Group:
        """Actors of Ray, each with a core of its own."""
        from linkwl.engine.ray_group import RayGroup

        return RayGroup(self.address, make, shared, size)

    def __str__(self) -> str:
        if self.address is None:
            return "ray"
        return self.address if self.address.startswith("ray://") else f"ray:{self.address}"


def lost_errors(ray: Any) -> tuple[type[Exception], ...]:
    """The errors of Ray that mean that a process or a machine was lost, or what it had computed."""
    names = (
        "ActorDiedError",
        "ActorUnavailableError",
        "GetTimeoutError",
        "LocalRayletDiedError",
        "NodeDiedError",
        "ObjectLostError",
        "OutOfMemoryError",
        "WorkerCrashedError",
    )
    return tuple(getattr(ray.exceptions, name) for name in names if hasattr(ray.exceptions, name))


class _Slots:
    """How many tasks to hand to Ray at a time, and how many cores to give to each.

    Ray gets about two tasks for each that can run at once, so that no core waits and few tasks have to be cancelled.
    """

    def __init__(self, ray: Any, num_tasks: int) -> None:
        self._ray = ray
        cores = cores_of(ray)
        # All tasks get equally many cores, so many that each can run on the smallest node.
        self.threads = max(1, min(cores) // -(-num_tasks // len(cores)))
        self._read(cores)

    def refresh(self) -> None:
        """Looks again if some time has passed."""
        if time.monotonic() - self._seen > _REFRESH_SECONDS:
            self._read(cores_of(self._ray))

    def _read(self, cores: list[int]) -> None:
        room = sum(count // self.threads for count in cores)
        if room == 0:  # Ray would wait for such a node forever
            raise TaskError(
                f"no node that is left in the Ray cluster has {self.threads} cores for a task; run the command again."
            )
        self.most = 2 * room + 1
        self._seen = time.monotonic()


def cores_of(ray: Any) -> list[int]:
    """The cores of every living node that has some.

    Raises:
        TaskError: If there is none.
    """
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    cores = [int(resources["CPU"]) for resources in nodes if resources.get("CPU", 0) >= 1]
    if not cores:
        raise TaskError("no node of the Ray cluster has a core for tasks; start one with --num-cpus of at least 1.")
    return cores


def _cancel(ray: Any, references: list[Any]) -> None:
    """Ends tasks at once; asks again for those that were starting and have missed it."""
    for _ in range(_CANCEL_ATTEMPTS):
        if not references:
            return
        for reference in references:
            ray.cancel(reference, force=True)
        _, references = ray.wait(references, num_returns=len(references), timeout=_CANCEL_SECONDS)


def _pickled(task: object) -> bytes:
    try:
        return pickle.dumps(task)
    except Exception as error:
        raise named_error(error, task) from error


def _unusable(error: Exception) -> TaskError:
    reason = str(error).strip().splitlines()[-1:] or [type(error).__name__]
    return TaskError(
        f"a node of the Ray cluster could not run a task ({reason[0].strip()}); every node needs the same versions of "
        "Python, Ray and linkwl."
    )


_work: tuple[str, Work] | None = None
"""In a worker of Ray: the work of its last task, with its digest."""


def _run_task(work: np.ndarray[Any, Any], key: str, task: bytes, threads: int) -> bytes:
    """Runs in a worker of Ray: a result or its failure, pickled."""
    global _work
    become_worker()
    use_threads(threads)
    if _work is None or _work[0] != key:
        _work = key, Work(work.data)
    return _work[1].answer(task)
