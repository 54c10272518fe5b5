from __future__ import annotations

import signal
import sys
import threading
import urllib.request

import pytest

from linkwl.serving import server
from linkwl.serving.address import listen, policy_for
from linkwl.serving.app import create_app
from served import airports


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_asked_to_stop(number, tmp_path):
    own = listen("127.0.0.1", 0)
    port = own.getsockname()[1]
    app = create_app(airports(), policy=policy_for("127.0.0.1", port, None), decisions=tmp_path)
    answers, interval = [], sys.getswitchinterval()

    def visit():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=10) as answer:
            answers.append((answer.status, answer.headers["server"]))
        signal.pthread_kill(threading.main_thread().ident, number)

    visitor = threading.Thread(target=visit)
    before = signal.getsignal(number)
    server.run(app, own, on_start=visitor.start)
    visitor.join()
    assert answers == [(200, None)]
    assert signal.getsignal(number) == before
    assert sys.getswitchinterval() == interval
    assert not app.state.served._files  # closed


def test_a_second_signal_does_not_wait():
    import uvicorn

    found = server.Server(uvicorn.Config(lambda: None))
    found._stop(signal.SIGINT, None)
    assert (found.should_exit, found.force_exit) == (True, False)
    found._stop(signal.SIGINT, None)
    assert (found.should_exit, found.force_exit) == (True, True)


def test_off_the_main_thread_signals_are_left_alone():
    import uvicorn

    seen = []

    def look():
        with server.Server(uvicorn.Config(lambda: None)).capture_signals():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
