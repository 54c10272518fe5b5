"""Every way in that the guard closes: the request is refused, and would be answered without the check."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest
from starlette.requests import ClientDisconnect

from linkwl.serving import create_app, guard
from linkwl.serving.guard import CHECKS, SECURITY_HEADERS, Policy
from served import BASE, WRITE, airports, client_of, visitor

TOKEN = "a-token-of-some-length"
DECISION = {"decisions": [{"source": 3, "target": 9, "verdict": "accepted"}]}


class Probe(NamedTuple):
    check: str
    headers: dict[str, str]
    status: int = 403
    method: str = "GET"
    path: str = "/api/health"
    token: str | None = None


PROBES = {
    "a name that an attacker's DNS points here": Probe("check_host", {"Host": "evil.example:8000"}),
    "our address without the port": Probe("check_host", {"Host": "127.0.0.1"}),
    "our address with another port": Probe("check_host", {"Host": "127.0.0.1:9000"}),
    "a name that only begins like ours": Probe("check_host", {"Host": "127.0.0.1:8000.evil.example"}),
    "an empty host": Probe("check_host", {"Host": ""}),
    "a script of another site": Probe(
        "check_fetch_site", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    ),
    "another port of this machine": Probe("check_fetch_site", {"Sec-Fetch-Site": "same-site"}),
    "a picture on another site": Probe(
        "check_fetch_site", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"}
    ),
    "a link on another site into the API": Probe(
        "check_fetch_site", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}
    ),
    "a frame of another site": Probe(
        "check_fetch_site",
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate"},
        path="/api/docs",
    ),
    "a page of another origin": Probe("check_origin", {"Origin": "http://evil.example"}),
    "another port as origin": Probe("check_origin", {"Origin": "http://127.0.0.1:9000"}),
    "our address with another scheme": Probe("check_origin", {"Origin": "https://127.0.0.1:8000"}),
    "a sandboxed frame": Probe("check_origin", {"Origin": "null"}),
    "a form that writes": Probe("check_write_header", {}, method="PUT", path="/api/decisions"),
    "a form that scores": Probe("check_write_header", {}, method="POST", path="/api/decisions.csv"),
    "another value of the header": Probe("check_write_header", {"X-Linkwl": "0"}, method="PUT", path="/api/decisions"),
    "no token": Probe("check_token", {}, 401, token=TOKEN),
    "a wrong token": Probe("check_token", {"Authorization": "Bearer a-token-of-another"}, 401, token=TOKEN),
    "the token as another scheme": Probe("check_token", {"Authorization": f"Basic {TOKEN}"}, 401, token=TOKEN),
    "an empty token": Probe("check_token", {"Authorization": "Bearer "}, 401, token=TOKEN),
    "a cookie that is the token": Probe("check_token", {"Cookie": f"linkwl={TOKEN}"}, 401, token=TOKEN),
    "a token in the address of the API": Probe("check_token", {}, 401, path=f"/api/health?token={TOKEN}", token=TOKEN),
    "a write without token": Probe("check_token", WRITE, 401, "PUT", "/api/decisions", TOKEN),
}


@pytest.fixture(scope="module")
def apps():
    return {token: create_app(airports(), policy=Policy.of(8000, token=token)) for token in (None, TOKEN)}


@pytest.fixture(scope="module")
def clients(apps):
    with client_of(app=apps[None]) as plain, client_of(app=apps[TOKEN]) as guarded:
        yield {None: plain, TOKEN: guarded}


def ask(clients, probe):
    content = (
        None if probe.method == "GET" else b'{"decisions": []}' if probe.method == "PUT" else b"source,target,verdict"
    )
    return clients[probe.token].request(probe.method, probe.path, headers=probe.headers, content=content)


@pytest.mark.parametrize("name", PROBES)
def test_it_is_refused(clients, name):
    probe = PROBES[name]
    answer = ask(clients, probe)
    assert answer.status_code == probe.status
    assert set(answer.json()) == {"error"} and answer.json()["error"]["message"].endswith(".")
    assert answer.headers["content-security-policy"] == SECURITY_HEADERS["content-security-policy"]


@pytest.mark.parametrize("name", PROBES)
def test_without_its_check_it_would_not_be(clients, name, monkeypatch):
    probe = PROBES[name]
    rest = tuple(check for check in CHECKS if check.__name__ != probe.check)
    assert len(rest) == len(CHECKS) - 1
    monkeypatch.setattr(guard, "CHECKS", rest)
    assert ask(clients, probe).status_code in (200, 422)  # answered, or read and found empty


def test_every_check_has_a_probe():
    assert {probe.check for probe in PROBES.values()} == {check.__name__ for check in CHECKS}


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LocalHost:8000", "[::1]:8000"])
def test_our_own_page_is_answered(clients, host):
    headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert clients[None].get("/api/health", headers=headers).status_code == 200


def test_a_person_may_open_the_page_from_a_link(clients):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert clients[None].get("/", headers=headers).status_code in (200, 404)


def test_two_host_headers_are_refused(clients):
    headers = [("Host", "127.0.0.1:8000"), ("Host", "evil.example")]
    assert clients[None].get("/api/health", headers=headers).status_code == 403


def test_there_is_no_cors(clients):
    headers = {"Origin": BASE, "Access-Control-Request-Method": "PUT"}
    answer = clients[None].options("/api/decisions", headers=headers)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_token_is_accepted_as_a_header(clients):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert clients[TOKEN].get("/api/health", headers=headers).status_code == 200


def test_the_token_in_the_address_becomes_a_cookie(apps):
    client = visitor(apps[TOKEN])
    assert client.get("/").status_code == 401
    assert client.get("/?token=another").status_code == 401
    answer = client.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    assert client.get("/api/health").status_code == 200


def test_a_policy_does_not_show_its_token():
    assert TOKEN not in repr(Policy.of(8000, token=TOKEN))


@pytest.mark.parametrize(
    "path", ["/", "/api/health", "/api/docs", "/api/openapi.json", "/api/none", "/api/decisions.csv"]
)
def test_every_answer_has_the_headers(clients, path):
    answer = clients[None].get(path)
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    assert "cache-control" in answer.headers


def test_the_policy_of_content_allows_nothing_inline():
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "unsafe" not in policy and "blob:" not in policy and "http" not in policy


def test_an_unexpected_error_shows_nothing_of_itself(clients, monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr("linkwl.serving.model_routes.model_answer", fail)
    answer = clients[None].get("/api/model")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "internal"
    assert "secret" not in answer.text and "Traceback" not in answer.text
    assert answer.headers["x-frame-options"] == "DENY"
    assert "a secret of the server" in caplog.text


def test_web_sockets_are_closed(clients):
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), clients[None].websocket_connect("/api/health"):
        pass


def test_a_client_that_leaves_is_no_error(caplog):
    sent = []

    async def leave(scope, receive, send):
        raise ClientDisconnect

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost:8000")]}
    asyncio.run(guard.Guard(leave, Policy.of(8000))(scope, None, send))
    assert not sent and not caplog.records


def test_an_answer_that_breaks_off_does_not_look_complete():
    sent = []

    async def break_off(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("in the middle")

    async def send(message):
        sent.append(message["type"])

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost:8000")]}
    with pytest.raises(RuntimeError, match="in the middle"):
        asyncio.run(guard.Guard(break_off, Policy.of(8000))(scope, None, send))
    assert sent == ["http.response.start"]
