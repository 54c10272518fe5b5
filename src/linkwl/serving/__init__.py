"""The server of ``linkwl serve``: a page and an API to explore, judge and understand missing links.

It needs the extra ``linkwl[serve]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkwl.serving.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return import_module(f"{__name__}.app").create_app
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "starlette"):
            raise
        from linkwl.errors import InputError

        raise InputError(
            "the server needs FastAPI and uvicorn; install them with `pip install linkwl[serve]`."
        ) from error
