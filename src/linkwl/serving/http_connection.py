"""One connection of HTTP/1.1: bytes that are no request get an error in the one shape, as every other refusal does."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from linkwl.serving.errors import error_response
from linkwl.serving.guard import SECURITY_HEADERS

_SENTENCE = "this is no request of HTTP/1.1, or its address and headers are too long."


class HttpConnection(H11Protocol):
    """A connection whose answer to a damaged request is JSON with the security headers.

    Such a request never reaches the application, so the guard cannot answer it.
    """

    def send_400_response(self, msg: str) -> None:
        """Refuses a damaged request and closes the connection."""
        own = {**SECURITY_HEADERS, "cache-control": "no-store", "connection": "close"}
        answer = error_response(400, _SENTENCE, headers=own)
        start = h11.Response(status_code=400, headers=answer.raw_headers, reason=b"Bad Request")
        for event in (start, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
