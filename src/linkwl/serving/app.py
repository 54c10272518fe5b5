"""The application: the API and the page around one open model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from linkwl.predict.predictor import LinkPredictor
from linkwl.progress import OnProgress
from linkwl.serving import model_routes
from linkwl.serving.errors import ErrorAnswer, install_error_handlers
from linkwl.serving.state import Served

_ROUTERS = (model_routes.router,)
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""FastAPI can report requests to a collector; nothing leaves this machine."""


def create_app(
    predictor: LinkPredictor,
    *,
    name: str | None = None,
    decisions: Path | None = None,
    cache: Path | None = None,
    on_progress: OnProgress | None = None,
) -> FastAPI:
    """The application that serves a model; its missing links are ranked before it returns.

    Args:
        predictor: A fitted predictor.
        name: What the page calls the graph; by default the graph's own name.
        decisions: The folder of decisions; None keeps them in memory.
        cache: The folder of rankings that were computed before; None for none.
        on_progress: Called with the finished work and the total work of the ranking.
    """
    served = Served(decisions, cache)
    served.open(predictor, name, on_progress=on_progress)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        served.close()

    app = FastAPI(
        title="linkwl",
        description="Missing links: ranked, explained and judged.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        telemetry=_NO_TELEMETRY,
        responses={"4XX": {"model": ErrorAnswer, "description": "The request was refused."}},
    )
    app.state.served = served
    install_error_handlers(app)
    for router in _ROUTERS:
        app.include_router(router, prefix="/api")
    # The jobs (upload and training) are included here: app.include_router(job_routes.router, prefix="/api")
    return app
