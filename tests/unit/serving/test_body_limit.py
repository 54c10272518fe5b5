from __future__ import annotations

import asyncio
import dataclasses

import pytest
from starlette.exceptions import HTTPException

from linkwl.serving import create_app
from linkwl.serving.body_limit import LimitedBody
from linkwl.serving.guard import BODY_BYTES, UPLOAD_BYTES, Policy
from served import WRITE, airports, client_of

SMALL = 1000


@pytest.fixture(scope="module")
def client():
    policy = dataclasses.replace(Policy.of(8000), body_bytes=SMALL)
    with client_of(app=create_app(airports(), policy=policy)) as client:
        yield client


def chunks(count, size=100):
    for _ in range(count):
        yield b"x" * size


def test_a_declared_length_is_refused_before_it_is_read(client):
    answer = client.put("/api/decisions", content=b"x" * (SMALL + 1), headers=WRITE)
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


@pytest.mark.parametrize("path", ["/api/decisions.csv", "/api/score"])
def test_a_body_in_chunks_is_counted(client, path):
    assert client.post(path, content=chunks(11), headers=WRITE).status_code == 413
    assert client.post(path, content=chunks(10), headers=WRITE).status_code == 422


def test_a_length_that_is_no_number_is_refused(client):
    assert client.post("/api/score", content=b"", headers=WRITE | {"Content-Length": "1_0"}).status_code == 400
    assert client.post("/api/score", content=b"", headers=WRITE | {"Content-Length": "9" * 30}).status_code == 413


def test_uploads_may_be_larger_than_other_bodies():
    policy = Policy.of(8000)
    assert policy.largest("/api/jobs") == UPLOAD_BYTES == 32 << 20
    assert policy.largest("/api/jobs/7/train") == policy.largest("/api/score") == BODY_BYTES


def pieces(*bodies):
    messages = [
        {"type": "http.request", "body": body, "more_body": number + 1 < len(bodies)}
        for number, body in enumerate(bodies)
    ]
    seen = []

    async def receive():
        seen.append(messages[0])
        return messages.pop(0)

    return receive, seen


def test_nothing_is_read_beyond_the_limit():
    receive, seen = pieces(b"aaaa", b"bbbb", b"cccc", b"dddd")

    async def read():
        body = LimitedBody(receive, 6)
        await body()
        with pytest.raises(HTTPException) as refused:
            await body()
        assert refused.value.status_code == 413
        assert len(seen) == 2
        with pytest.raises(HTTPException):  # whoever asks again gets the same answer, and no more of the body
            await body()
        assert len(seen) == 2
        await body.drain()
        assert len(seen) == 4

    asyncio.run(read())


def test_draining_is_bounded():
    receive, seen = pieces(*[b"x" * 10] * 100)

    async def read():
        body = LimitedBody(receive, 25)
        await body.drain()
        assert len(seen) == 3

    asyncio.run(read())


def test_a_body_that_stalls_is_refused():
    async def never():
        await asyncio.sleep(60)

    async def read():
        with pytest.raises(HTTPException) as refused:
            await LimitedBody(never, 10, idle_seconds=0.01)()
        assert refused.value.status_code == 408

    asyncio.run(read())
