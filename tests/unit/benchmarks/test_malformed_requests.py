"""Wrong values for every route of the server: none of them makes it fail."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from served import WRITE, airports, client_of, world

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def malformed(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT / "benchmarks"))
    return import_module("malformed_requests")


@pytest.mark.parametrize("make", [airports, world])
def test_no_described_request_fails(malformed, make):
    statuses = set()
    with client_of(make()) as client:
        schema = client.get("/api/openapi.json").json()
        for method, path, body, headers in malformed.described_requests(250, schema, seed=1):
            answer = client.request(method, path, content=body, headers=WRITE | headers)
            assert answer.status_code < 500, (method, path, body, answer.text)
            assert "Traceback" not in answer.text
            if answer.status_code >= 400 and method != "HEAD":
                assert set(answer.json()) == {"error"}, (method, path)
            statuses.add(answer.status_code)
    assert {200, 404, 405, 422} <= statuses


def test_raw_requests_are_reproducible_and_different(malformed):
    first = list(malformed.raw_requests(50, 8000, seed=3))
    assert first == list(malformed.raw_requests(50, 8000, seed=3))
    assert len(set(first)) == 50
