from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from linkwl.datasets import DataFile


class Web:
    """A server on this machine; ``pages`` maps a path to its bytes and ``lengths`` to a Content-Length that lies."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.pages: dict[str, bytes] = {}
        self.lengths: dict[str, int] = {}

    def file(self, path: str, content: bytes) -> DataFile:
        """A catalogue entry for ``content`` that points here."""
        return DataFile(path, len(content), hashlib.sha256(content).hexdigest(), f"{self.address}/{path}")


@contextmanager
def serving() -> Iterator[Web]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = web.pages.get(self.path.removeprefix("/"))
            if page is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(web.lengths.get(self.path.removeprefix("/"), len(page))))
            self.end_headers()
            # The client may hang up once it has seen one byte too many.
            try:
                self.wfile.write(page)
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        web = Web(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield web
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setenv("no_proxy", "*")
    with serving() as web:
        yield web


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and no LINKWL_DATA."""
    folder = tmp_path / "cache"
    monkeypatch.delenv("LINKWL_DATA", raising=False)
    monkeypatch.setattr("linkwl.datasets.locate.user_cache_path", lambda _: folder)
    return folder
