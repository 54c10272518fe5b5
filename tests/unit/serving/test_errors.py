from __future__ import annotations

import pytest
from starlette.exceptions import HTTPException

from linkwl.errors import InputError, LinkwlError, MemoryLimitError, OutputError, UnknownNameError
from linkwl.serving.errors import ApiError, code_of, error_of
from served import WRITE


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ApiError(418, "no.", code="teapot"), 418, "teapot"),
        (InputError("wrong."), 422, "invalid"),
        (UnknownNameError("node", "x", []), 404, "not_found"),
        (MemoryLimitError("too large."), 503, "unavailable"),
        (MemoryError(), 503, "unavailable"),
        (HTTPException(405), 405, "method_not_allowed"),
        (OutputError("x", "the disk is full"), 500, "internal"),
        (LinkwlError("broken."), 500, "internal"),
        (RuntimeError("a secret"), 500, "internal"),
    ],
)
def test_every_error_has_a_status_and_a_sentence(error, status, code):
    found = error_of(error)
    assert (found.status, found.code) == (status, code)
    assert found.message.endswith(".") and "secret" not in found.message


def test_an_unknown_status_has_a_code_as_well():
    assert code_of(499) == "error"


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("GET", "/api/none", None, 404),
        ("GET", "/none", None, 404),
        ("DELETE", "/api/health", None, 405),
        ("PATCH", "/", None, 405),
        ("POST", "/api/score", b"{", 422),
        ("POST", "/api/score", b"\xff", 422),
        ("POST", "/api/score", b'{"pairs": NaN}', 422),
        ("POST", "/api/score", b"[" * 100_000, 422),
        ("POST", "/api/score", b'{"pairs": [[1e400, 2]]}', 422),
        ("POST", "/api/score", b'{"pairs": [[' + b"9" * 5000 + b", 2]]}", 422),
        ("GET", "/api/nodes?limit=%00", None, 422),
        ("GET", "/api/links?min_log_odds=1e999", None, 422),
    ],
)
def test_every_refusal_has_the_one_shape(client, method, path, content, status):
    answer = client.request(method, path, content=content, headers=WRITE)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"} and set(answer.json()["error"]) == {"code", "message"}
    assert answer.json()["error"]["message"].endswith(".")


def test_a_name_with_half_a_character_is_answered(client):
    answer = client.post("/api/score", content=b'{"pairs": [["\\ud800", "x"]], "by": "name"}', headers=WRITE)
    assert answer.status_code in (404, 422)
    assert set(answer.json()) == {"error"}


def test_a_body_of_another_type_is_refused_with_the_remedy(client):
    headers = WRITE | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = client.post("/api/score", content=b'{"pairs": [[3, 9]]}', headers=headers)
    assert answer.status_code == 415
    assert "Content-Type: application/json" in answer.json()["error"]["message"]
