"""Defers Ctrl-C to the end of a training step."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether an interrupt was requested."""

    def __init__(self) -> None:
        self.is_requested = False


@contextmanager
def deferred_interrupt() -> Iterator[Interrupt]:
    """Turns the first Ctrl-C in a block into a flag, so that the current step can finish; a second acts at once.

    Outside the main thread, or if interrupts are ignored, nothing changes.
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
