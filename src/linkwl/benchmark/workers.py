"""Tasks in several processes that share the cores between them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from linkwl.errors import LinkwlError
from linkwl.threads import num_threads

T = TypeVar("T")
R = TypeVar("R")

_THREAD_VARIABLES = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def run_in_processes(function: Callable[[T], R], tasks: Sequence[T], num_processes: int) -> Generator[R, None, None]:
    """The results of ``function``, in the order in which they are finished; at least one task is needed.

    The processes start afresh (``spawn``), so that none inherits threads or locks, and each has its share of the cores.
    Closing the generator drops the tasks that were not begun.

    Raises:
        LinkwlError: If a process was killed.
    """
    with thread_limit(max(1, num_threads() // num_processes)):
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(num_processes, mp_context=context, initializer=_start_worker)
        try:
            for future in as_completed([pool.submit(function, task) for task in tasks]):
                yield future.result()
        except BrokenProcessPool as error:
            raise LinkwlError(
                "a worker process was killed, most likely because the memory was full; what is finished is kept: "
                "run again with fewer --jobs."
            ) from error
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def thread_limit(count: int) -> Iterator[None]:
    """Processes that are started within the block use ``count`` threads each."""
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


def _start_worker() -> None:
    """A worker ends with Ctrl-C, without a word, and with the process that started it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)
