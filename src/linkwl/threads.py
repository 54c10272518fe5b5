"""Runs work on several cores.

Kernels compiled with ``nogil`` run in parallel threads. Each call owns its part of the output, so the result does not
depend on the number of threads or on the order in which they finish.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from threading import local
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def num_threads() -> int:
    """Number of threads: ``NUMBA_NUM_THREADS``, by default the cores that this process may run on."""
    wanted = os.environ.get("NUMBA_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool(size: int) -> ThreadPoolExecutor:
    """Threads that wait for work: starting them again would take longer than many kernels."""
    return ThreadPoolExecutor(size, thread_name_prefix="linkwl", initializer=_mark_worker)


# A worker that waited for others of its pool could wait forever, so it runs its work alone.
_thread = local()


def _mark_worker() -> None:
    _thread.is_worker = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


class _Job(Generic[T, R]):
    """Items that several threads process one after the other."""

    def __init__(self, function: Callable[[T], R], work: list[T]) -> None:
        self._function, self._work = function, work
        self._places = iter(range(len(work)))
        self._results: dict[int, R] = {}

    def take_part(self) -> None:
        """Processes items until there are none left, or one has failed."""
        try:
            for place in self._places:
                self._results[place] = self._function(self._work[place])
        except BaseException:
            deque(self._places, maxlen=0)  # no thread starts another item
            raise

    def finish(self) -> list[R]:
        """The results in order; drops all references, so that a thread that is still returning keeps nothing alive."""
        results = [self._results[place] for place in sorted(self._results)]
        del self._function, self._work, self._results
        return results


def run_all(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """The results of ``function`` on every item, in order, several at a time.

    The calling thread takes part, and each thread takes the next item when it is free: only one thread per further core
    has to be woken, not one per item.
    """
    work = list(items)
    size = num_threads()
    num_helpers = min(size, len(work)) - 1
    if num_helpers < 1 or getattr(_thread, "is_worker", False):
        return list(map(function, work))
    job = _Job(function, work)
    helpers = [_pool(size).submit(job.take_part) for _ in range(num_helpers)]
    _thread.is_worker = True
    try:
        job.take_part()
    finally:
        _thread.is_worker = False
        started = [helper for helper in helpers if not helper.cancel()]
        wait(started)
        results = job.finish()
    for helper in started:
        helper.result()
    return results


def run_ranges(function: Callable[[int, int], R], count: int, *, smallest: int = 1024) -> list[R]:
    """The results of ``function(start, stop)`` on consecutive ranges that cover 0 .. count, several at a time.

    There are a few more ranges than threads, to balance uneven work, but none shorter than ``smallest``.
    """
    parts = max(1, min(4 * num_threads(), count // smallest))
    cuts = [count * k // parts for k in range(parts + 1)]
    return run_all(lambda bounds: function(*bounds), pairwise(cuts))
