"""Threads for work that takes longer than a moment, so that the event loop can answer others meanwhile.

There are two lanes. Explanations wait for each other in one; short questions, such as the scores of a few pairs, use
the other, and are never behind an explanation. Both have room for a bounded number of waiting requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from linkwl.serving.errors import ApiError

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
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._pool, lambda: function(*args, **kwargs))
        # The thread is occupied until the work ends, even if the client has gone.
        future.add_done_callback(self._leave)
        return await asyncio.shield(future)

    def _leave(self, future: asyncio.Future[R]) -> None:
        self._inside -= 1
        if not future.cancelled():
            future.exception()  # marks it as seen, also if nobody waits any more

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

    def close(self) -> None:
        """Closes all lanes."""
        for lane in (self.explain, self.score, self.store):
            lane.close()
