"""Threads for work that takes longer than a moment, so that the event loop can answer others meanwhile.

There are lanes, each with room for a bounded number of waiting requests. Explanations wait for each other in one. Short
questions, such as the scores of a few pairs, use another: they are never behind an explanation, and a running
explanation pauses for them, because Python lets only one thread compute at a time.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from linkwl.serving.errors import ApiError

_PAUSE_SECONDS = 0.05
"""The longest pause of an explanation after each of its scores."""

P = ParamSpec("P")
R = TypeVar("R")


class Lane:
    """Some threads, and a bounded number of requests that wait for them.

    Args:
        name: The name of the threads.
        threads: Number of threads.
        waiting: Number of requests that may wait; more are refused with 429.
    """

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"linkwl-{name}")
        self._most = threads + waiting
        self._inside = 0
        self._is_idle = threading.Event()
        self._is_idle.set()

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of a function that runs in one of the threads.

        Raises:
            ApiError: With status 429, if too many requests wait already.
        """
        if self._inside >= self._most:
            raise ApiError(
                429, "too many such requests are waiting; try again in a moment.", headers={"retry-after": "1"}
            )
        self._inside += 1
        self._is_idle.clear()
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._pool, lambda: function(*args, **kwargs))
        # The thread is occupied until the work ends, even if the client has gone.
        future.add_done_callback(self._leave)
        return await asyncio.shield(future)

    def _leave(self, future: asyncio.Future[R]) -> None:
        self._inside -= 1
        if self._inside == 0:
            self._is_idle.set()
        if not future.cancelled():
            future.exception()  # marks it as seen, also if nobody waits any more

    def wait_idle(self, seconds: float) -> bool:
        """Waits, in another thread than the event loop's, until nothing runs or waits here; at most so long."""
        return self._is_idle.wait(seconds)

    def close(self) -> None:
        """Drops what is waiting; running work ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Workers:
    """The lanes of a server."""

    def __init__(self) -> None:
        self.explain = Lane("explain", threads=1, waiting=8)
        """Explanations, one at a time."""
        self.score = Lane("score", threads=2, waiting=64)
        """Scores, and what-if questions."""
        self.store = Lane("store", threads=1, waiting=256)
        """Writing decisions."""

    def give_way(self) -> None:
        """Lets short questions go first; called between the steps of an explanation, which ends in bounded time."""
        self.score.wait_idle(_PAUSE_SECONDS)

    def close(self) -> None:
        """Closes all lanes."""
        for lane in (self.explain, self.score, self.store):
            lane.close()
