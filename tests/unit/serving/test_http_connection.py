from __future__ import annotations

import json
import socket
import threading

import pytest

from linkwl.serving import server
from linkwl.serving.address import listen, policy_for
from linkwl.serving.app import create_app
from linkwl.serving.guard import SECURITY_HEADERS
from served import airports


@pytest.fixture(scope="module")
def port():
    own = listen("127.0.0.1", 0)
    number = own.getsockname()[1]
    app = create_app(airports(), policy=policy_for("127.0.0.1", number, None))
    has_started, found = threading.Event(), []
    create = server.Server

    def remember(config, on_start):
        found.append(create(config, on_start))
        return found[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "Server", remember)
        thread = threading.Thread(target=server.run, args=(app, own), kwargs={"on_start": has_started.set})
        thread.start()
        assert has_started.wait(30)
    yield number
    found[0].should_exit = True
    thread.join()


def ask(port, raw):
    """The first line, the headers and the body of the answer, after which the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as own:
        own.sendall(raw)
        answer = b"".join(iter(lambda: own.recv(1 << 16), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return first, dict(line.split(": ", 1) for line in lines), body


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET /api/names?ids=" + b"1" * (1 << 16),
        b"GET /api/health HTTP/1.1\r\n\r\n",
        b"GET /api/health HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    ],
    ids=["bytes", "long address", "no host", "no length"],
)
def test_a_damaged_request_gets_an_error_in_the_one_shape(port, raw):
    first, headers, body = ask(port, raw)
    assert first == "HTTP/1.1 400 Bad Request"
    assert headers["content-type"] == "application/json"
    assert headers["connection"] == "close"
    assert headers.items() >= SECURITY_HEADERS.items()
    assert json.loads(body)["error"]["code"] == "bad_request"


def test_a_sound_request_is_answered(port):
    raw = f"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
    first, _, body = ask(port, raw)
    assert first == "HTTP/1.1 200 OK"
    assert json.loads(body)["status"] == "ok"
