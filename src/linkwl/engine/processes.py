"""Runs tasks in several processes of this machine, which share its cores."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from linkwl.engine.base import Engine, R, T, call, named_error
from linkwl.engine.inline import InlineEngine
from linkwl.errors import LinkwlError, TaskError
from linkwl.threads import num_threads

_THREAD_VARIABLES = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class ProcessEngine(Engine):
    """Runs tasks in fresh processes (``spawn``), which inherit no threads or locks.

    Each has its share of the cores. Functions, tasks and results are pickled. Inside a worker of an engine the tasks
    run in that worker, one after the other: the cores are already busy.

    Args:
        num_processes: Maximum number of processes; never more than there are tasks.
    """

    def __init__(self, num_processes: int) -> None:
        if num_processes < 1:
            raise ValueError(f"`num_processes` must be at least 1, got {num_processes}.")
        self.num_processes = num_processes

    def run(
        self, function: Callable[..., R], tasks: Sequence[T], shared: object
    ) -> Generator[tuple[int, R], None, None]:
        """The index and the result of every task, in order of completion."""
        if not tasks:
            return
        if _worker is not None:
            yield from InlineEngine().run(function, tasks, shared)
            return
        count = min(self.num_processes, len(tasks))
        context = multiprocessing.get_context("spawn")
        started = context.RawArray("b", len(tasks))
        lifeline, held = context.Pipe(duplex=False)
        setup = (pickle.dumps((function, shared)), started, lifeline)
        pool = ProcessPoolExecutor(count, context, _start_worker, setup)
        unfinished = set(range(len(tasks)))
        killed = None
        try:
            with thread_limit(max(1, num_threads() // count)):
                indices = {pool.submit(_run_task, index, task): index for index, task in enumerate(tasks)}
            for future in as_completed(indices):
                index = indices.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool as error:
                    killed = error  # finished results of other workers still follow
                    continue
                except Exception as error:  # a task or a result that cannot be pickled
                    raise named_error(error, tasks[index]) from error
                if isinstance(result, _Failure):
                    raise result.error from _WorkerTraceback(result.traceback)
                unfinished.remove(index)
                yield index, result
            if killed is not None:
                raise _killed([tasks[index] for index in sorted(unfinished) if started[index]]) from killed
        finally:
            if unfinished:
                held.close()  # ends the workers: nobody waits for their running tasks
            pool.shutdown(cancel_futures=True)
            held.close()
            lifeline.close()

    def __str__(self) -> str:
        return f"processes:{self.num_processes}"


@contextmanager
def thread_limit(count: int) -> Iterator[None]:
    """Processes started within the block use ``count`` threads each."""
    before = {name: os.environ.get(name) for name in (*_THREAD_VARIABLES, "OMP_WAIT_POLICY")}
    os.environ.update(dict.fromkeys(_THREAD_VARIABLES, str(count)))
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # idle threads must not take the cores of another process
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _WorkerTraceback(Exception):
    """The traceback of an error in a worker, as text: traceback objects cannot be pickled."""


class _Failure(NamedTuple):
    """Sent by a worker instead of a result."""

    error: LinkwlError
    traceback: str


class _Worker:
    """The state of a worker process."""

    def __init__(self, work: bytes, started: Any) -> None:
        self._work = work
        self._function: Callable[..., Any] | None = None
        self._shared: object = None
        self._started = started

    def run(self, index: int, task: object) -> Any:
        self._started[index] = 1
        try:
            if self._function is None:
                self._function, self._shared = pickle.loads(self._work)
                self._work = b""
            return call(self._function, self._shared, task)
        except Exception as error:
            text = traceback.format_exc()
            return _Failure(named_error(error, task), text)


_worker: _Worker | None = None
"""None in a process that is not a worker."""


def _run_task(index: int, task: object) -> Any:
    assert _worker is not None
    return _worker.run(index, task)


def _start_worker(work: bytes, started: Any, lifeline: Connection) -> None:
    """Initialises a worker: it ends silently on Ctrl-C, and whenever its parent process ends."""
    global _worker
    _worker = _Worker(work, started)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_follow, args=(lifeline,), daemon=True).start()


def _follow(lifeline: Connection) -> None:
    """Waits until the other end is closed."""
    lifeline.poll(None)
    os._exit(1)


def _killed(tasks: Sequence[object]) -> TaskError:
    names = f" ({'; '.join(map(str, tasks))})" if tasks else ""
    running = f"{len(tasks)} task{'' if len(tasks) == 1 else 's'} running{names}"
    return TaskError(
        f"a worker process was killed with {running}, most likely because the memory was full; run again with fewer "
        "processes."
    )
