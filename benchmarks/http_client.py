"""A small client of HTTP/1.1 for measurements: one connection, requests one after the other, nothing in between."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, NamedTuple, Self


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    def json(self) -> Any:
        """The value of the body."""
        return json.loads(self.body)


class Connection:
    """One kept connection; it is opened again if the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def ask(self, method: str, path: str, value: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """Sends a request, with a value as JSON or with bytes, and reads the answer."""
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}", "X-Linkwl: 1"]
        lines += [f"{name}: {text}" for name, text in (headers or {}).items()]
        if body or method != "GET":
            lines += [f"Content-Length: {len(body)}", "Content-Type: application/json"]
        return await self.send("\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body)

    async def send(self, raw: bytes) -> Answer:
        """Sends bytes and reads one answer; status 0 if the server closes the connection instead."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 26)
        reader, writer = self._streams
        start = time.perf_counter()
        try:
            writer.write(raw)
            await writer.drain()
            status, headers, body = await _read(reader)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            self.close()
            return Answer(0, {}, b"", time.perf_counter() - start)
        if headers.get("connection", "") == "close":
            self.close()
        return Answer(status, headers, body, time.perf_counter() - start)


async def _read(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ")[1])
    fields = (line.partition(":") for line in head[1:] if line)
    headers = {name.lower(): text.strip() for name, _, text in fields}
    if headers.get("transfer-encoding") == "chunked":
        parts = []
        while size := int((await reader.readline()).strip() or b"0", 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readexactly(2)
        return status, headers, b"".join(parts)
    return status, headers, await reader.readexactly(int(headers.get("content-length", 0)))
