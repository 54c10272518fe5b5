"""Ctrl-C between two steps rather than in the middle of one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether someone asked to stop."""

    def __init__(self) -> None:
        self.is_requested = False


@contextmanager
def deferred_interrupt() -> Iterator[Interrupt]:
    """Turns the first Ctrl-C of a block into a flag, so that a step is finished first; the second one acts at once.

    Outside the main thread, or where interrupts are ignored, nothing changes.
    """
    interrupt = Interrupt()
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(previous):
        yield interrupt
        return

    def request(number: int, frame: FrameType | None) -> None:
        interrupt.is_requested = True
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, request)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, previous)
