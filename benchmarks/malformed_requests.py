"""Requests that no client of ours would send: random bytes, and wrong values in the places of an OpenAPI document."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

_TEXTS = (
    "",
    "\x00",
    "\ud800",
    "é" * 300,
    "a" * 5000,
    "../../etc/passwd",
    "'; DROP TABLE decisions; --",
    "<script>alert(1)</script>",
    "%00",
    "{{7*7}}",
    "=1+1",
    "\r\nX-Evil: 1",
    "nan",
    "1e400",
    "-1",
    "0",
    "3",
    "\u202e",
    "null",
    "[]",
)
_NUMBERS = (0, 3, 9, -1, 351, 352, 2**31 - 1, 2**31, 2**63, 2**64, 10**400, 1.5, -0.0, 1e308, True)


def raw_requests(count: int, port: int, seed: int = 0) -> Iterator[bytes]:
    """Random bytes: without any form, with the form of a request, or a request with a few bytes changed."""
    generator = random.Random(seed)
    good = (
        f"PUT /api/decisions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Linkwl: 1\r\nContent-Type: application/json\r\n"
        'Content-Length: 64\r\n\r\n{"decisions":[{"source":3,"target":9,"verdict":null}]}          '
    ).encode()
    for _ in range(count):
        kind = generator.randrange(3)
        if kind == 0:
            yield generator.randbytes(generator.randrange(1, 400)) + b"\r\n\r\n"
        elif kind == 1:
            noise = bytes(generator.choice(b"abc/?&=%;:{}[]\"'<>.,0123456789 \t\xff\x00") for _ in range(80))
            host = f"Host: 127.0.0.1:{port}\r\n".encode()
            yield b"GET /api/" + noise.replace(b" ", b"") + b" HTTP/1.1\r\n" + host + b"X: " + noise + b"\r\n\r\n"
        else:
            changed = bytearray(good)
            for _ in range(generator.randrange(1, 8)):
                changed[generator.randrange(len(changed))] = generator.randrange(256)
            yield bytes(changed)


def described_requests(
    count: int, schema: dict[str, Any], seed: int = 0
) -> Iterator[tuple[str, str, bytes | None, dict[str, str]]]:
    """Requests to the routes of an OpenAPI document, with values that may fit their schemas and mostly do not.

    Each is a method, a path with its query, a body and headers.
    """
    generator = random.Random(seed)
    routes = [(path, method, about) for path, methods in schema["paths"].items() for method, about in methods.items()]
    maker = _Values(generator, schema)
    for _ in range(count):
        path, method, about = generator.choice(routes)
        query = []
        for parameter in about.get("parameters", []):
            value = quote(_text(maker.value(parameter["schema"])), safe="")
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", value or "x")
            elif generator.random() < 0.8:
                query.append(f"{parameter['name']}={value}")
        if generator.random() < 0.1:
            query.append(quote(generator.choice(_TEXTS).encode("utf-8", "replace")) + "=1")
        if generator.random() < 0.05:
            method = generator.choice(["get", "post", "put", "delete", "patch", "options", "head", "trace"])
        body = None
        for kind, content in about.get("requestBody", {}).get("content", {}).items():
            value = maker.value(content.get("schema", {}))
            text = json.dumps(value) if kind.endswith("json") else _text(value)
            body = text.encode("utf-8", "replace")
            if generator.random() < 0.1:
                body = body[: generator.randrange(len(body) + 1)]
        headers = {"Accept": "text/event-stream"} if generator.random() < 0.1 else {}
        yield method.upper(), path + ("?" + "&".join(query) if query else ""), body, headers


class _Values:
    """Makes values for schemas: half of the time one that fits, else anything."""

    def __init__(self, generator: random.Random, schema: dict[str, Any]) -> None:
        self._generator, self._schemas = generator, schema.get("components", {}).get("schemas", {})

    def value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        draw = self._generator
        if "$ref" in schema:
            return self.value(self._schemas[schema["$ref"].rpartition("/")[2]], depth)
        if draw.random() < 0.15 or depth > 5:
            return draw.choice([None, [], {}, "x", draw.choice(_TEXTS), draw.choice(_NUMBERS), [[[]]], {"a": {}}])
        if "anyOf" in schema:
            return self.value(draw.choice(schema["anyOf"]), depth)
        if "enum" in schema or "const" in schema:
            return draw.choice([*schema.get("enum", [schema.get("const")]), "maybe"])
        kind = schema.get("type")
        if kind == "object":
            found = {name: self.value(inner, depth + 1) for name, inner in schema.get("properties", {}).items()}
            return {name: inner for name, inner in found.items() if draw.random() < 0.9}
        if kind == "array":
            return [self.value(schema.get("items", {}), depth + 1) for _ in range(draw.choice([0, 1, 2, 2, 3, 40]))]
        if kind in ("integer", "number"):
            return draw.choice(_NUMBERS) if draw.random() < 0.4 else draw.randrange(0, 352)
        if kind == "boolean":
            return draw.random() < 0.5
        return draw.choice(_TEXTS)


def _text(value: Any) -> str:
    """A value as it stands in an address."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode()
