"""The guard around the application: who may ask, from which page, how much they may send, and what answers declare.

The server has no accounts: it trusts the user of this machine, and no page of another site in the user's browser. Each
check below stops one way for such a page, or for another machine, to get in.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linkwl.serving.body_limit import LimitedBody
from linkwl.serving.errors import ApiError, error_of, error_response

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
BODY_BYTES = 4 << 20
"""The largest body of a request."""
UPLOAD_BYTES = 32 << 20
"""The largest file that may be uploaded."""
UPLOADS = "/api/jobs"
WRITE_HEADER = "x-linkwl"
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS: Mapping[str, str] = {
    "content-security-policy": _CONTENT,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@dataclass(frozen=True)
class Policy:
    """Who may ask, and how much they may send."""

    hosts: frozenset[str]
    """The values of the header ``Host`` that are answered, with the port."""
    origins: frozenset[str]
    """The values of the header ``Origin`` that are answered: our own page."""
    token: str | None = field(default=None, repr=False)
    """What every request must know; None for none, which is for loopback only."""
    body_bytes: int = BODY_BYTES
    upload_bytes: int = UPLOAD_BYTES

    @classmethod
    def of(
        cls, port: int, *, names: Iterable[str] = (), outside: Iterable[str] = (), token: str | None = None
    ) -> Policy:
        """The policy for a port of this machine.

        Args:
            port: The port.
            names: Names of this machine, besides those of loopback.
            outside: Names by which others call it, perhaps through a server that speaks TLS at a port of its own.
            token: The token, if there is one.
        """
        plain = {name.lower() for name in (*LOOPBACK, *names, *outside)}
        hosts = {f"{name}:{port}" for name in plain} | (plain if port == 80 else set())
        others = {name.lower() for name in outside}
        origins = {f"http://{host}" for host in hosts} | {f"https://{name}" for name in others}
        return cls(frozenset(hosts | others), frozenset(origins), token)

    def largest(self, path: str) -> int:
        """The largest body for a path, in bytes."""
        return self.upload_bytes if path == UPLOADS else self.body_bytes

    @property
    def cookie(self) -> str:
        """The value of the cookie that stands for the token; it does not reveal the token."""
        return hmac.new((self.token or "").encode(), b"linkwl cookie", hashlib.sha256).hexdigest()


COOKIE = "linkwl"
Check: TypeAlias = Callable[[Policy, Scope, Headers], ApiError | None]


def check_host(policy: Policy, scope: Scope, headers: Headers) -> ApiError | None:
    """The header ``Host`` must be one of ours: a name that an attacker's DNS points to this machine is none."""
    given = headers.getlist("host")
    if len(given) == 1 and given[0].lower() in policy.hosts:
        return None
    return ApiError(403, "this server does not answer to that host name; use the address that it printed.", code="host")


def check_fetch_site(policy: Policy, scope: Scope, headers: Headers) -> ApiError | None:
    """Browsers say which site asks; only our own page may, and a person who opens the page from anywhere."""
    sites = set(headers.getlist("sec-fetch-site"))
    if sites <= {"same-origin", "none"}:
        return None
    is_opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if is_opened and scope["method"] == "GET" and scope["path"] == "/":
        return None
    return ApiError(403, "requests from pages of other sites are refused.", code="cross_site")


def check_origin(policy: Policy, scope: Scope, headers: Headers) -> ApiError | None:
    """An ``Origin``, where there is one, must be our own page."""
    if all(origin.lower() in policy.origins for origin in headers.getlist("origin")):
        return None
    return ApiError(403, "requests from pages of other origins are refused.", code="cross_site")


def check_write_header(policy: Policy, scope: Scope, headers: Headers) -> ApiError | None:
    """Writes need a header that no form and no link of another site can send."""
    if scope["method"] in _READS or headers.get(WRITE_HEADER) == "1":
        return None
    return ApiError(403, "requests that change something need the header `X-Linkwl: 1`.", code="header_missing")


def check_token(policy: Policy, scope: Scope, headers: Headers) -> ApiError | None:
    """Beyond this machine, every request needs the token, in a header or as the cookie that it was exchanged for."""
    if policy.token is None:
        return None
    kind, _, given = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and _same(given.strip(), policy.token):
        return None
    if _same(_cookie(headers), policy.cookie):
        return None
    sentence = "the token is missing or wrong; open the address that the server printed, or send it as a bearer token."
    return ApiError(401, sentence, headers={"www-authenticate": "Bearer"})


CHECKS: tuple[Check, ...] = (check_host, check_fetch_site, check_origin, check_write_header, check_token)
"""Every request passes all of them, in this order."""


class Guard:
    """Middleware that refuses what a check refuses, limits bodies, and adds security headers to every answer.

    An error that nothing else has handled is answered here as well, in the one shape and without a traceback.

    Args:
        app: The application.
        policy: Who may ask.
    """

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        self._app, self._policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        body = LimitedBody(receive, self._policy.largest(scope["path"]))
        answer = _Answer(send, body)
        try:
            for check in CHECKS:
                if (refusal := check(self._policy, scope, headers)) is not None:
                    if check is check_token and self._is_login(scope):
                        await self._log_in(scope, receive, answer)
                        return
                    raise refusal
            body.check_declared(headers)
            await self._app(scope, body, answer)
        except ClientDisconnect:
            return  # nobody waits for an answer
        except Exception as error:
            if answer.has_started:
                raise  # an answer that breaks off must not look complete
            await body.drain()
            found = error_of(body.refusal or error)
            refused = error_response(found.status, found.message, code=found.code, headers=found.headers)
            await refused(scope, receive, _Answer(send))

    def _is_login(self, scope: Scope) -> bool:
        """Whether a person opens the page with the token in the address."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        return scope["method"] == "GET" and scope["path"] == "/" and len(given) == 1 and self._knows(given[0])

    def _knows(self, given: str) -> bool:
        return self._policy.token is not None and _same(given, self._policy.token)

    async def _log_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Exchanges the token in the address, which a browser remembers, for a cookie that no script can read."""
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(COOKIE, self._policy.cookie, httponly=True, samesite="strict", path="/")
        await response(scope, receive, send)


class _Answer:
    """Sends an answer, with the security headers; unless the body was refused, which has an answer of its own."""

    def __init__(self, send: Send, body: LimitedBody | None = None) -> None:
        self._send, self._body = send, body
        self.has_started = False

    async def __call__(self, message: Message) -> None:
        if not self.has_started and self._body is not None and self._body.refusal is not None:
            raise self._body.refusal
        if message["type"] == "http.response.start":
            self.has_started = True
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await self._send(message)


def _cookie(headers: Headers) -> str:
    """The value of our cookie; empty if there is none."""
    cookies = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return next((value for name, _, value in cookies if name == COOKIE), "")


def _same(given: str, expected: str) -> bool:
    """Whether two texts are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode())
