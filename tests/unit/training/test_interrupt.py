from __future__ import annotations

import signal
import threading

import pytest

from linkwl.training.interrupt import deferred_interrupt


def test_the_first_one_sets_a_flag_and_the_second_acts():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), deferred_interrupt() as interrupt:
        assert not interrupt.is_requested
        signal.raise_signal(signal.SIGINT)
        assert interrupt.is_requested
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    with deferred_interrupt():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_ignored_interrupts_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with deferred_interrupt() as interrupt:
            signal.raise_signal(signal.SIGINT)
            assert not interrupt.is_requested
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_may_use_it():
    seen = []

    def work():
        with deferred_interrupt() as interrupt:
            seen.append(interrupt.is_requested)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [False]
