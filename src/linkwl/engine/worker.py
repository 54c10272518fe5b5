"""The side of a worker: what a process that runs tasks for an engine does."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from linkwl.engine.base import call, named_error
from linkwl.errors import LinkwlError, TaskError

_THREAD_VARIABLES = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
RETRIES = 3
"""How often a task is repeated whose worker was killed, unless an engine is created with another number."""

_is_worker = False


def is_worker() -> bool:
    """Whether this process is a worker of an engine; an engine in it runs its tasks there, one after the other."""
    return _is_worker


def become_worker() -> None:
    """Marks this process as a worker."""
    global _is_worker
    _is_worker = True


class WorkerTraceback(Exception):
    """The traceback of an error in a worker, as text: traceback objects cannot be pickled."""


class Failure(NamedTuple):
    """Sent by a worker instead of a result."""

    error: LinkwlError
    traceback: str


class Work:
    """A function and the value that its tasks share, in a worker; unpickled for the first task only.

    Args:
        pickled: The function and the value.
    """

    def __init__(self, pickled: bytes | memoryview) -> None:
        self._pickled: bytes | memoryview | None = pickled
        self._function: Callable[..., Any]
        self._shared: object

    def answer(self, pickled: bytes) -> bytes:
        """The result of a pickled task, or its :class:`Failure`, pickled."""
        task: object = "a task"
        try:
            task = pickle.loads(pickled)
            if self._pickled is not None:
                self._function, self._shared = pickle.loads(self._pickled)
                self._pickled = None
            return pickle.dumps(call(self._function, self._shared, task))
        except Exception as error:
            text = traceback.format_exc()
            return pickle.dumps(Failure(named_error(error, task), text))


def open_answer(answer: bytes, task: object) -> Any:
    """The result in an answer.

    Raises:
        LinkwlError: If the task failed in the worker, or the answer cannot be read.
    """
    try:
        result = pickle.loads(answer)
    except Exception as error:
        raise named_error(error, task) from error
    if isinstance(result, Failure):
        raise result.error from WorkerTraceback(result.traceback)
    return result


class Attempts:
    """Counts how often the workers of each task were killed.

    Args:
        tasks: All tasks.
        retries: How often a task is repeated.
    """

    def __init__(self, tasks: Sequence[object], retries: int) -> None:
        self._tasks, self._retries = tasks, retries
        self._lost: dict[int, int] = {}

    def lose(self, index: int, cause: BaseException | None = None) -> None:
        """Notes that the worker of a task was killed.

        Raises:
            TaskError: If the task must not be repeated again.
        """
        self._lost[index] = self._lost.get(index, 0) + 1
        if self._lost[index] > self._retries:
            raise TaskError(
                f"a worker process was killed with 1 task running ({self._tasks[index]}), most likely because the "
                "memory was full; run again with fewer processes."
            ) from cause


def check_retries(retries: int) -> int:
    """The number of retries; raises ValueError if it is negative."""
    if retries < 0:
        raise ValueError(f"`retries` must be at least 0, got {retries}.")
    return retries


def use_threads(count: int) -> None:
    """Lets this process use that many threads from now on."""
    os.environ.update(_threads(count))
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(count)


@contextmanager
def thread_limit(count: int) -> Iterator[None]:
    """Processes started within the block use ``count`` threads each."""
    with environment(_threads(count)):
        yield


@contextmanager
def environment(values: dict[str, str]) -> Iterator[None]:
    """Variables of the environment, for a block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _threads(count: int) -> dict[str, str]:
    # Idle threads must not take the cores of another process.
    policy = os.environ.get("OMP_WAIT_POLICY", "PASSIVE")
    return dict.fromkeys(_THREAD_VARIABLES, str(count)) | {"OMP_WAIT_POLICY": policy}
