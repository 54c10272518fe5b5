"""Answers that are the same for every request to a model: written and compressed once, with a tag for the browser."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import Response

from linkwl.serving.state import Opened


@dataclass(frozen=True)
class KeptAnswer:
    """A body, plain and compressed."""

    plain: bytes
    packed: bytes
    tag: str
    media_type: str

    @classmethod
    def of(cls, plain: bytes, media_type: str) -> KeptAnswer:
        """The answer with this body."""
        tag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
        return cls(plain, gzip.compress(plain, 6, mtime=0), tag, media_type)

    def to(self, request: Request, *, cache: str = "no-cache") -> Response:
        """The response to a request: compressed if the browser takes that, and empty if it has the body already."""
        headers = {"etag": self.tag, "cache-control": cache, "vary": "accept-encoding"}
        known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
        if self.tag in known or "*" in known:
            return Response(status_code=304, headers=headers)
        accepted = request.headers.get("accept-encoding", "")
        if len(self.packed) < len(self.plain) and _takes_gzip(accepted):
            return Response(self.packed, media_type=self.media_type, headers=headers | {"content-encoding": "gzip"})
        return Response(self.plain, media_type=self.media_type, headers=headers)


def _takes_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` allows gzip."""
    for part in accepted.lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() == "gzip":
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def kept_json(opened: Opened, name: str, make: Callable[[Opened], dict[str, Any]]) -> KeptAnswer:
    """An answer of a model, made at the first request."""
    if name not in opened.kept:
        body = json.dumps(make(opened), allow_nan=False, separators=(",", ":"), ensure_ascii=False)
        opened.kept[name] = KeptAnswer.of(body.encode("utf-8", "replace"), "application/json")
    found: KeptAnswer = opened.kept[name]
    return found
