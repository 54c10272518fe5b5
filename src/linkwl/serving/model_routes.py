"""Routes about the open model: health, what is served."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter

router = APIRouter()


@router.get("/health")
async def health() -> dict[str, str]:
    """Whether the server answers, and its version."""
    return {"status": "ok", "version": version("linkwl")}
