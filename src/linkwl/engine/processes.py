"""Runs tasks in several processes of this machine, which share its cores."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from linkwl.engine.base import Engine, R, T, named_error
from linkwl.engine.inline import InlineEngine
from linkwl.engine.worker import (
    RETRIES,
    Attempts,
    Work,
    become_worker,
    check_retries,
    is_worker,
    open_answer,
    thread_limit,
)
from linkwl.threads import num_threads


class ProcessEngine(Engine):
    """Runs tasks in fresh processes (``spawn``), which inherit no threads or locks.

    Each has its share of the cores. Functions, tasks and results are pickled. Inside a worker of an engine the tasks
    run in that worker, one after the other: the cores are already busy. A worker that is killed is replaced, and its
    task is repeated; the other workers are not disturbed.

    Args:
        num_processes: Maximum number of processes; never more than there are tasks.
        retries: How often a task is repeated whose worker was killed.
    """

    def __init__(self, num_processes: int, *, retries: int = RETRIES) -> None:
        if num_processes < 1:
            raise ValueError(f"`num_processes` must be at least 1, got {num_processes}.")
        self.num_processes = num_processes
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
        count = min(self.num_processes, len(tasks))
        pool = _Pool(pickle.dumps((function, shared)), max(1, num_threads() // count))
        attempts = Attempts(tasks, self.retries)
        waiting = deque(range(len(tasks)))
        try:
            while waiting or pool.running:
                while waiting and len(pool.running) < count:
                    index = waiting.popleft()
                    pool.submit(index, tasks[index])
                for index, answer in pool.answers():
                    if answer is None:
                        attempts.lose(index)
                        waiting.appendleft(index)
                    else:
                        yield index, open_answer(answer, tasks[index])
            pool.finish()
        finally:
            pool.kill()

    def __str__(self) -> str:
        return f"processes:{self.num_processes}"


class _Process:
    """A worker, seen from the process that started it."""

    def __init__(self, lifeline: Connection) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, lifeline))
        self.process.start()
        theirs.close()

    def send(self, message: bytes) -> None:
        """Sends the work or a task; if the worker is gone, :meth:`answer` says so."""
        try:
            self.connection.send_bytes(message)
        except OSError:
            self.process.kill()

    def answer(self) -> bytes | None:
        """The answer to the task; None if the worker was killed."""
        try:
            return self.connection.recv_bytes()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """Waits for the end of the process."""
        self.connection.close()
        self.process.join()
        self.process.close()


class _Pool:
    """Workers, each with at most one task.

    Args:
        work: The pickled function and the value that all tasks share.
        threads: Number of threads of each worker.
    """

    def __init__(self, work: bytes, threads: int) -> None:
        self._work, self._threads = work, threads
        self._lifeline, self._held = multiprocessing.get_context("spawn").Pipe(duplex=False)
        self._idle: list[_Process] = []
        self._unsent: list[tuple[_Process, bytes]] = []
        self.running: dict[int, _Process] = {}
        """The worker of every task that is being run."""

    def submit(self, index: int, task: object) -> None:
        """Runs a task in an idle worker, or in a new one."""
        try:
            pickled = pickle.dumps(task)
        except Exception as error:
            raise named_error(error, task) from error
        if not self._idle:
            with thread_limit(self._threads):
                self._idle.append(_Process(self._lifeline))
            self._unsent.append((self._idle[0], self._work))
        self.running[index] = self._idle.pop()
        self._unsent.append((self.running[index], pickled))

    def answers(self) -> list[tuple[int, bytes | None]]:
        """Waits for a task to end; the answers of all that have, None for those whose worker was killed."""
        for receiver, message in self._unsent:  # after all new workers were started, so that they start together
            receiver.send(message)
        self._unsent.clear()
        signals: dict[Any, int] = {}
        for index, worker in self.running.items():
            # A process that the worker has started may hold the connection open after its death.
            signals |= {worker.connection: index, worker.process.sentinel: index}
        found = []
        for index in sorted({signals[ready] for ready in wait(list(signals))}):
            worker = self.running[index]
            answer = worker.answer() if worker.connection.poll() else None
            del self.running[index]
            if answer is None:
                worker.process.kill()
                worker.end()
            else:
                self._idle.append(worker)
            found.append((index, answer))
        return found

    def finish(self) -> None:
        """Ends the workers, which have nothing left to do."""
        while self._idle:
            self._idle.pop().end()

    def kill(self) -> None:
        """Ends the workers at once: nobody waits for their tasks."""
        left = [*self._idle, *self.running.values()]
        for worker in left:
            worker.process.kill()
        for worker in left:
            worker.end()
        self._held.close()
        self._lifeline.close()


def _serve(connection: Connection, lifeline: Connection) -> None:
    """A worker's life: it ends silently on Ctrl-C, and whenever its parent process ends."""
    become_worker()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=follow, args=(lifeline,), daemon=True).start()
    with suppress(EOFError, ConnectionError):  # the other end is closed when there are no more tasks
        work = Work(connection.recv_bytes())
        while True:
            connection.send_bytes(work.answer(connection.recv_bytes()))


def follow(lifeline: Connection) -> None:
    """Ends this process when the other end of the connection is closed."""
    lifeline.poll(None)
    os._exit(1)
