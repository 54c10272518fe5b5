"""Runs an application until it is asked to stop; then running answers are finished, and files closed."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from linkwl.serving.http_connection import HttpConnection

_STOP_SECONDS = 3
"""Time for running answers to finish."""
_MOST_CONNECTIONS = 1000
_SWITCH_SECONDS = 0.001
"""Time after which Python gives another thread a turn: an explanation must not delay other answers."""


class Server(uvicorn.Server):
    """A server that says when it has started, and that ends by itself after a signal instead of raising it again."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, and says so."""
        await super().startup(sockets=sockets)
        if self.started and self._on_start is not None:
            self._on_start()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops at Ctrl-C and at a request of the system; at the second one without waiting."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, frame: Any) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def run(app: Any, own: socket.socket, *, on_start: Callable[[], None] | None = None) -> None:
    """Serves an application at a socket until Ctrl-C, or a request of the system to stop.

    Args:
        app: The application.
        own: A socket that listens.
        on_start: Called when the first request can be answered.
    """
    config = uvicorn.Config(
        app,
        http=HttpConnection,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_level="error",  # a line for every damaged request would let anyone fill the log
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_STOP_SECONDS,
    )
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        Server(config, on_start).run(sockets=[own])
    finally:
        sys.setswitchinterval(before)
