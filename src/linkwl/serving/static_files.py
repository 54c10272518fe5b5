"""The files of the page: read and compressed once at start, with tags; nothing else on the disk can be asked for."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from linkwl.serving.errors import ApiError
from linkwl.serving.kept_answers import KeptAnswer

FOLDER = Path(__file__).parent / "static"
ASSETS = "assets/"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_IMMUTABLE = "public, max-age=31536000, immutable"
_MISSING = "the page has not been built: run `make serve` in the repository, or install linkwl from its wheel.\n"


class StaticFiles:
    """The files of a folder, by their path below it.

    Args:
        folder: The folder; it may be missing.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): KeptAnswer.of(path.read_bytes(), _type_of(path))
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }

    def router(self) -> APIRouter:
        """The routes of the files; a path is looked up among them, and never on the disk."""
        router = APIRouter(include_in_schema=False)

        @router.api_route("/", methods=["GET", "HEAD"])
        async def page(request: Request) -> Response:
            found = self._files.get("index.html")
            return PlainTextResponse(_MISSING, status_code=404) if found is None else found.to(request)

        @router.api_route("/{path:path}", methods=["GET", "HEAD"])
        async def file(request: Request, path: str) -> Response:
            if path.startswith("api/") and request.method == "HEAD":
                raise ApiError(405, "this address does not take this method.")
            found = None if path.startswith("api/") else self._files.get(path)
            if found is None:
                raise ApiError(404, "there is nothing at this address.")
            return found.to(request, cache=_IMMUTABLE if path.startswith(ASSETS) else "no-cache")

        return router


def _type_of(path: Path) -> str:
    return _TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
