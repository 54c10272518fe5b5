"""Errors of the API: one shape everywhere, ``{"error": {"code": ..., "message": ...}}``, and no traceback in it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from linkwl.errors import InputError, LinkwlError, MemoryLimitError, UnknownNameError
from linkwl.memory import is_out_of_memory

CODES: Mapping[int, str] = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "timeout",
    409: "conflict",
    411: "length_required",
    413: "too_large",
    415: "unsupported_type",
    422: "invalid",
    429: "busy",
    500: "internal",
    503: "unavailable",
}
"""The code of each status, where an error does not name its own."""

_SENTENCES = {404: "there is nothing at this address.", 405: "this address does not take this method."}

_log = logging.getLogger("linkwl.serving")


class ErrorBody(BaseModel):
    """What went wrong."""

    code: str
    message: str


class ErrorAnswer(BaseModel):
    """The answer to every request that fails."""

    error: ErrorBody


class ApiError(Exception):
    """A request that is refused, with a status, one sentence, and a code for programs."""

    def __init__(
        self, status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})
        self.code = code or code_of(status)


def code_of(status: int) -> str:
    """The code of a status."""
    return CODES.get(status, "error")


def error_response(
    status: int, message: str, *, code: str | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """The answer to a request that fails."""
    return JSONResponse(error_body(message, code or code_of(status)), status_code=status, headers=dict(headers or {}))


def error_body(message: str, code: str) -> dict[str, dict[str, str]]:
    """The one shape of errors, as values for JSON."""
    return {"error": {"code": code, "message": message}}


def error_of(error: BaseException) -> ApiError:
    """The API's error for an exception of the package; details of anything unexpected stay in the log."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, HTTPException):
        return ApiError(error.status_code, _SENTENCES.get(error.status_code, str(error.detail)), headers=error.headers)
    if isinstance(error, UnknownNameError):
        return ApiError(404, str(error))
    if isinstance(error, MemoryLimitError) or is_out_of_memory(error):
        return ApiError(503, str(error) if isinstance(error, LinkwlError) else "the free memory does not suffice.")
    if isinstance(error, InputError):
        return ApiError(422, str(error))
    if isinstance(error, LinkwlError):
        return ApiError(500, str(error))
    _log.error("a request failed", exc_info=error)
    return ApiError(500, "an unexpected error; the log of the server has the details.")


def install_error_handlers(app: FastAPI) -> None:
    """Gives every error of an application the one shape."""
    app.add_exception_handler(ApiError, _answer)
    app.add_exception_handler(LinkwlError, _answer)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer)
    app.add_exception_handler(Exception, _answer)


async def _answer(request: Request, error: Exception) -> Response:
    found = error_of(error)
    return error_response(found.status, found.message, code=found.code, headers=found.headers)


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if error.body is not None and "json" not in request.headers.get("content-type", "json"):
        return error_response(415, "send the body as JSON, with the header `Content-Type: application/json`.")
    first: Mapping[str, Any] = next(iter(error.errors()), {})
    place = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    problem = str(first.get("msg", "it has another form than expected"))
    return error_response(422, f"{place or 'the body'}: {problem[:1].lower()}{problem[1:]}.")
