"""The body of a request, counted while it arrives: nothing larger than allowed is ever held."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from linkwl.memory import size_text

_IDLE_SECONDS = 30.0
"""Time that a client may take for the next piece of a body."""
_DRAIN_SECONDS = 2.0


class LimitedBody:
    """Receives a body piece by piece, and raises 413 as soon as it is larger than allowed, or 408 if it stalls.

    Args:
        receive: Receives the next piece.
        most: Number of bytes.
        idle_seconds: Time between two pieces.
    """

    def __init__(self, receive: Receive, most: int, idle_seconds: float = _IDLE_SECONDS) -> None:
        self._receive, self._most, self._idle_seconds = receive, most, idle_seconds
        self._num_bytes = 0
        self._is_complete = False
        self.refusal: HTTPException | None = None
        """Why the body was refused; None if it was not. Whatever the application makes of it, this is the answer."""

    def check_declared(self, headers: Headers) -> None:
        """Raises 413 if the declared length is too large, before anything is read."""
        declared = headers.get("content-length", "0")
        if not declared.isdecimal():
            raise self._refuse(400, "the header `Content-Length` is no number.")
        if len(declared) > 18 or int(declared) > self._most:
            raise self._too_large()

    async def __call__(self) -> Message:
        """The next piece."""
        if self.refusal is not None:
            raise self.refusal
        if self._is_complete:
            return await self._receive()  # waits for the end of the connection
        try:
            async with asyncio.timeout(self._idle_seconds):
                message = await self._receive()
        except TimeoutError as error:
            raise self._refuse(408, "the body of the request did not arrive in time.") from error
        if message["type"] == "http.request":
            self._num_bytes += len(message.get("body", b""))
            self._is_complete = not message.get("more_body", False)
            if self._num_bytes > self._most:
                raise self._too_large()
        return message

    async def drain(self) -> None:
        """Discards what a refused client is still sending, for a moment: else it might never read the answer."""
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                num_bytes = 0
                while not self._is_complete and num_bytes <= self._most:
                    message = await self._receive()
                    num_bytes += len(message.get("body", b""))
                    self._is_complete = not message.get("more_body", False)
        except TimeoutError:
            return

    def _too_large(self) -> HTTPException:
        return self._refuse(413, f"the body of this request may have {size_text(self._most)} at most.")

    def _refuse(self, status: int, sentence: str) -> HTTPException:
        self.refusal = HTTPException(status, sentence)
        return self.refusal
