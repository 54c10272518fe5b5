"""The benchmark of the server asks what the page asks, and reads answers in every form."""

from __future__ import annotations

import asyncio
import random
from importlib import import_module
from pathlib import Path

import pytest

from served import WRITE, airports, client_of

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def folder(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT / "benchmarks"))


def test_every_request_of_the_load_is_answered():
    serving = import_module("serving")
    generator, seen = random.Random(0), set()
    with client_of(airports()) as client:
        links = client.get("/api/links?limit=200").json()["links"]
        for _ in range(300):
            method, path, value = serving.mixed(generator, links, 352)
            seen.add((method, path.partition("?")[0]))
            if path == "/":
                continue  # the page may not have been built
            answer = client.request(method, path, json=value, headers=WRITE)
            assert answer.status_code == 200, (method, path, value)
    assert {("PUT", "/api/decisions"), ("POST", "/api/score"), ("GET", "/api/links")} <= seen


@pytest.mark.parametrize(
    ("raw", "status", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, b"ok"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n", 200, b"ok!"),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", 304, b""),
        (b"", 0, b""),
    ],
)
def test_the_client_reads_answers(raw, status, body):
    client = import_module("http_client")

    async def talk():
        async def answer(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(raw)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server, client.Connection(server.sockets[0].getsockname()[1]) as connection:
            return await connection.ask("GET", "/")

    found = asyncio.run(talk())
    assert (found.status, found.body) == (status, body)
